import type { BitReader } from './bits.ts';

/** A picture that another may refer to, by its distance in picture order. */
interface Reference {
  distance: number;
  /** Whether the current picture itself refers to it, and not only later ones. */
  used: boolean;
}

/** A short-term reference picture set (H.265 7.3.7): those shown before and after the current picture, nearest first. */
export interface ReferenceSet {
  before: readonly Reference[];
  after: readonly Reference[];
}

const MOST = 16;

/**
 * Reads the set that comes after `sets`; one in a slice may be predicted from any of them, one in a sequence parameter
 * set from the last alone. Throws RangeError where it is damaged.
 */
export function readReferenceSet(
  reader: BitReader,
  sets: readonly ReferenceSet[],
  inSlice: boolean,
): ReferenceSet {
  if (sets.length > 0 && reader.flag()) return predicted(reader, sets, inSlice);
  const [before, after] = [reader.unsigned(), reader.unsigned()];
  if (before > MOST || after > MOST) throw new RangeError('more references than there can be');
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
  if (!from) throw new RangeError('a reference set is predicted from none');
  const sign = reader.flag() ? -1 : 1;
  const shift = sign * (reader.unsigned() + 1);
  const distances = [...from.before, ...from.after, { distance: 0 }].map(({ distance }) => distance + shift);
  const kept = distances.flatMap((distance) => {
    const used = reader.flag();
    return used || reader.flag() ? [{ distance, used }] : [];
  });
  const before = kept.filter(({ distance }) => distance < 0).sort((a, b) => b.distance - a.distance);
  const after = kept.filter(({ distance }) => distance > 0).sort((a, b) => a.distance - b.distance);
  if (before.length > MOST || after.length > MOST) throw new RangeError('more references than there can be');
  return { before, after };
}
