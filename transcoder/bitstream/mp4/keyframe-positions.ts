import { type Box, boxesIn } from './boxes.ts';

/** Ascending file positions of the keyframes of all video tracks, from a `moov` box; empty if unknown. */
export function keyframeOffsets(moov: Buffer): number[] {
  try {
    const [root] = boxesIn(moov, 0, moov.length);
    if (!root) return [];
    const boxes = [...boxesIn(moov, root.body, root.to)];
    // A fragmented file has the rest of its index in its fragments.
    if (boxes.some(({ type }) => type === 'mvex')) return [];
    const tracks = boxes.filter(({ type }) => type === 'trak');
    return tracks.flatMap((track) => ofTrack(moov, track)).sort((a, b) => a - b);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function ofTrack(moov: Buffer, track: Box): number[] {
  const inside = (box: Box | undefined, type: string) =>
    box && [...boxesIn(moov, box.body, box.to)].find((child) => child.type === type);
  const media = inside(track, 'mdia');
  const handler = inside(media, 'hdlr');
  if (!handler || moov.toString('latin1', handler.body + 8, handler.body + 12) !== 'vide') return [];
  const table = inside(inside(media, 'minf'), 'stbl');
  const entries = <T>(type: string, bytes: number, read: (at: number) => T) =>
    entriesOf(moov, inside(table, type), bytes, read);
  const keys = entries('stss', 4, (at) => moov.readUInt32BE(at) - 1);
  const groups = entries('stsc', 12, (at) => ({
    ...{ chunk: moov.readUInt32BE(at) - 1, samples: moov.readUInt32BE(at + 4) },
  }));
  const chunks =
    entries('stco', 4, (at) => moov.readUInt32BE(at)) ??
    entries('co64', 8, (at) => Number(moov.readBigUInt64BE(at)));
  const size = sizesOf(moov, inside(table, 'stsz'));
  return keys && groups && chunks && size ? located({ keys, groups, chunks, size }) : [];
}

/** A table read in place, because it can be long. */
interface Entries<T> {
  length: number;
  at: (index: number) => T | undefined;
}

/** Entries of a full box that begins with their count (8.6.2, 8.7.4, 8.7.5). */
function entriesOf<T>(
  moov: Buffer,
  box: Box | undefined,
  bytes: number,
  read: (at: number) => T,
): Entries<T> | null {
  if (!box) return null;
  const length = moov.readUInt32BE(box.body + 4);
  if (box.body + 8 + length * bytes > box.to) return null;
  return { length, at: (index) => (index < length ? read(box.body + 8 + index * bytes) : undefined) };
}

/** Sample sizes (8.7.3.2). */
function sizesOf(moov: Buffer, box: Box | undefined) {
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
  /** From this chunk on (counted from 0), chunks have this many samples. */
  groups: Entries<{ chunk: number; samples: number }>;
  /** Positions of chunks in the file. */
  chunks: Entries<number>;
  /** Total bytes of the samples `first` up to `behind`, exclusive. */
  size: (first: number, behind: number) => number;
}

function located({ keys, groups, chunks, size }: Tables): number[] {
  const offsets: number[] = [];
  let [group, key, sample] = [0, 0, 0];
  for (let index = 0; index < chunks.length; index++) {
    while ((groups.at(group + 1)?.chunk ?? Number.POSITIVE_INFINITY) <= index) group++;
    const behind = sample + (groups.at(group)?.samples ?? 0);
    let [from, at] = [sample, chunks.at(index) ?? 0];
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
