import { type Box, boxesIn } from './boxes.ts';
import { childOf, insideOf } from './sample-tables.ts';

/** Samples as they were written to a file, in decoding order. */
export interface WrittenSamples {
  /** Bytes. */
  sizes: Uint32Array;
  /** 1 for a sync sample. */
  keys: Uint8Array;
  /** Decoding and composition times and durations, in ticks of the media. */
  dts: ArrayLike<number>;
  pts: ArrayLike<number>;
  durations: ArrayLike<number>;
  chunks: Chunk[];
}

/** Consecutive samples of a track. */
export interface Chunk {
  position: number;
  samples: number;
}

const HEADER = 8;
const MOST_32_BITS = 0xffff_ffff;

/** A box. */
export const box = (type: string, ...content: Buffer[]): Buffer => Buffer.concat(boxInPieces(type, content));

/** The same in pieces: the index of a film is too long to be copied each time that a box is put around it. */
const boxInPieces = (type: string, content: readonly Buffer[]): Buffer[] => [
  headerOf(type, lengthOf(content)),
  ...content,
];

export const lengthOf = (pieces: readonly Buffer[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

function headerOf(type: string, content: number): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeUInt32BE(HEADER + content);
  header.write(type, 4, 'latin1');
  return header;
}

/** A full box of version 0 with numbers of 32 bits, the first of which are given apart. */
function numbers(type: string, first: readonly number[], rest: ArrayLike<number> = []): Buffer {
  const content = Buffer.alloc(4 * (1 + first.length + rest.length));
  let at = 4;
  for (const number of first) at = content.writeUInt32BE(number, at);
  for (let index = 0; index < rest.length; index++) at = content.writeUInt32BE(rest[index] ?? 0, at);
  return box(type, content);
}

/** Counts and values of equal neighbours, in turn. */
function runsOf(length: number, valueAt: (index: number) => number): number[] {
  const runs: number[] = [];
  for (let index = 0; index < length; index++) {
    const value = valueAt(index);
    if (runs.length > 0 && runs.at(-1) === value) runs[runs.length - 2] = (runs.at(-2) ?? 0) + 1;
    else runs.push(1, value);
  }
  return runs;
}

/** How many `runsOf` finds. */
function countRuns(length: number, valueAt: (index: number) => number): number {
  let count = 0;
  for (let index = 0; index < length; index++)
    if (index === 0 || valueAt(index) !== valueAt(index - 1)) count += 1;
  return count;
}

type SampleTimes = Pick<WrittenSamples, 'dts' | 'pts' | 'durations'>;

/** How long a sample is decoded: up to the next one, and what is stated for the last. */
const durationIn =
  ({ dts, durations }: SampleTimes) =>
  (index: number) =>
    index + 1 < dts.length ? (dts[index + 1] ?? 0) - (dts[index] ?? 0) : (durations[index] ?? 0);

const offsetIn =
  ({ dts, pts }: SampleTimes) =>
  (index: number) =>
    (pts[index] ?? 0) - (dts[index] ?? 0);

/** Bytes that the tables of samples need at most. */
export function mostBytes(times: SampleTimes, keys: number, chunks: number): number {
  const { length } = times.dts;
  const entries = 8 * (countRuns(length, durationIn(times)) + countRuns(length, offsetIn(times)));
  return entries + 4 * length + 4 * keys + (12 + 8) * chunks + 8 * (HEADER + 16);
}

/** The tables of a track by their names, in the order of the file; those that a track like this does not have are null. */
export function tablesFor(samples: WrittenSamples): Map<string, Buffer | null> {
  const { sizes, keys, chunks } = samples;
  const durations = runsOf(samples.dts.length, durationIn(samples));
  const offsets = runsOf(samples.dts.length, offsetIn(samples));
  const shifted = offsets.some((value, index) => index % 2 === 1 && value !== 0);
  const sync = indexesOf(keys);
  return new Map([
    ['stts', numbers('stts', [durations.length / 2], durations)],
    ['stss', sync.length < keys.length ? numbers('stss', [sync.length], sync) : null],
    ['sdtp', null],
    ['ctts', shifted ? numbers('ctts', [offsets.length / 2], offsets) : null],
    ...chunkTables(chunks),
    ['stsz', numbers('stsz', [0, sizes.length], sizes)],
  ]);
}

/** Where the chunks of a track are. */
export function chunkTables(chunks: readonly Chunk[]): [string, Buffer | null][] {
  const groups: number[] = [];
  for (const [index, { samples }] of chunks.entries()) {
    if (groups.at(-2) !== samples) groups.push(index + 1, samples, 1);
  }
  return [
    ['stsc', numbers('stsc', [groups.length / 3], groups)],
    ...positionTables(chunks.map(({ position }) => position)),
  ];
}

/** The same without how many samples are in each chunk. */
export function positionTables(positions: readonly number[]): [string, Buffer | null][] {
  const far = positions.some((position) => position > MOST_32_BITS);
  return [
    ['stco', far ? null : numbers('stco', [positions.length], positions)],
    ['co64', far ? farPositions(positions) : null],
  ];
}

function farPositions(positions: readonly number[]): Buffer {
  const content = Buffer.alloc(8 + 8 * positions.length);
  content.writeUInt32BE(positions.length, 4);
  for (const [index, position] of positions.entries())
    content.writeBigUInt64BE(BigInt(position), 8 + 8 * index);
  return box('co64', content);
}

/** Numbers of the marked samples, from 1. */
function indexesOf(keys: Uint8Array): number[] {
  const found: number[] = [];
  for (const [index, key] of keys.entries()) if (key === 1) found.push(index + 1);
  return found;
}

/** Bytes of `mediaHeader`. */
export const MEDIA_HEADER = 16;

/** The header of a box of media, with an empty box before it if 32 bits are enough for its size. @param bytes Of both and the media. */
export function mediaHeader(bytes: number): Buffer {
  const header = Buffer.alloc(MEDIA_HEADER);
  const size = bytes - HEADER;
  if (size > MOST_32_BITS) {
    header.writeUInt32BE(1);
    header.write('mdat', 4, 'latin1');
    header.writeBigUInt64BE(BigInt(bytes), HEADER);
  } else {
    header.writeUInt32BE(HEADER);
    header.write('free', 4, 'latin1');
    header.writeUInt32BE(size, HEADER);
    header.write('mdat', HEADER + 4, 'latin1');
  }
  return header;
}

/** Of a track of a template. */
export interface Filling {
  tables: ReadonlyMap<string, Buffer | null>;
  /** How many samples it has now; null to keep what is said of them in groups, and the bitrate. */
  samples: number | null;
  /** Bits per second. */
  bitrate: number;
}

/** A `moov` box with other tables in its tracks, in pieces. @param fillings Of each track; null keeps a track. */
export function filled(moov: Buffer, fillings: readonly (Filling | null)[]): Buffer[] {
  let track = 0;
  const [root] = boxesIn(moov, 0, moov.length);
  if (!root) throw new RangeError('there is no movie');
  const children = [...boxesIn(moov, root.body, root.to)].flatMap((child) => {
    const filling = child.type === 'trak' ? fillings[track++] : null;
    return filling ? inTable(moov, child, ['mdia', 'minf', 'stbl'], filling) : [bytesOf(moov, child)];
  });
  return boxInPieces('moov', children);
}

const bytesOf = (bytes: Buffer, { from, to }: Box): Buffer => bytes.subarray(from, to);

function inTable(moov: Buffer, parent: Box, [next, ...path]: string[], filling: Filling): Buffer[] {
  const children = [...boxesIn(moov, parent.body, parent.to)];
  if (next !== undefined) {
    const parts = children.flatMap((child) =>
      child.type === next ? inTable(moov, child, path, filling) : [bytesOf(moov, child)],
    );
    return boxInPieces(parent.type, parts);
  }
  const kept = children.filter(({ type }) => !filling.tables.has(type));
  const described = kept.flatMap((child) => {
    const bytes = Buffer.from(bytesOf(moov, child));
    if (filling.samples === null) return [bytes];
    if (child.type === 'stsd') setBitrate(bytes, filling.bitrate);
    if (child.type === 'sbgp') setGroup(bytes, filling.samples);
    return [bytes];
  });
  const tables = [...filling.tables.values()].filter((table) => table !== null);
  const [description = Buffer.alloc(0), ...others] = described;
  return boxInPieces(parent.type, [description, ...tables, ...others]);
}

/** Whether `filled` knows what else a template says of the samples of a track: nothing, or that all are in one group. */
export function isFillable(moov: Buffer, track: Box): boolean {
  const table = insideOf(moov, track, 'mdia', 'minf', 'stbl');
  if (!table) return false;
  const known = ['stsd', 'stts', 'stss', 'sdtp', 'ctts', 'stsc', 'stsz', 'stco', 'co64', 'sgpd'];
  return [...boxesIn(moov, table.body, table.to)].every(({ type, body }, index) => {
    if (index === 0) return type === 'stsd';
    return known.includes(type) || (type === 'sbgp' && moov[body] === 0 && moov.readUInt32BE(body + 8) === 1);
  });
}

/** All samples are in the group of the one entry (8.9.2). */
function setGroup(sbgp: Buffer, samples: number): void {
  sbgp.writeUInt32BE(samples, HEADER + 12);
}

/** Bytes of a sample entry before its boxes (12.1.3, 12.2.3). */
const entryBytes: Record<string, number> = { mp4a: 36 };
const VISUAL_ENTRY = 86;

/** Average and maximum in `btrt` (8.5.2) and `esds` (ISO/IEC 14496-14 section 5.6, 14496-1 section 7.2.6.6). */
function setBitrate(stsd: Buffer, bitrate: number): void {
  const [entry] = boxesIn(stsd, HEADER + 8, stsd.length);
  if (!entry) return;
  const inner = { ...entry, body: entry.from + (entryBytes[entry.type] ?? VISUAL_ENTRY) };
  const rates = childOf(stsd, inner, 'btrt');
  if (rates) setRates(stsd, rates.body + 4, bitrate);
  const elementary = childOf(stsd, inner, 'esds');
  const at = elementary && decoderConfiguration(stsd, elementary);
  if (at) setRates(stsd, at + 5, bitrate);
}

/** The maximum, and behind it the average. */
function setRates(bytes: Buffer, at: number, bitrate: number): void {
  const average = Math.min(MOST_32_BITS, Math.round(bitrate));
  bytes.writeUInt32BE(Math.max(average, bytes.readUInt32BE(at)), at);
  bytes.writeUInt32BE(average, at + 4);
}

const [ES_DESCRIPTOR, DECODER_CONFIGURATION] = [3, 4];

/** Where the content of the decoder's configuration begins; null if it is written in another way than libav does. */
function decoderConfiguration(bytes: Buffer, { body, to }: Box): number | null {
  const outer = contentAt(bytes, body + 4, ES_DESCRIPTOR);
  // Its number, and flags that nothing follows.
  const inner =
    outer !== null && bytes[outer + 2] === 0 ? contentAt(bytes, outer + 3, DECODER_CONFIGURATION) : null;
  return inner !== null && inner + 13 <= to ? inner : null;
}

/** Where the content of a descriptor begins: behind its tag and its length, which has seven bits in each byte. */
function contentAt(bytes: Buffer, at: number, tag: number): number | null {
  if (bytes[at] !== tag) return null;
  let behind = at + 1;
  while (((bytes[behind] ?? 0) & 0x80) > 0) behind += 1;
  return behind + 1;
}
