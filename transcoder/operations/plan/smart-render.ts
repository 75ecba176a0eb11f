import { containers } from '../../../schema/operations/fields/fields.ts';
import type { RenderReason } from '../../../schema/operations/fields/spans.ts';
import { filtersText } from '../../model/filter-text.ts';
import { firstIndex } from '../../model/first-index.ts';
import { packetsOf } from '../../model/gop-survey.ts';
import type { MediaProbe } from '../../model/media-probe.ts';
import { least } from '../../model/min-max.ts';
import type { Plan, WhyRendered } from '../../model/plan.ts';
import type { Copy, Piece, Run, Surveyed } from '../../model/splice.ts';
import type { Filter, Mix, Splice, Step } from '../../model/steps.ts';
import type { SurveyedPacket } from '../../model/surveyed-packets.ts';
import { timeUnit, type VideoStream } from '../../model/video-stream.ts';
import { withFallback } from './changed-plan.ts';
import { fieldOrder } from './deinterlace.ts';
import { keptFrames, type Span } from './frame-selection.ts';
import { micros } from './require-streams.ts';
import { spansOf } from './spans.ts';

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
}

type RangePiece = Extract<Piece, { kind: 'range' }>;
export type FilePiece = Extract<Piece, { kind: 'file' }>;

/** A range of a source, not yet placed in the output. */
export interface Range {
  piece: Omit<RangePiece, 'at'>;
  frames: number;
  /** Number of frames whose packets are copied. */
  copied: number;
  /** Display time of the copied frames in seconds. */
  copiedSeconds: number;
  /** Presentation timestamps of the first and last frame, in ticks of the source. */
  first: number;
  last: number;
  uneven: boolean;
}

type Packets = readonly SurveyedPacket[];

/**
 * Decides which packets of a span are copied and which frames are rendered. `zero` is the start of the span. A span
 * without an entry is rendered completely.
 */
export function rangePiece(request: RangeRequest): Range | WhyRendered {
  const { probe, video, span, survey, input, filters, continues } = request;
  const unit = timeUnit(video);
  const [begin, end] = [(probe.origin + span.start) / unit, (probe.origin + span.end) / unit];
  const packets = windowOf(partAround(survey, begin), begin, end, frameTicks(video));
  const visible = packets.filter((packet) => !packet.hidden);
  const listed = packetsOf({ ...survey, parts: [packets] }, video) ?? [];
  const kept = keptFrames(probe, video, span, listed, continues);
  const from = kept.from;
  const to = kept.to ?? Number.POSITIVE_INFINITY;
  const wanted = visible.filter(({ pts }) => pts >= from && pts < to).sort((a, b) => a.pts - b.pts);
  const [first, last] = [wanted[0], wanted.at(-1)];
  if (!first || !last) return 'frames_differ';
  const copy = filters ? null : copyOf(packets, from, to);
  if (copy?.packets.some(({ hidden }) => hidden)) return 'edit_list';
  const times = copy?.packets.map(({ pts }) => pts) ?? [];
  const before = wanted.filter(({ pts }) => !copy || pts < (times[0] ?? 0));
  const behind = copy ? wanted.slice(before.length + times.length) : [];
  const head = runOf(packets, before);
  const tail = runOf(packets, behind);
  if (head === 'no_entry' || tail === 'no_entry') return 'no_entry_in_range';
  const until = behind[0]?.pts ?? (kept.uneven || kept.pinned ? end : last.pts + last.duration);
  return {
    piece: {
      ...{ kind: 'range', input, head, copy: copy?.copy ?? null, tail },
      filters: filters ? filtersText(filters) : null,
      zero: Math.round((probe.origin + span.start) / unit),
      pinned: kept.pinned,
    },
    frames: wanted.length,
    copied: times.length,
    copiedSeconds: copy ? (until - Math.max(times[0] ?? until, kept.pinned ? begin : 0)) * unit : 0,
    first: first.pts,
    last: last.pts,
    uneven: kept.uneven,
  };
}

/** The surveyed part that contains a timestamp. */
function partAround(survey: Surveyed, moment: number): Packets {
  const begins = (part: Packets) => least(part.slice(0, 32).map(({ pts }) => pts));
  return survey.parts.findLast((part) => begins(part) <= moment) ?? survey.parts[0] ?? [];
}

/** Most packets between decoding and presentation of a frame; twice the limit of H.264 (A.3.1). */
const REORDER = 32;

interface PartIndex {
  /** Indices of the packets at which a decoder can start. */
  entries: number[];
  /** For each entry, the earliest presentation timestamp from it on, among entries. */
  leastEntry: number[];
  /** The same for each packet. */
  least: number[];
}

