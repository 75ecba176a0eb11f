import { open } from 'node:fs/promises';
import type { Analysis } from '../../model/plan.ts';
import type { Orientation } from '../../model/source/orientation.ts';
import type { Analyzer } from './analyzer.ts';

/** Cameras write EXIF near the start. WebP stores it after the picture, which is read up to this limit. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The EXIF orientation of a JPEG, PNG or WebP; 1 if it has none. */
export async function orientationOf(path: string): Promise<Orientation> {
  const file = await open(path);
  try {
    const size = Math.min((await file.stat()).size, MOST_BYTES);
    const { buffer } = await file.read(Buffer.alloc(size), 0, size, 0);
    const exif = exifOf(buffer);
    return exif ? (tagOf(exif) ?? 1) : 1;
  } finally {
    await file.close();
  }
}

/** The TIFF structure of EXIF, wherever the format stores it. */
function exifOf(bytes: Buffer): Buffer | null {
  if (bytes.length < 32) return null;
  if (bytes.readUInt16BE(0) === 0xffd8) return jpegExif(bytes);
  if (bytes.toString('latin1', 1, 4) === 'PNG') {
    return chunkOf(bytes, 8, 'eXIf', (at) => [
      bytes.toString('latin1', at + 4, at + 8),
      8,
      bytes.readUInt32BE(at),
      4,
    ]);
  }
  if (bytes.toString('latin1', 8, 12) === 'WEBP') {
    const exif = chunkOf(bytes, 12, 'EXIF', (at) => {
      const length = bytes.readUInt32LE(at + 4);
      return [bytes.toString('latin1', at, at + 4), 8, length, length % 2];
    });
    return exif && withoutMark(exif);
  }
  return null;
}

/** Scans segments up to the first scan; an APP1 segment that begins with `Exif` holds it. */
function jpegExif(bytes: Buffer): Buffer | null {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
    const length = bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, at + 2 + length);
    if (bytes[at + 1] === 0xe1 && body.toString('latin1', 0, 4) === 'Exif') return withoutMark(body);
    at += 2 + length;
  }
  return null;
}

const withoutMark = (body: Buffer) => (body.toString('latin1', 0, 4) === 'Exif' ? body.subarray(6) : body);

/** Walks chunks that consist of a header with name and length, a body, and a trailer. */
function chunkOf(
  bytes: Buffer,
  first: number,
  wanted: string,
  read: (at: number) => [name: string, header: number, length: number, behind: number],
): Buffer | null {
  let at = first;
  while (at + 8 <= bytes.length) {
    const [name, header, length, behind] = read(at);
    if (name === wanted) return bytes.subarray(at + header, at + header + length);
    at += header + length + behind;
  }
  return null;
}

const ORIENTATION = 0x0112;
const SHORT = 3;

/** The orientation tag in the first TIFF directory. https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf, 4.6 */
function tagOf(tiff: Buffer): Orientation | null {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return null;
  const u16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return null;
  for (let entry = 0; entry < u16(directory); entry++) {
    const at = directory + 2 + 12 * entry;
    if (at + 12 > tiff.length) return null;
    if (u16(at) !== ORIENTATION || u16(at + 2) !== SHORT) continue;
    const value = u16(at + 8);
    return value >= 1 && value <= 8 ? (value as Orientation) : null;
  }
  return null;
}

export const orientation: Analyzer<Extract<Analysis, { kind: 'orientation' }>> = async (
  _,
  __,
  { source },
) => ({
  orientation: await orientationOf((await source.whole()).path),
});
