import { containers } from '../../../schema/operations/fields/fields.ts';
import type { RenderReason } from '../../../schema/operations/fields/spans.ts';
import { fieldOrder } from '../../model/deinterlacing.ts';
import { filtersText } from '../../model/filter-text.ts';
import { firstAtLeast } from '../../model/numbers/first-index.ts';
import { least } from '../../model/numbers/min-max.ts';
import { Ticks } from '../../model/numbers/ticks.ts';
import type { Plan, WhyRendered } from '../../model/plan.ts';
import { earliestFrom } from '../../model/source/earliest-from.ts';
import { packetsIn } from '../../model/source/gop-survey.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { SurveyedPackets } from '../../model/source/surveyed-packets.ts';
import { timeUnit, type VideoStream } from '../../model/source/video-stream.ts';
import type { Copy, Piece, Run, Surveyed } from '../../model/splice.ts';
import type { Filter, Splice, Step } from '../../model/steps.ts';
import { withFallback } from './changed-plan.ts';
import { keptFrames } from './frame-selection.ts';
import type { Span } from './frames.ts';
import { micros } from './require-streams.ts';
import { frameCount, spansOf } from './spans.ts';

interface RangeRequest {
  probe: MediaProbe;
  video: VideoStream;
  span: Span;
  /** One of its parts contains the packets around the span. */
  survey: Surveyed;
  /** Index of the stream among the splice's inputs. */
  input: number;
  /** Filters for every frame of the span, at its time in the output. If given, nothing is copied. */
  filters?: readonly Filter[];
  /** The output already shows the frame that is on screen at the start of the span. */
  continues?: boolean;
  /** Whether its frames were counted at a variable frame rate, even if the rate is constant in the span. */
  sourceUneven?: boolean | undefined;
}

type RangePiece = Extract<Piece, { kind: 'range' }>;
export type FilePiece = Extract<Piece, { kind: 'file' }>;

/** A range of a source, not yet placed in the output. */
export interface Range {
  piece: Omit<RangePiece, 'at'>;
  /** Presentation timestamps of the first and last frame, in ticks of the source. */
  first: number;
  last: number;
  uneven: boolean;
}

/**
 * Decides which packets of a span are copied and which frames are rendered. `zero` is the start of the span. A span
 * without an entry is rendered completely.
 */
export function rangePiece(request: RangeRequest): Range | WhyRendered {
  const { probe, video, span, survey, input, filters, continues, sourceUneven } = request;
  const unit = timeUnit(video);
  const [begin, end] = [(probe.origin + span.start) / unit, (probe.origin + span.end) / unit];
  const packets = windowOf(partAround(survey, begin), begin, end, frameTicks(video));
  const { pts } = packets;
  const kept = keptFrames(probe, video, span, packetsIn([packets], video), continues, sourceUneven);
  const from = kept.from;
  const to = kept.to ?? Number.POSITIVE_INFINITY;
  const wanted: number[] = [];
  for (const [at, time] of pts.entries())
    if (time >= from && time < to && !packets.isHidden(at)) wanted.push(at);
  const timeOf = (at: number) => pts[at] ?? 0;
  wanted.sort((a, b) => timeOf(a) - timeOf(b));
  const [first, last] = [wanted[0], wanted.at(-1)];
  if (first === undefined || last === undefined) return 'frames_differ';
  const copy = filters ? null : copyOf(packets, from, Math.min(to, timeOf(last) + 1));
  if (copy?.hides) return 'edit_list';
  const start = copy?.copy.frames[0] ?? Number.POSITIVE_INFINITY;
  const before = wanted.filter((at) => timeOf(at) < start);
  const behind = copy ? wanted.slice(before.length + copy.copy.frames.length) : [];
  const head = runOf(packets, before);
  const tail = runOf(packets, behind);
  if (head === 'no_entry' || tail === 'no_entry') return 'no_entry_in_range';
  return {
    piece: {
      ...{ kind: 'range', input, head, copy: copy?.copy ?? null, tail },
      filters: filters ? filtersText(filters) : null,
      zero: Math.round((probe.origin + span.start) / unit),
      pinned: kept.pinned,
    },
    first: timeOf(first),
    last: timeOf(last),
    uneven: kept.uneven,
  };
}

