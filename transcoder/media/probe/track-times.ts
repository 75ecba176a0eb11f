import type { StatedAudio } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import type { TrackTimes } from '../../model/source/source-clock.ts';
import { type StatedVideo, timeUnit } from '../../model/source/video-stream.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { lastFrameBehindGaps } from '../analyses/edit-gaps.ts';
import { listFrames } from '../analyses/packets.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { answerOrNull } from '../libav/pool.ts';
import type { Extent } from '../libav/protocol.ts';
import { extentsByProgram } from './extents-ffprobe.ts';
import { isTimedByDecoding } from './presentation-times.ts';
import type { StatedStream } from './streams.ts';

export interface Reading {
  ctx: MediaContext;
  source: MediaSource;
  signal: AbortSignal | undefined;
}

/** The streams that players select. */
interface Chosen {
  video: StatedVideo | null;
  audio: StatedAudio | null;
}

export interface ChosenTimes {
  video: TrackTimes | null;
  audio: TrackTimes | null;
  /** Whether packets of sound state the time at which they end. */
  endsStated: boolean;
  /** Whether the video begins with packets of which nothing can be decoded. */
  withinGroup: boolean;
  /** Delay of decoded frames, in packets; null if not measured. */
  late: number | null;
  /** Whether video frames are missing, in which case the frame count does not give the end of the last frame. */
  gaps: boolean;
  /** Whether a muxer wrote decoding times in place of presentation times. */
  timedByDecoding: boolean;
}

/**
 * Start and end of the chosen streams, as players show them. Without libav, a stream that only decoding can time is decoded.
 * Throws `source_truncated` if no packet follows the header.
 */
export async function trackTimes(
  reading: Reading,
  chosen: Chosen,
  streams: readonly StatedStream[],
): Promise<ChosenTimes> {
  const times = await statedOrRead(reading, chosen, streams);
  const { ctx, source, signal } = reading;
  const { video } = chosen;
  if (!video || !times.video || !(await isTimedByDecoding(ctx, source, video, times.video.start, signal)))
    return { ...times, timedByDecoding: false };
  const shown = ctx.libav ? times.video : timesOfFrames(await listFrames(ctx, source, video, signal), video);
  return { ...times, video: shown, timedByDecoding: true };
}

function timesOfFrames(
  frames: readonly { pts: number }[],
  { frameDuration }: StatedVideo,
): TrackTimes | null {
  const [first, last] = [frames[0], frames.at(-1)];
  return first && last ? { start: first.pts, end: last.pts + frameDuration } : null;
}

/**
 * From the sample tables of an mp4, otherwise from packets, because a container may
 * state no duration, another track's duration, or an estimate. Throws `source_truncated` if no packet follows the header.
 */
async function statedOrRead(
  reading: Reading,
  chosen: Chosen,
  streams: readonly StatedStream[],
): Promise<Omit<ChosenTimes, 'timedByDecoding'>> {
  const { video, audio } = chosen;
  const { ctx, source, signal } = reading;
  const stated = { video: statedTimes(video, streams), audio: statedTimes(audio, streams) };
  const complete = (!video || stated.video !== null) && (!audio || stated.audio !== null);
  const indexed = complete && source.indexed;
  const extents = indexed ? null : await extentsOf(reading, chosen, complete);
  if (extents) return { ...byExtents(chosen, extents), gaps: false };
  const late =
    video && stated.video && (await lastFrameBehindGaps(ctx, source, video, stated.video.start, signal));
  if (!video || !stated.video || late === null)
    return { ...stated, endsStated: false, withinGroup: false, late: null, gaps: false };
  const shown = { ...stated.video, end: late + video.frameDuration };
  return { ...stated, video: shown, endsStated: false, withinGroup: false, late: null, gaps: true };
}

function statedTimes(stream: { index: number } | null, streams: readonly StatedStream[]): TrackTimes | null {
  const stated = streams.find(({ index }) => index === stream?.index);
  if (!stated || stated.startTime === null || stated.duration === null) return null;
  return { start: stated.startTime, end: stated.startTime + stated.duration };
}

/** By stream index; null if the sample tables state the times. */
async function extentsOf(
  { ctx, source, signal }: Reading,
  { video, audio }: Chosen,
  complete: boolean,
): Promise<Map<number, Extent> | null> {
  const streams = [video, audio].flatMap((stream) => stream?.index ?? []);
  const request = { kind: 'extents', source: source.parts(), streams } as const;
  const how = { sources: [source], signal };
  const found = await answerOrNull(ctx, request, how, 'find the end of a source');
  if (found) return new Map(streams.flatMap((index, at) => (found[at] ? [[index, found[at]]] : [])));
  return complete && source.format === 'mov' ? null : extentsByProgram(ctx, source, audio, signal);
}

function byExtents(
  { video, audio }: Chosen,
  extents: ReadonlyMap<number, Extent>,
): Omit<ChosenTimes, 'gaps' | 'timedByDecoding'> {
  const pictures = video && extents.get(video.index);
  const sound = audio && extents.get(audio.index);
  const last = pictures && video?.falseRate ? { ...pictures, duration: 0 } : pictures;
  const shown = video && last && timesOf(last, timeUnit(video), video.frameDuration, 0);
  const heard = audio && sound && timesOf(sound, timeUnit(audio), 0, sound.dropped / audio.sampleRate);
  const other = shown ?? heard;
  if (!other) throw new TaskFailure('source_truncated', 'The source ends right after its header.');
  const nothing: TrackTimes = { start: other.start, end: other.start };
  return {
    video: video && (shown ?? nothing),
    audio: audio && (heard ?? nothing),
    endsStated: sound?.endsStated ?? false,
    withinGroup: pictures?.withinGroup ?? false,
    late: pictures?.late ?? null,
  };
}

function timesOf(
  { start, last, duration }: Extent,
  unit: number,
  usual: number,
  dropped: number,
): TrackTimes {
  const end = last * unit + (duration > 0 ? duration * unit : usual) - dropped;
  return { start: start * unit, end: Math.max(start * unit, end) };
}
