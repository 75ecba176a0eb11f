import { AV_CODEC_ID_AAC } from 'node-av/constants';
import type { Packet } from 'node-av/lib';
import type { Joined } from '../../../../bitstream/codec.ts';
import { composedAt, durationOf, isKey, type Samples } from '../../../../bitstream/mp4/sample-tables.ts';
import { mostBytes } from '../../../../bitstream/mp4/write-tables.ts';
import { firstIndex } from '../../../../model/numbers/first-index.ts';
import type { Copy, SpliceRequest } from '../../../../model/splice.ts';
import type { CopiedTrack } from '../copied-track.ts';
import { isText, type OutputTrack } from '../open-output.ts';
import type { Part, Timeline } from '../output-timeline.ts';
import { type Reader, readerAt } from '../read/reader.ts';
import type { SourceBytes } from '../read/source-bytes.ts';
import { type SourceTrack, sampleOf } from './movie.ts';
import { type Template, type Times, templateOf } from './template.ts';
import type { Tracks } from './tracks.ts';

/** Seconds of a track that are written before the other track follows. */
export const INTERLEAVED = 0.5;
/** A box that fills what is reserved has a header at least. */
export const FREE_HEADER = 8;

/** Samples of a source that are copied as they are. */
export interface Run {
  track: SourceTrack;
  /** Indexes of the first sample, which is an entry of the picture, and of the one behind the last. */
  from: number;
  to: number;
}

/** What is written where. */
export interface Layout {
  timeline: Timeline;
  /** Seconds of a tick of the picture. */
  unit: number;
  runs: ReadonlyMap<Copy, Run>;
  sounds: SoundRun[];
  template: Template;
  /** Bytes for the index. */
  reserved: number;
}

/** A sound that is copied, with its output times. */
export interface SoundRun {
  run: Run;
  times: Times;
  /** Seconds of a tick. */
  unit: number;
}

/** What a splice consists of. */
export interface Planned {
  readers: readonly Reader[];
  parts: readonly Part[];
  timeline: Timeline;
  /** Sounds and texts that are copied. */
  others: readonly (OutputTrack & { track: CopiedTrack })[];
  joined: Joined;
  tracks: Tracks;
}

/** Null if a packet of the splice is not a sample of an mp4, or if its track cannot be described. */
export async function layoutOf(
  request: SpliceRequest,
  { readers, parts, timeline, others, joined, tracks }: Planned,
): Promise<Layout | null> {
  const [model] = readers;
  if (!model || !hasOffsets(timeline)) return null;
  const runs = await runsOf(request, { readers, parts }, tracks);
  if (!runs) return null;
  const sounds: SoundRun[] = [];
  for (const [index, { track }] of others.filter((each) => !isText(each)).entries()) {
    const sound = await soundRun(request, index, track, tracks);
    if (!sound) return null;
    sounds.push(sound);
  }
  const template = await templateOf(request, {
    tracks: [{ stream: model.stream, label: request.labels?.video ?? null }, ...others],
    times: [timeline, ...sounds.map(({ times }) => times)],
    texts: others.filter(isText).map(({ track }) => track),
    joined,
  });
  if (!template) return null;
  const unit = secondsOf(model.timeBase);
  const { dts } = timeline;
  const chunks = parts.length + 2 + Math.ceil((((dts.at(-1) ?? 0) - (dts[0] ?? 0)) * unit) / INTERLEAVED);
  const tables = mostBytes(timeline, keysIn(parts, runs), chunks);
  const heard = sounds.reduce((sum, { times }) => sum + mostBytes(times, 0, chunks), 0);
  const reserved = template.moov.length + tables + heard + FREE_HEADER;
  return { timeline, unit, runs, sounds, template, reserved };
}

const secondsOf = ({ num, den }: { num: number; den: number }) => num / den;

/** Nothing is shown before it is decoded. */
const hasOffsets = ({ pts, dts }: Timeline): boolean => dts.every((decoded, at) => decoded <= (pts[at] ?? 0));