/** The surveyed part that contains a timestamp. */
function partAround(survey: Surveyed, moment: number): SurveyedPackets {
  const begins = ({ pts }: SurveyedPackets) => least(pts.subarray(0, 32));
  // A time in seconds that was a timestamp is one again only up to rounding.
  const part = survey.parts.findLast((part) => begins(part) <= moment + 0.5) ?? survey.parts[0];
  return part ?? SurveyedPackets.of([]);
}

/** Most packets between decoding and presentation of a frame; twice the limit of H.264 (A.3.1). */
export const REORDER = 32;

interface PartIndex {
  /** Indices of the packets at which a decoder can start. */
  entries: number[];
  /** For each entry, the earliest presentation timestamp from it on, among entries. */
  leastEntry: Float64Array;
  /** The same for each packet. */
  least: Float64Array;
}

/** Cached, because many spans are looked up in one part. */
const indices = new WeakMap<SurveyedPackets, PartIndex>();

function indexOf(part: SurveyedPackets): PartIndex {
  const known = indices.get(part);
  if (known) return known;
  const entries: number[] = [];
  for (let at = 0; at < part.length; at++) if (part.entryAt(at) !== null) entries.push(at);
  const entered = Float64Array.from(entries, (at) => part.pts[at] ?? 0);
  const index = { entries, leastEntry: earliestFrom(entered), least: earliestFrom(part.pts) };
  indices.set(part, index);
  return index;
}

/**
 * The packets of a part that a span can need: from the entry before it to the point after which everything is shown
 * later.
 */
function windowOf(part: SurveyedPackets, begin: number, end: number, frame: number): SurveyedPackets {
  const [from, to] = [begin - REORDER * frame, end + frame];
  const { entries, leastEntry, least } = indexOf(part);
  const first = entries[firstAtLeast(leastEntry, from) - 1] ?? -1;
  const last = firstAtLeast(least, to) - 1;
  return part.part(Math.max(0, first), last + 1 + REORDER);
}

/**
 * The copyable frames in [from, to): from the first entry to the last point where all frames so far are complete, and no frame behind
 * them is shown earlier. `hides`: whether an edit list hides some of them.
 */
function copyOf(packets: SurveyedPackets, from: number, to: number): { copy: Copy; hides: boolean } | null {
  const { pts } = packets;
  const least = earliestFrom(pts);
  const key = pts.findIndex((time, at) => {
    const entry = packets.entryAt(at);
    return entry !== null && time >= from && time < to && (entry === 'open' || least[at] === time);
  });
  if (key < 0) return null;
  const first = pts[key] ?? 0;
  const frames: number[] = [];
  let hides = false;
  for (let at = key, end = cleanEnd(pts, least, key, to); at < end; at++) {
    const time = pts[at] ?? 0;
    if (time < first) continue;
    hides ||= packets.isHidden(at);
    frames.push(time);
  }
  if (frames.length === 0) return null;
  return { copy: { seek: pts[key] ?? 0, frames: new Ticks(frames) }, hides };
}

/** End of the longest run from `key` whose frames are all shown before `to` and before every following frame. */
function cleanEnd(pts: Ticks, least: Float64Array, key: number, to: number): number {
  let [highest, end] = [Number.NEGATIVE_INFINITY, key];
  for (let index = key; index < pts.length; index++) {
    const time = pts[index] ?? to;
    if (time >= to) break;
    highest = Math.max(highest, time);
    if (highest < (least[index + 1] ?? Number.POSITIVE_INFINITY)) end = index + 1;
  }
  return end;
}

/** Frames to render, in presentation order, and the packets to decode for them from an entry on. */
function runOf(packets: SurveyedPackets, frames: readonly number[]): Run | null | 'no_entry' {
  const { pts } = packets;
  const times = frames.map((at) => pts[at] ?? 0);
  const [first] = times;
  if (first === undefined) return null;
  const wanted = new Set(times);
  const end = pts.findLastIndex((time, at) => wanted.has(time) && !packets.isHidden(at));
  const begin = pts
    .subarray(0, end + 1)
    .findLastIndex((time, at) => packets.entryAt(at) !== null && time <= first);
  if (begin < 0) return 'no_entry';
  return { seek: pts[begin] ?? 0, entry: pts[begin] ?? 0, packets: end + 1 - begin, frames: times };
}

/** A range, and the time in the output at which its span begins, in seconds. */
export interface Placing {
  range: Range;
  /** The source stream of the range. */
  video: VideoStream;
  out: number;
}

