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

/** Types of sample entries whose every picture is a keyframe: ProRes, DNxHD, CineForm, Motion JPEG and DV, as cameras and editing programs write them. */
const intra: ReadonlySet<string> = new Set([
  ...['apch', 'apcn', 'apcs', 'apco', 'ap4h', 'ap4x', 'AVdn', 'AVdh', 'CFHD'],
  ...['jpeg', 'mjpa', 'mjpb', 'dvc ', 'dvcp', 'dvpp', 'dv5n', 'dv5p'],
]);

/** More than a day of keyframes has. Nothing but reading ahead is lost without them. */
const MOST_KEYS = 1_000_000;

/** Ascending file positions of the keyframes of all video tracks, from a `moov` box; empty if unknown. */
export function keyframeOffsets(moov: Buffer): number[] {
  const offsets = () => tracksOf(moov).flatMap((track) => ofTrack(moov, track));
  return readable(() => (isFragmented(moov) ? [] : offsets().sort((a, b) => a - b)), []);
}

/** What is read of an index; `otherwise` if that is cut off. */
function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}

/** Whether an index lists no keyframes because each picture of a video track is one. */
export function hasOnlyKeyframes(moov: Buffer): boolean {
  const isIntra = (track: Box) => {
    const table = pictureTableOf(moov, track);
    return table !== null && !childOf(moov, table, 'stss') && intra.has(entryOf(moov, table));
  };
  return readable(() => !isFragmented(moov) && tracksOf(moov).some(isIntra), false);
}

function ofTrack(moov: Buffer, track: Box): number[] {
  const table = pictureTableOf(moov, track);
  if (!table) return [];
  const keys = keysOf(moov, table);
  if (keys && keys.length > MOST_KEYS) return [];
  const chunks = chunksOf(moov, table);
  const size = sizesOf(moov, childOf(moov, table, 'stsz'));
  return keys && chunks && size ? located({ keys, ...chunks, size }) : [];
}

/** The sample table of a video track; null for any other track. */
function pictureTableOf(moov: Buffer, track: Box): Box | null {
  const media = childOf(moov, track, 'mdia');
  const handler = childOf(moov, media, 'hdlr');
  if (!handler || moov.toString('latin1', handler.body + 8, handler.body + 12) !== 'vide') return null;
  return insideOf(moov, media, 'minf', 'stbl');
}

/** Type of the first sample entry (8.5.2); empty if there is none. */
function entryOf(moov: Buffer, table: Box | null): string {
  const descriptions = childOf(moov, table, 'stsd');
  return descriptions ? moov.toString('latin1', descriptions.body + 12, descriptions.body + 16) : '';
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
