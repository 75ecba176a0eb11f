import { crc32, deflateSync } from 'node:zlib';

/** A box of an mp4, with its size before it. */
export function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content]);
}

/** The same file after `change` was made to the content of every box at this path, such as `moov/trak/mdia/mdhd`. */
export function patched(file: Buffer, path: string, change: (content: Buffer) => Buffer): Buffer {
  const [wanted, ...rest] = path.split('/');
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= file.length; ) {
    const size = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (size < 8) break;
    const content = file.subarray(at + 8, at + size);
    const inner = rest.length > 0 ? () => patched(content, rest.join('/'), change) : () => change(content);
    parts.push(type === wanted ? box(type, inner()) : file.subarray(at, at + size));
    at += size;
  }
  return Buffer.concat(parts);
}

/** A copy with a number of 32 bits written over it. */
export function withU32(content: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(content);
  copy.writeUInt32BE(value, at);
  return copy;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A chunk of a RIFF file. */
export function chunk(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), size, content, Buffer.alloc(content.length % 2)]);
}

export const list = (kind: string, ...parts: Buffer[]) =>
  chunk('LIST', Buffer.from(kind, 'latin1'), ...parts);

/** Numbers of 16 bits, little-endian. */
export const u16le = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
/** Numbers of 32 bits, little-endian. */
export const u32le = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);

/** A grey PNG of one bit a pixel; its data may be of another size than its header says. */
export function png(width: number, height: number, raw: Buffer, ...before: Buffer[]): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([1, 0, 0, 0, 0])]);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const parts = [pngChunk('IHDR', header), ...before, pngChunk('IDAT', deflateSync(raw, { level: 1 }))];
  return Buffer.concat([signature, ...parts, pngChunk('IEND', Buffer.alloc(0))]);
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  return Buffer.concat([u32(content.length), body, u32(crc32(body))]);
}

/** A GIF whose frames are all of one color, each 0.1 s. */
export function gif(side: number, frames: number): Buffer {
  const size = u16le(side, side);
  const control = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]);
  const image = Buffer.concat([Buffer.from([0x2c]), u16le(0, 0), size, Buffer.from([0, 2])]);
  const frame = Buffer.concat([control, image, blocks(oneColour(side * side)), Buffer.from([0])]);
  const screen = Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ]);
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

/** LZW for this number of pixels of color 0: each code stands for one pixel more than the code before it. */
function oneColour(pixels: number): Buffer {
  const [clear, end, first] = [4, 5, 6];
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  const put = (code: number, width: number) => {
    held |= code << bits;
    for (bits += width; bits >= 8; bits -= 8, held >>>= 8) bytes.push(held & 255);
  };
  let [width, next] = [3, first];
  put(clear, width);
  for (let [left, run] = [pixels, 1]; left > 0; run++) {
    if (run > left) run = left;
    put(run === 1 ? 0 : first + run - 2, width);
    left -= run;
    if (run > 1) next += 1;
    if (next === 2 ** width && width < 12) width += 1;
    if (next < 4090) continue;
    put(clear, width);
    [width, next, run] = [3, first, 0];
  }
  put(end, width);
  put(0, 8);
  return Buffer.from(bytes);
}

function blocks(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
}
