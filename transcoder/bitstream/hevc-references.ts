import type { BitReader } from './bits.ts';

/** A reference picture, by its distance in picture order count. */
interface Reference {
  distance: number;
  /** Whether the current picture itself references it, not just later ones. */
  used: boolean;
}

/** A short-term reference picture set (H.265 7.3.7): pictures shown before and after the current one, nearest first. */
export interface ReferenceSet {
  before: readonly Reference[];
  after: readonly Reference[];
}

const MOST = 16;

/**
 * Reads the set that follows `sets`. In a slice it may be predicted from any of them, in an SPS from the last one only. Throws
 * RangeError if it is damaged.
 */
export function readReferenceSet(
  reader: BitReader,
  sets: readonly ReferenceSet[],
  inSlice: boolean,
): ReferenceSet {
  if (sets.length > 0 && reader.flag()) return predicted(reader, sets, inSlice);
  const [before, after] = [reader.unsigned(), reader.unsigned()];
  if (before > MOST || after > MOST) throw new RangeError('too many reference pictures');
  const read = (count: number, sign: 1 | -1): Reference[] => {
    let distance = 0;
    return Array.from({ length: count }, () => {
      distance += sign * (reader.unsigned() + 1);
      return { distance, used: reader.flag() };
    });
  };
  return { before: read(before, -1), after: read(after, 1) };
}

/** Equations 7-61 and 7-62. */
function predicted(reader: BitReader, sets: readonly ReferenceSet[], inSlice: boolean): ReferenceSet {
  const back = inSlice ? reader.unsigned() + 1 : 1;
  const from = sets[sets.length - back];
  if (!from) throw new RangeError('a reference picture set is predicted from a missing one');
  const sign = reader.flag() ? -1 : 1;
  const shift = sign * (reader.unsigned() + 1);
  const distances = [...from.before, ...from.after, { distance: 0 }].map(({ distance }) => distance + shift);
  const kept = distances.flatMap((distance) => {
    const used = reader.flag();
    return used || reader.flag() ? [{ distance, used }] : [];
  });
  const before = kept.filter(({ distance }) => distance < 0).sort((a, b) => b.distance - a.distance);
  const after = kept.filter(({ distance }) => distance > 0).sort((a, b) => a.distance - b.distance);
  if (before.length > MOST || after.length > MOST) throw new RangeError('too many reference pictures');
  return { before, after };
}