async function runsOf(
  { inputs }: SpliceRequest,
  { readers, parts }: Pick<Planned, 'readers' | 'parts'>,
  tracks: Tracks,
): Promise<Map<Copy, Run> | null> {
  const runs = new Map<Copy, Run>();
  for (const part of parts) {
    if (part.kind !== 'copied') continue;
    const input = inputs[part.input];
    const reader = readerAt(readers, part.input);
    const track = input ? await tracks.of(input, reader.stream.id) : null;
    const place = track && (await located(reader, part.copy, track));
    if (!place) return null;
    runs.set(part.copy, { track, ...place });
  }
  return runs;
}

/** What is added to a composition time to get a time of the input. */
export const shiftOf = ({ frames: [first = 0] }: Copy, samples: Samples, entry: number): number =>
  first - composedAt(samples, entry);

/** Where the frames to copy are; null if the samples are others. Leading pictures are among them. */
async function located(
  reader: Reader,
  copy: Copy,
  { samples, bytes }: SourceTrack,
): Promise<Pick<Run, 'from' | 'to'> | null> {
  const [first = 0] = copy.frames;
  const packet = await reader.find(copy.seek, first);
  const from = sampleOf(samples, packet);
  if (from === null) return null;
  const shift = shiftOf(copy, samples, from);
  let to = from;
  for (const frame of copy.frames) {
    while (composedAt(samples, to) + shift < first) to += 1;
    if (composedAt(samples, to) + shift !== frame || !isWhole(samples, to, bytes)) return null;
    to += 1;
  }
  return { from, to };
}

/** Not so at the end of a file that was cut off. */
const isWhole = ({ positions, sizes }: Samples, index: number, { size }: SourceBytes): boolean =>
  (positions[index] ?? 0) + (sizes[index] ?? 0) <= size;

/** Keyframes that are copied, and all frames that may be some. */
function keysIn(parts: readonly Part[], runs: ReadonlyMap<Copy, Run>): number {
  let count = 0;
  for (const part of parts) {
    const run = part.kind === 'copied' ? runs.get(part.copy) : undefined;
    if (!run) count += part.pts.length;
    else for (let at = run.from; at < run.to; at++) if (isKey(run.track.samples, at)) count += 1;
  }
  return count;
}

/** A sound that is copied, see `CopiedTrack`. Null if its packets are not samples, or not AAC. @param index Among the sounds. */
async function soundRun(
  { inputs, audio, others = [] }: SpliceRequest,
  index: number,
  sound: CopiedTrack,
  tracks: Tracks,
): Promise<SoundRun | null> {
  const wanted = [...(audio ? [audio] : []), ...others][index];
  const input = wanted && inputs[wanted.input];
  // libav's muxer looks into packets of other codecs.
  if (!input || sound.stream.codecpar.codecId !== AV_CODEC_ID_AAC) return null;
  const track = await tracks.of(input, sound.stream.id);
  const packet = await sound.before(Number.POSITIVE_INFINITY);
  if (!track?.shown || !packet || hasAdtsHeader(packet)) return null;
  const { samples, shown } = track;
  const from = sampleOf(samples, packet);
  if (from === null || samples.offsets) return null;
  const shift = Number(packet.dts) - (samples.times[from] ?? 0);
  // What an edit list leaves out behind the sound is not heard.
  const end = Math.min(wanted.end - wanted.start, shown.to + shift);
  const rest = samples.times.subarray(from);
  const count = firstIndex(rest.length, (at) => (rest[at] ?? 0) + shift >= end);
  const dts = rest.subarray(0, count).map((time) => time + shift);
  for (let at = from; at < from + count; at++) {
    // libav's muxer leaves empty packets out.
    if (samples.sizes[at] === 0 || !isWhole(samples, at, track.bytes)) return null;
  }
  const durations = dts.map((time, at) => Math.min(durationOf(samples, from + at), end - time));
  const run = { track, from, to: from + count };
  return { run, times: { dts, pts: dts, durations }, unit: secondsOf(sound.timeBase) };
}

/** libav's muxer removes these headers, which have no place in an mp4 (ISO/IEC 14496-3 section 1.A.2). */
const hasAdtsHeader = ({ data }: Packet): boolean => data?.[0] === 0xff && ((data[1] ?? 0) & 0xf0) === 0xf0;
