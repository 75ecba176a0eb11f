import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { countText } from '../../model/numbers/count-text.ts';
import { greatest, least } from '../../model/numbers/min-max.ts';
import type { PlanRequest, SourceFacts } from '../../model/plan.ts';
import { packetsOf } from '../../model/source/gop-survey.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { type Packet, Packets } from '../../model/source/packets.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { FrameRate } from '../plan/frame-rate.ts';
import {
  framesOf,
  HELD,
  hasLongFrames,
  isVariable,
  needsPackets,
  type Span,
  snapped,
} from '../plan/frames.ts';
import { movingOf, probeOf, shown } from '../plan/require-streams.ts';
import type { Clip, Joint, Timeline } from '../plan/timeline/timeline.ts';

export type MergeInput = OperationInput<'merge_urls'>;
export type MergeRequest = PlanRequest<MergeInput>;

export function clipsOf(input: MergeInput) {
  return (input.urls ?? input.video_urls ?? []).map((clip) =>
    typeof clip === 'string' ? { url: clip, start: undefined, end: undefined, volume_db: undefined } : clip,
  );
}

/** Places clips and joints in whole frames. Throws `time_out_of_range`, `clip_too_short`. */
export function timelineOf(request: MergeRequest, rate: FrameRate, warnings: Warning[]): Timeline {
  const { input } = request;
  const clips = clipsOf(input).map((_, index) => clipOf(request, index, rate, warnings));
  const joints = jointsOf(input, clips, rate, warnings);
  let at = 0;
  for (const [index, clip] of clips.entries()) {
    clip.at = at;
    const joint = joints[index];
    at += clip.frames - (joint?.frames ?? 0);
    if (joint) joint.at = at;
  }
  return { rate, items: clips, joints, frames: at };
}

function clipOf(request: MergeRequest, index: number, rate: FrameRate, warnings: Warning[]): Clip {
  const { input, probes, facts } = request;
  const probe = probeOf(probes, index);
  const asked = clipsOf(input)[index];
  if (!asked) throw new Error(`there is no clip ${index}`);
  const { video, duration } = movingOf(probe, index);
  const { origin } = probe;
  const tail = facts.sources?.[index]?.tail;
  if (tail?.length === 0) {
    throw new TaskFailure('source_no_video', 'The video of this clip has no frames.', { sourceIndex: index });
  }
  const start = asked.start ?? 0;
  const last = lastOf(video, tail);
  const lastEnd = last?.end ?? origin + duration;
  if (start >= lastEnd - origin) {
    const detail = `The start of clip ${index} is ${shown(start)} s, but its video is only ${shown(lastEnd - origin)} s long.`;
    throw new TaskFailure('time_out_of_range', detail, { sourceIndex: index });
  }
  const outlasted = last !== null && soundEnd(probe) - lastEnd > OUTLASTING;
  const clipEnd = outlasted ? soundEnd(probe) : lastEnd;
  if (asked.end !== undefined && origin + asked.end > clipEnd + video.frameDuration) {
    const detail = `The end of clip ${index} is ${shown(asked.end)} s, but its ${outlasted ? 'sound' : 'video'} ends at ${shown(clipEnd - origin)} s. The clip ends there.`;
    warnings.push({ code: 'range_clamped', detail });
  }
  const span = { start, end: Math.min(asked.end ?? Number.POSITIVE_INFINITY, clipEnd - origin) };
  const moving = { start, end: Math.min(span.end, lastEnd - origin) };
  const found = evenFrames(probe, video, moving, facts.sources?.[index]);
  const even = found && { ...found, until: lastEnd - origin };
  const zero = onGrid(video, even ? origin + snapped(even, start) : firstNear(video, origin + start));
  const inside = even && asked.end !== undefined && origin + span.end < lastEnd;
  const end = origin + (inside ? snapped(even, span.end) : span.end);
  if (end - zero < NOTHING) {
    const detail = `Clip ${index} has no frame that starts between ${shown(span.start)} s and ${shown(span.end)} s.`;
    throw new TaskFailure('time_out_of_range', detail, { sourceIndex: index });
  }
  // A frame of the source may be shorter than half of one of the output.
  const frames = Math.max(1, Math.round((end - zero) * rate.fps));
  const gainDb = (asked.volume_db ?? 0) + loudnessGain(request, index, warnings);
  const clip = { source: index, probe, video, zero, rate: 1, frames, gainDb, at: 0 };
  return outlasted ? { ...clip, last: last.at } : clip;
}