/**
 * Places ranges on the model's timeline. Frames keep their distance from the start of their span, where its sound
 * begins too; a pinned first frame moves to that start. No range begins before the previous one has been shown. Files have
 * their places already.
 */
export function placed(
  placings: readonly (Placing | FilePiece)[],
  model: VideoStream,
): (RangePiece | FilePiece)[] {
  const unit = timeUnit(model);
  let end = -1;
  return placings.map((placing) => {
    if ('kind' in placing) return placing;
    const { range, video, out } = placing;
    const ticks = (time: number) => Math.round(((time - range.piece.zero) * timeUnit(video)) / unit);
    const first = range.piece.pinned ? 0 : ticks(range.first);
    const at = Math.max(Math.round(out / unit), end + 1 - first);
    end = at + Math.max(first, ticks(range.last));
    return { ...range.piece, at };
  });
}

/** Average frame duration in ticks. */
const frameTicks = (video: VideoStream) => Math.max(1, Math.round(video.frameDuration / timeUnit(video)));

interface Splicing extends Pick<Splice, 'codec' | 'inputs' | 'pieces' | 'audio'> {
  /** The stream of the first input. */
  model: VideoStream;
  /** Steps that write the files among the inputs. */
  before: readonly Step[];
  /** Codec as named by ffprobe. */
  sound: string | null;
  /** Duration of a tick of an input in seconds; that of the model if all are its own. */
  unitOf?: (input: number) => number;
  /** Why a file is among the pieces. @param input Its index among the inputs. */
  files?: (input: number) => RenderReason;
  /** Time in the output up to which the last frame is shown, in seconds; null for an ordinary last frame. */
  until: number | null;
}

/**
 * If at least this share of a single range must be rendered, all of it is rendered in one run of ffmpeg: that keeps the
 * bitrate of the source, but has to fetch all of it. For a range of a few seconds this is not worth it.
 */
const MOST_RENDERED = 0.85;
const BRIEF_SECONDS = 20;

/** The same output with copied packets; `otherwise` falls back to the full render. */
export function splicePlan(full: Plan, splicing: Splicing): Plan {
  const { codec, inputs, pieces, audio, model, before, sound } = splicing;
  const unit = timeUnit(model);
  const until = splicing.until === null ? null : Math.round(splicing.until / unit);
  const [file, total] = [full.files[0], full.duration];
  if (total === null) throw new Error('a splice needs a plan that makes a video');
  const { unitOf = () => unit, files = () => 'other_encoding' } = splicing;
  const spans = spansOf(pieces, { unit, unitOf, files, total });
  const frames = frameCount(spans);
  const taken = spans.filter((span) => span.copied);
  const copied = frameCount(taken);
  // Without copied packets next to them, frames need not be interlaced.
  if (copied === 0 && model.interlaced && model.deinterlace === 'auto')
    return { ...full, rendered_because: 'interlaced' };
  if (pieces.length === 1 && total > BRIEF_SECONDS && 1 - copied / frames >= MOST_RENDERED)
    return { ...full, rendered_because: 'little_to_copy' };
  const fields = fieldOrder(model);
  const container = containers.find((name) => name === file.extension) ?? 'mp4';
  const step: Splice = {
    ...{ kind: 'splice', codec, file: file.file, container, inputs, pieces, audio },
    ...{ frame: frameTicks(model), until, seconds: total },
    ...(fields ? { fields } : {}),
    ...(model.mastering ? { mastering: model.mastering } : {}),
  };
  const seconds = micros(taken.reduce((sum, { out: [from, to] }) => sum + to - from, 0));
  // HDR metadata is copied with the stream's parameters and stated by re-encoded frames, and frames next to copied ones stay interlaced.
  const drawn = pieces.some(({ kind }) => kind !== 'range');
  const unfounded = ['hdr_metadata_dropped', ...(fields && !drawn ? ['source_interlaced'] : [])];
  const plan = withFallback(full, [...before, step], {
    video: { codec, width: model.width, height: model.height, frames },
    audio: sound === null ? null : { codec: sound },
    proven: container === 'mp4' || container === 'mov',
  });
  return {
    ...plan,
    warnings: full.warnings.filter(({ code }) => !unfounded.includes(code)),
    data: { ...full.data, copied_seconds: seconds, rendered_seconds: micros(total - seconds), spans },
  };
}