/** Cached, because many spans are looked up in one part. */
const indices = new WeakMap<Packets, PartIndex>();

function indexOf(part: Packets): PartIndex {
  const known = indices.get(part);
  if (known) return known;
  const entries = part.flatMap(({ entry }, index) => (entry === null ? [] : [index]));
  const entered = part.filter(({ entry }) => entry !== null);
  const index = { entries, leastEntry: earliestFrom(entered), least: earliestFrom(part) };
  indices.set(part, index);
  return index;
}

/**
 * The packets of a part that a span can need: from the entry before it to the point after which everything is shown
 * later.
 */
function windowOf(part: Packets, begin: number, end: number, frame: number): SurveyedPacket[] {
  const [from, to] = [begin - REORDER * frame, end + frame];
  const { entries, leastEntry, least } = indexOf(part);
  const first = entries[firstIndex(entries.length, (at) => (leastEntry[at] ?? 0) >= from) - 1] ?? -1;
  const last = firstIndex(part.length, (at) => (least[at] ?? 0) >= to) - 1;
  return part.slice(Math.max(0, first), last + 1 + REORDER);
}

/** The copyable frames in [from, to): from the first entry to the last point where all frames so far are complete. */
function copyOf(packets: Packets, from: number, to: number): { copy: Copy; packets: Packets } | null {
  const least = earliestFrom(packets);
  const key = packets.findIndex(
    ({ entry, pts }, index) =>
      entry !== null && pts >= from && pts < to && (entry === 'open' || least[index] === pts),
  );
  const first = packets[key];
  if (!first) return null;
  const end = cleanEnd(packets, least, key, to);
  const copied = packets.slice(key, end).filter(({ pts }) => pts >= first.pts);
  if (copied.length === 0) return null;
  const copy = {
    seek: first.dts,
    frames: copied.map(({ pts }) => pts),
    lastEntry: copied.findLastIndex(({ entry }) => entry !== null),
  };
  return { copy, packets: copied };
}

/** End of the longest run from `key` whose frames are all shown before `to` and before every following frame. */
function cleanEnd(packets: Packets, least: readonly number[], key: number, to: number): number {
  let [highest, end] = [Number.NEGATIVE_INFINITY, key];
  for (let index = key; index < packets.length; index++) {
    const pts = packets[index]?.pts ?? to;
    if (pts >= to) break;
    highest = Math.max(highest, pts);
    if (highest < (least[index + 1] ?? Number.POSITIVE_INFINITY)) end = index + 1;
  }
  return end;
}

/** For each packet, the earliest presentation timestamp from it on, in decoding order. */
function earliestFrom(packets: Packets): number[] {
  let least = Number.POSITIVE_INFINITY;
  return packets
    .toReversed()
    .map(({ pts }) => {
      least = Math.min(least, pts);
      return least;
    })
    .toReversed();
}

/** Frames to render, in presentation order, and the packets to decode for them from an entry on. */
function runOf(packets: Packets, frames: Packets): Run | null | 'no_entry' {
  const [first] = frames;
  if (!first) return null;
  const times = frames.map(({ pts }) => pts);
  const wanted = new Set(times);
  const end = packets.findLastIndex(({ pts, hidden }) => wanted.has(pts) && !hidden);
  const begin = packets.findLastIndex(
    ({ entry, pts }, index) => index <= end && entry !== null && pts <= first.pts,
  );
  const entry = packets[begin];
  if (!entry) return 'no_entry';
  return { seek: entry.dts, entry: entry.pts, packets: end + 1 - begin, frames: times };
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
  before: readonly (Step | Mix)[];
  /** Frames of the output. */
  frames: number;
  /** Codec as named by ffprobe. */
  sound: string | null;
  /** Number of copied frames, and their display time in seconds. */
  copied: number;
  copiedSeconds: number;
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
  const { codec, inputs, pieces, audio, model, before, frames, sound, copied, copiedSeconds } = splicing;
  const until = splicing.until === null ? null : Math.round(splicing.until / timeUnit(model));
  const [file, total] = [full.files[0], full.duration];
  if (total === null) throw new Error('a splice needs a plan that makes a video');
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
  };
  // The sound may go on after the last frame, which is shown until the end.
  const seconds = micros(copied === frames ? total : Math.min(total, copiedSeconds));
  // HDR metadata is copied with the stream's parameters, and frames next to copied ones stay interlaced.
  const drawn = pieces.some(({ kind }) => kind !== 'range');
  const unfounded = ['hdr_metadata_dropped', ...(fields && !drawn ? ['source_interlaced'] : [])];
  const unit = timeUnit(model);
  const { unitOf = () => unit, files = () => 'other_encoding' } = splicing;
  const spans = spansOf(pieces, { unit, unitOf, files, total });
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
