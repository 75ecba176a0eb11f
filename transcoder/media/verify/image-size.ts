import { open } from 'node:fs/promises';

interface PictureSize {
  format: 'jpeg' | 'png' | 'webp' | 'gif';
  width: number;
  height: number;
}

/** Bytes to read: the size follows any camera metadata, and a color profile. */
const HEAD = 5 * 1024 * 1024;

/** Format and size from a picture's header; null for other formats. */
export async function pictureSize(path: string): Promise<PictureSize | null> {
  const bytes = await headOf(path);
  if (bytes.length >= 10 && bytes.toString('latin1', 0, 3) === 'GIF') {
    return { format: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  if (bytes.length < 32) return null;
  if (bytes.toString('latin1', 1, 4) === 'PNG') {
    return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.toString('latin1', 8, 12) === 'WEBP') return webpSize(bytes);
  return bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : null;
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const size = Math.min(HEAD, (await file.stat()).size);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(bytes: Buffer): PictureSize | null {
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X')
    return { format: 'webp', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === 'VP8 ') {
    return {
      format: 'webp',
      width: bytes.readUInt16LE(26) & 0x3fff,
      height: bytes.readUInt16LE(28) & 0x3fff,
    };
  }
  if (chunk !== 'VP8L') return null;
  const packed = bytes.readUInt32LE(21);
  return { format: 'webp', width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
}

/** Finds the first start-of-frame segment; C4, C8 and CC in its range are not frame headers. */
function jpegSize(bytes: Buffer): PictureSize | null {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    // Any number of fill bytes may precede a marker (ITU-T T.81, B.1.1.2).
    if (bytes[at + 1] === 0xff) {
      at += 1;
      continue;
    }
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { format: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
