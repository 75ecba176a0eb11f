import type { Box } from './boxes.ts';
import {
  type ChunkGroup,
  childOf,
  chunksOf,
  type Entries,
  insideOf,
  isFragmented,
  keysOf,
  tracksOf,
} from './sample-tables.ts';

/** Ascending file positions of the keyframes of all video tracks, from a `moov` box; empty if unknown. */
export function keyframeOffsets(moov: Buffer): number[] {
  try {
    return isFragmented(moov)
      ? []
      : tracksOf(moov)
          .flatMap((track) => ofTrack(moov, track))
          .sort((a, b) => a - b);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function ofTrack(moov: Buffer, track: Box): number[] {
  const media = childOf(moov, track, 'mdia');
  const handler = childOf(moov, media, 'hdlr');
  if (!handler || moov.toString('latin1', handler.body + 8, handler.body + 12) !== 'vide') return [];
  const table = insideOf(moov, media, 'minf', 'stbl');
  const keys = keysOf(moov, table);
  const chunks = chunksOf(moov, table);
  const size = sizesOf(moov, childOf(moov, table, 'stsz'));
  return keys && chunks && size ? located({ keys, ...chunks, size }) : [];
}

/** Sample sizes (8.7.3.2). */
function sizesOf(moov: Buffer, box: Box | null) {
  if (!box) return null;
  const same = moov.readUInt32BE(box.body + 4);
  if (same > 0) return (first: number, behind: number) => (behind - first) * same;
  return (first: number, behind: number) => {
    if (box.body + 12 + behind * 4 > box.to) throw new RangeError('a sample has no size');
    let sum = 0;
    for (let index = first; index < behind; index++) sum += moov.readUInt32BE(box.body + 12 + index * 4);
    return sum;
  };
}

interface Tables {
  /** Index of keyframe samples, from 0. */
  keys: Entries<number>;
  groups: Entries<ChunkGroup>;
  /** Of the chunks. */
  positions: Entries<number>;
  /** Total bytes of the samples `first` up to `behind`, exclusive. */
  size: (first: number, behind: number) => number;
}

function located({ keys, groups, positions, size }: Tables): number[] {
  const offsets: number[] = [];
  let [group, key, sample] = [0, 0, 0];
  for (let index = 0; index < positions.length; index++) {
    while ((groups.at(group + 1)?.chunk ?? Number.POSITIVE_INFINITY) <= index) group++;
    const behind = sample + (groups.at(group)?.samples ?? 0);
    let [from, at] = [sample, positions.at(index) ?? 0];
    for (; (keys.at(key) ?? behind) < behind; key++) {
      const wanted = keys.at(key) ?? 0;
      if (wanted < from) continue;
      at += size(from, wanted);
      from = wanted;
      offsets.push(at);
    }
    sample = behind;
  }
  return offsets;
}