/** By how much a sound outlasts the pictures if they are meant to stay, in seconds. Packets of sound alone end up to 0.1 s later. */
const OUTLASTING = 0.2;

/** Timestamp at which the sound of a source ends. */
const soundEnd = ({ audio }: MediaProbe): number =>
  audio ? audio.startTime + audio.duration : Number.NEGATIVE_INFINITY;

/** Less than any frame lasts, in seconds. */
const NOTHING = 1e-6;

/** Target loudness of `normalize_audio` in LUFS, and the highest true peak in dBTP. */
const LOUDNESS = -16;
const PEAK = -1.5;
/** Tolerance of EBU R 128 for the loudness of a program, in LU. */
const NEAR = 0.5;

/** Gain in dB that brings a clip to the common loudness, as far as its peaks allow; 0 for silence. */
function loudnessGain({ input, facts }: MergeRequest, source: number, warnings: Warning[]): number {
  const loudness = input.normalize_audio ? facts.sources?.[source]?.loudness : null;
  if (!loudness) return 0;
  const [wanted, most] = [LOUDNESS - loudness.integrated, PEAK - loudness.truePeak];
  if (wanted - most > NEAR) {
    const reached = (loudness.integrated + most).toFixed(1).replace('-', '−');
    const detail = `Clip ${source} was normalized to ${reached} LUFS in place of −16 LUFS: with more gain, its true peaks would exceed −1.5 dBTP.`;
    warnings.push({ code: 'loudness_limited', detail });
  }
  return Math.min(wanted, most);
}

/** The frames of a clip, if they are known and evenly spaced; otherwise null. */
function evenFrames(probe: MediaProbe, video: VideoStream, span: Span, facts: SourceFacts | undefined) {
  const packets = needsPackets(video) ? (facts?.packets ?? packetsOf(facts?.survey, video)) : undefined;
  if (packets === null) return null;
  const frames = framesOf(probe, video, packets, span);
  return frames.uneven ? null : frames;
}

/** Tolerance for rounded timestamps, as a share of a frame. */
const TINY = 0.01;

/**
 * Moves a start before the first frame onto the frame grid, later by less than a frame. Keeps sound and picture in
 * sync.
 */
function onGrid(video: VideoStream, time: number): number {
  const { startTime, frameDuration } = video;
  if (time >= startTime || hasLongFrames(video)) return time;
  const before = Math.floor((startTime - time) / frameDuration + TINY);
  return Math.max(time, startTime - before * frameDuration);
}

/** The start of the video if it is within a frame of `time`. */
function firstNear({ startTime, frameDuration }: VideoStream, time: number): number {
  const near = Math.abs(startTime - time) < Math.min(frameDuration, HELD);
  return near ? startTime : time;
}

/** Timestamps at which the last frame begins and ends, from the frame count if it is known. */
function lastOf(video: VideoStream, tail: readonly Packet[] | undefined): { at: number; end: number } | null {
  if (video.pace === 'constant' && video.frames !== null) {
    const end = video.startTime + video.frames * video.frameDuration;
    return { at: end - video.frameDuration, end };
  }
  const last = tail?.toSorted((a, b) => a.pts - b.pts).at(-1);
  if (!last) return null;
  const lasts = gapOf(tail) ?? (lengthOf(last, video) || video.frameDuration);
  return { at: last.pts, end: last.pts + lasts };
}

/**
 * How long the last frame is shown, as far as it is stated: in mp4, a packet states how long it is decoded, also where an edit list ends
 * earlier.
 */
function lengthOf({ pts, duration }: Packet, { reordered, startTime, duration: whole }: VideoStream) {
  const rest = startTime + whole - pts;
  if (reordered) return Math.max(0, rest);
  return duration !== null && rest > 0 && rest < duration ? rest : duration;
}

/** Seconds between frames; null if the distances differ. */
export function gapOf(packets: readonly Packet[] | undefined): number | null {
  if (!packets || packets.length < 3) return null;
  const listed = Packets.of(packets);
  if (isVariable(listed)) return null;
  const { shown: times } = listed;
  return (greatest(times) - least(times)) / (times.length - 1);
}

