import type { Demuxer } from '../../schema/media/demuxers.ts';
import { BOX_HEADER, boxAt } from '../bitstream/mp4/boxes.ts';
import { firstPartEnd, MOST_PARTS, type ReadArrived } from './announced-end.ts';

/**
 * The byte at which another file begins that was joined to the first one, of which players show that one alone. Null if none does, or if
 * what tells has not arrived.
 * @param bytes Size of the file.
 */
export async function followingFile(
  format: Demuxer,
  bytes: number,
  read: ReadArrived,
): Promise<number | null> {
  if (format === 'mov') return secondMovie(bytes, read);
  const end = await firstPartEnd(format, read);
  if (end === null || !Number.isSafeInteger(end) || end >= bytes) return null;
  const [first, second] = [await read(0, SIGNATURE), await read(end, SIGNATURE)];
  const same = signed.every(([from, to]) => first.subarray(from, to).equals(second.subarray(from, to)));
  return second.length === SIGNATURE && same ? end : null;
}

/** `RIFF`, a size, `WAVE`; `FORM`, a size, `AIFF`. */
const SIGNATURE = 12;
const signed: [number, number][] = [
  [0, 4],
  [8, 12],
];

/** A movie in one piece, behind it a file type box (ISO/IEC 14496-12, section 4.3) that another one begins with. */
async function secondMovie(bytes: number, read: ReadArrived): Promise<number | null> {
  const seen = new Set<string>();
  for (let [at, count] = [0, 0]; at < bytes && count < MOST_PARTS; count++) {
    const box = boxAt(await read(at, BOX_HEADER), 0, Number.MAX_SAFE_INTEGER, at);
    // Fragments are read on behind another header.
    if (!box || box.type === 'moof') return null;
    if (box.type === 'ftyp' && seen.has('ftyp') && seen.has('moov')) return at;
    seen.add(box.type);
    at = box.to;
  }
  return null;
}
