import { type Box, boxesIn } from './boxes.ts';

/** The samples of a track in decoding order (ISO/IEC 14496-12 section 8.6 and 8.7), in columns. */
export interface Samples {
  length: number;
  /** Bytes. */
  sizes: Uint32Array;
  /** Positions in the file. */
  positions: Float64Array;
  /** Decoding times in ticks of the media; the first one is 0. */
  times: Float64Array;
  /** How long the last sample is decoded, in ticks. */
  last: number;
  /** What is added to a decoding time to get a time of the composition; null if nothing is. */
  offsets: Int32Array | null;
  /** 1 for a sync sample; null if all of them are. */
  keys: Uint8Array | null;
}

/** Composition time of a sample, in ticks of its media. */
export const composedAt = ({ times, offsets }: Samples, index: number): number =>
  (times[index] ?? Number.NaN) + (offsets?.[index] ?? 0);

/** How long a sample is decoded, in ticks. */
export const durationOf = ({ times, last, length }: Samples, index: number): number =>
  index + 1 < length ? (times[index + 1] ?? 0) - (times[index] ?? 0) : last;

export const isKey = ({ keys }: Samples, index: number): boolean => (keys?.[index] ?? 1) === 1;

/** The first child of a type. */
export function childOf(bytes: Buffer, box: Box | null, type: string): Box | null {
  if (!box) return null;
  for (const child of boxesIn(bytes, box.body, box.to)) if (child.type === type) return child;
  return null;
}

/** A box within others. @param path Types, from the outermost. */
export const insideOf = (bytes: Buffer, box: Box | null, ...path: string[]): Box | null =>
  path.reduce((parent, type) => childOf(bytes, parent, type), box);

/** Tracks of a `moov` box that begins at 0. */
export function tracksOf(moov: Buffer): Box[] {
  const [root] = boxesIn(moov, 0, moov.length);
  return root ? [...boxesIn(moov, root.body, root.to)].filter(({ type }) => type === 'trak') : [];
}

/** Whether the rest of the index is in fragments of the file. */
export function isFragmented(moov: Buffer): boolean {
  const [root = null] = boxesIn(moov, 0, moov.length);
  return childOf(moov, root, 'mvex') !== null;
}

/** A table read in place, because it can be long. */
export interface Entries<T> {
  length: number;
  at: (index: number) => T | undefined;
}

/** Entries of a full box that begins with their count (8.6.2, 8.7.4, 8.7.5); null if there is no such box or it is cut off. */
export function entriesOf<T>(
  moov: Buffer,
  box: Box | null,
  bytes: number,
  read: (at: number) => T,
): Entries<T> | null {
  if (!box || box.body + 8 > box.to) return null;
  const length = moov.readUInt32BE(box.body + 4);
  if (box.body + 8 + length * bytes > box.to) return null;
  return { length, at: (index) => (index < length ? read(box.body + 8 + index * bytes) : undefined) };
}

/** From this chunk on (counted from 0), chunks have this many samples. */
export interface ChunkGroup {
  chunk: number;
  samples: number;
  /** Index of the sample description, from 1. */
  description: number;
}

/** Where chunks are, and how many samples are in them. */
export function chunksOf(moov: Buffer, table: Box | null) {
  const groups = entriesOf(
    moov,
    childOf(moov, table, 'stsc'),
    12,
    (at): ChunkGroup => ({
      ...{ chunk: moov.readUInt32BE(at) - 1, samples: moov.readUInt32BE(at + 4) },
      description: moov.readUInt32BE(at + 8),
    }),
  );
  const positions =
    entriesOf(moov, childOf(moov, table, 'stco'), 4, (at) => moov.readUInt32BE(at)) ??
    entriesOf(moov, childOf(moov, table, 'co64'), 8, (at) => Number(moov.readBigUInt64BE(at)));
  return groups && positions && { groups, positions };
}

/** Numbers of the sync samples (8.6.2), counted from 0. */
export const keysOf = (moov: Buffer, table: Box | null): Entries<number> | null =>
  entriesOf(moov, childOf(moov, table, 'stss'), 4, (at) => moov.readUInt32BE(at) - 1);

/**
 * The samples of a track whose every sample is a packet: it has a table of sizes, one sample description, and is not divided into
 * fragments. Null for any other track, and if the tables contradict one another or themselves: libav reads such ones in its own way.
 */