/** Median seconds between frames; null if there are too few. */
export function ruleOf(packets: readonly Packet[] | undefined): number | null {
  const times = (packets ?? []).map(({ pts }) => pts).sort((a, b) => a - b);
  const gaps = times.slice(1).map((pts, index) => pts - (times[index] ?? pts));
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] || null;
}

function jointsOf(input: MergeInput, clips: Clip[], rate: FrameRate, warnings: Warning[]): Joint[] {
  const asked = clips.slice(1).map((_, index) => {
    const own = input.transitions[index];
    const type = own?.type ?? input.transition;
    const seconds = type === 'none' ? 0 : (own?.duration ?? input.duration);
    return { index, type, frames: Math.round(seconds * rate.fps), at: 0 };
  });
  for (const joint of asked) leaveEarly(input, clips, joint, rate, warnings);
  const wanted = asked.map(({ frames }) => frames);
  for (const [index, clip] of clips.entries()) shorten(input, clip, asked[index - 1], asked[index], wanted);
  for (const [index, joint] of asked.entries()) {
    const before = wanted[index] ?? 0;
    if (joint.frames < before) {
      keepOffset(input, clips[index], asked[index - 1], joint, rate);
      const detail = `The transition of joint ${index} was shortened from ${shown(before / rate.fps)} s to ${shown(joint.frames / rate.fps)} s because its clips are too short.`;
      warnings.push({ code: 'transition_shortened', detail });
    }
    if (joint.frames === 0) joint.type = 'none';
  }
  return asked;
}

/** Ends a clip with its joint, which has become shorter and still starts at its `offset`. */
function keepOffset(
  input: MergeInput,
  clip: Clip | undefined,
  before: Joint | undefined,
  joint: Joint,
  rate: FrameRate,
): void {
  const offset = input.transitions[joint.index]?.offset;
  if (offset === undefined || !clip) return;
  const from = Math.max(before?.frames ?? 0, Math.round(offset * rate.fps));
  clip.frames = Math.min(clip.frames, Math.max(1, from + joint.frames));
}

/** Ends a clip early if its joint has an `offset`. */
function leaveEarly(
  input: MergeInput,
  clips: Clip[],
  joint: Joint,
  rate: FrameRate,
  warnings: Warning[],
): void {
  const offset = input.transitions[joint.index]?.offset;
  const clip = clips[joint.index];
  if (offset === undefined || !clip) return;
  const from = Math.round(offset * rate.fps);
  const detail = `transitions[${joint.index}].offset is ${shown(offset)} s, but the transition has to lie within its clip, which is ${shown(clip.frames / rate.fps)} s long.`;
  // A hard cut may be where its clip ends anyway.
  const last = joint.frames > 0 ? clip.frames - 1 : clip.frames;
  if (from > last || from + joint.frames < 1) {
    throw new TaskFailure('time_out_of_range', detail, { sourceIndex: clip.source });
  }
  if (from + joint.frames <= clip.frames) {
    clip.frames = from + joint.frames;
    return;
  }
  if (input.on_short_clip === 'error') {
    throw new TaskFailure('clip_too_short', detail, { sourceIndex: clip.source });
  }
  joint.frames = clip.frames - from;
  warnings.push({ code: 'transition_shortened', detail });
}

/**
 * Both transitions must fit into the clip; if they overlap, both are shortened in proportion to what was asked. What the clip before
 * has shortened already leaves the other more.
 * @param asked Frames of the transitions of the request, by joint.
 */
function shorten(
  input: MergeInput,
  clip: Clip,
  before: Joint | undefined,
  after: Joint | undefined,
  asked: readonly number[],
): void {
  const [head, tail] = [before?.frames ?? 0, after?.frames ?? 0];
  if (head + tail <= clip.frames) return;
  if (input.on_short_clip === 'error') {
    const detail = `Clip ${clip.source} has ${countText(clip.frames, 'frame')}, but its transitions need ${head + tail}. Use shorter transitions or a longer clip.`;
    throw new TaskFailure('clip_too_short', detail, { sourceIndex: clip.source });
  }
  const [first, second] = [before, after].map((joint) => (joint ? (asked[joint.index] ?? 0) : 0));
  const share = clip.frames / ((first ?? 0) + (second ?? 0));
  const due = Math.floor((first ?? 0) * share);
  if (before) before.frames = Math.min(head, due);
  if (after)
    after.frames = Math.min(tail, head < due ? clip.frames - head : Math.floor((second ?? 0) * share));
}
