import type { Orientation } from '../../model/source/orientation.ts';
import { partsOf } from './picture-parts.ts';

/** The EXIF orientation of a JPEG, PNG or WebP; 1 if it has none. */
export function orientationIn(bytes: Buffer): Orientation {
  const [exif] = partsOf(bytes, names)?.parts ?? [];
  return exif ? (tagOf(withoutMark(exif)) ?? 1) : 1;
}

const names = { jpeg: { marker: 0xe1, mark: 'Exif' }, png: 'eXIf', webp: 'EXIF' } as const;

const withoutMark = (body: Buffer) => (body.toString('latin1', 0, 4) === 'Exif' ? body.subarray(6) : body);

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