export function samplesOf(moov: Buffer, track: Box): Samples | null {
  try {
    if (isFragmented(moov)) return null;
    const table = insideOf(moov, track, 'mdia', 'minf', 'stbl');
    const descriptions = childOf(moov, table, 'stsd');
    if (!descriptions || moov.readUInt32BE(descriptions.body + 4) !== 1) return null;
    if (!hasPlainTables(moov, table)) return null;
    const sizes = sizesOf(moov, childOf(moov, table, 'stsz'));
    const positions = sizes && positionsOf(moov, table, sizes);
    const timed = sizes && timesOf(moov, table, sizes.length);
    const sync = sizes && syncOf(moov, table, sizes.length);
    if (!positions || !timed || !sync) return null;
    return { length: sizes.length, sizes, positions, ...timed, ...sync };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Tables of which a track has one at most. */
const single: Readonly<Record<string, string>> = {
  ...{ stsd: 'stsd', stts: 'stts', ctts: 'ctts', stss: 'stss', stsc: 'stsc' },
  ...{ stsz: 'sizes', stz2: 'sizes', stco: 'positions', co64: 'positions' },
};

/** Whether each table is there once, and no other says where a decoder can start: as open GOPs, in `stps` or a group `rap `. */
function hasPlainTables(moov: Buffer, table: Box | null): boolean {
  const found = new Set<string>();
  for (const { type, body } of table ? boxesIn(moov, table.body, table.to) : []) {
    if (type === 'stps') return false;
    if (type === 'sbgp' && moov.toString('latin1', body + 4, body + 8) === 'rap ') return false;
    const kind = single[type];
    if (kind !== undefined && found.has(kind)) return false;
    if (kind !== undefined) found.add(kind);
  }
  return true;
}

/** libav takes no larger sample. */
const LARGEST = 0x3fff_ffff;

/** Null if all samples have the same size: a sample of raw sound is too small to be a packet. */
function sizesOf(moov: Buffer, box: Box | null): Uint32Array | null {
  if (!box || moov.readUInt32BE(box.body + 4) !== 0) return null;
  const length = moov.readUInt32BE(box.body + 8);
  if (length === 0 || box.body + 12 + length * 4 > box.to) return null;
  const sizes = new Uint32Array(length);
  for (let index = 0, at = box.body + 12; index < length; index++, at += 4)
    sizes[index] = moov.readUInt32BE(at);
  return sizes.every((size) => size <= LARGEST) ? sizes : null;
}

function positionsOf(moov: Buffer, table: Box | null, sizes: Uint32Array): Float64Array | null {
  const found = chunksOf(moov, table);
  if (!found || !areInOrder(found.groups)) return null;
  const positions = new Float64Array(sizes.length);
  let [group, sample] = [0, 0];
  for (let chunk = 0; chunk < found.positions.length; chunk++) {
    while ((found.groups.at(group + 1)?.chunk ?? Number.POSITIVE_INFINITY) <= chunk) group++;
    const behind = sample + (found.groups.at(group)?.samples ?? 0);
    if (behind > sizes.length) return null;
    let at = found.positions.at(chunk) ?? 0;
    if (!Number.isSafeInteger(at)) return null;
    for (; sample < behind; sample++) {
      positions[sample] = at;
      at += sizes[sample] ?? 0;
    }
  }
  return sample === sizes.length ? positions : null;
}

/** Whether groups of chunks begin with the first chunk, follow one another, hold samples, and have the one description. */
function areInOrder(groups: Entries<ChunkGroup>): boolean {
  let next = 0;
  for (let index = 0; index < groups.length; index++) {
    const { chunk = -1, samples = 0, description = 0 } = groups.at(index) ?? {};
    if (index === 0 ? chunk !== 0 : chunk < next) return false;
    if (samples === 0 || description !== 1) return false;
    next = chunk + 1;
  }
  return true;
}

/** libav takes a longer duration for a negative one, and ignores all offsets if one is larger. */
const LONGEST_DURATION = 0x7fff_ffff;
const LARGEST_OFFSET = 2 ** 28;

function timesOf(
  moov: Buffer,
  table: Box | null,
  length: number,
): Pick<Samples, 'times' | 'last' | 'offsets'> | null {
  const runs = (type: string, read: (at: number) => number) =>
    entriesOf(moov, childOf(moov, table, type), 8, (at) => ({
      count: moov.readUInt32BE(at),
      value: read(at + 4),
    }));
  const durations = runs('stts', (at) => moov.readUInt32BE(at));
  const shifts = runs('ctts', (at) => moov.readInt32BE(at));
  const times = new Float64Array(length);
  let last = 0;
  let time = 0;
  if (
    !durations ||
    !each(durations, length, LONGEST_DURATION, (index, duration) => {
      times[index] = time;
      last = duration;
      time += duration;
    })
  )
    return null;
  if (!shifts) return { times, last, offsets: null };
  const offsets = new Int32Array(length);
  const whole = each(shifts, length, LARGEST_OFFSET, (index, shift) => {
    offsets[index] = shift;
  });
  return whole ? { times, last, offsets } : null;
}

/** Visits the value of each sample. @returns whether there were as many as samples, and none beyond `most`, whatever its sign. */
function each(
  runs: Entries<{ count: number; value: number }>,
  length: number,
  most: number,
  visit: (index: number, value: number) => void,
): boolean {
  let index = 0;
  for (let run = 0; run < runs.length; run++) {
    const { count = 0, value = 0 } = runs.at(run) ?? {};
    if (index + count > length || Math.abs(value) > most) return false;
    for (const end = index + count; index < end; index++) visit(index, value);
  }
  return index === length;
}

/** Null if the numbers of the sync samples do not rise, or if there are none. */
function syncOf(moov: Buffer, table: Box | null, length: number): Pick<Samples, 'keys'> | null {
  if (!childOf(moov, table, 'stss')) return { keys: null };
  const found = keysOf(moov, table);
  if (!found || found.length === 0) return null;
  const keys = new Uint8Array(length);
  let before = -1;
  for (let index = 0; index < found.length; index++) {
    const key = found.at(index) ?? length;
    if (key <= before || key >= length) return null;
    keys[key] = 1;
    before = key;
  }
  return { keys };
}

/** The part of a track that is shown, in composition times. */
export interface ShownPart {
  from: number;
  /** Exclusive. */
  to: number;
}

/** Most entries of an edit list of interest. */
const MOST_EDITS = 8;
const NORMAL_SPEED = 0x10000;

/** Null if a track is not shown in one piece at normal speed: its edit list has one entry, and empty ones before it (8.6.6). */
export function shownPart(moov: Buffer, track: Box): ShownPart | null {
  const list = insideOf(moov, track, 'edts', 'elst');
  if (!list) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const [root = null] = boxesIn(moov, 0, moov.length);
  const movie = timescaleOf(moov, childOf(moov, root, 'mvhd'));
  const media = timescaleOf(moov, insideOf(moov, track, 'mdia', 'mdhd'));
  const edits = entriesOf(moov, list, moov[list.body] === 1 ? 20 : 12, editReader(moov, list));
  if (!edits || edits.length > MOST_EDITS || movie === null || media === null) return null;
  const all = Array.from({ length: edits.length }, (_, index) => edits.at(index));
  const shown = all.pop();
  if (!shown || shown.from < 0 || shown.duration === 0 || shown.rate !== NORMAL_SPEED) return null;
  if (all.some((edit) => (edit?.from ?? 0) >= 0)) return null;
  return { from: shown.from, to: shown.from + Math.round((shown.duration * media) / movie) };
}

function editReader(moov: Buffer, list: Box) {
  if (moov[list.body] !== 1)
    return (at: number) => ({
      ...{ duration: moov.readUInt32BE(at), from: moov.readInt32BE(at + 4), rate: moov.readInt32BE(at + 8) },
    });
  return (at: number) => ({
    duration: Number(moov.readBigUInt64BE(at)),
    ...{ from: Number(moov.readBigInt64BE(at + 8)), rate: moov.readInt32BE(at + 16) },
  });
}

/** Ticks per second in an `mvhd` or `mdhd` (8.2.2, 8.4.2). */
function timescaleOf(moov: Buffer, header: Box | null): number | null {
  if (!header) return null;
  const at = header.body + (moov[header.body] === 1 ? 20 : 12);
  return at + 4 <= header.to ? moov.readUInt32BE(at) || null : null;
}
