import { z } from 'zod';
import type { Demuxer } from '../demuxers.ts';
import { TaskFailure } from '../failure.ts';
import type { SourceFile } from '../ffmpeg/arguments.ts';
import { firstFrameArguments, streamArguments } from '../ffmpeg/inspect.ts';
import { run } from '../ffmpeg/run.ts';
import type { Color, Mastering } from '../ffmpeg/step.ts';
import type { MediaSource } from '../media-source.ts';
import type { MediaContext } from './context.ts';
import { endBehindGaps } from './gaps.ts';
import { type AudioStream, parseStreams, type StreamFacts } from './streams.ts';
import { timeUnit, type VideoStream } from './video-stream.ts';
import { EngineFailure } from './worker/engine.ts';
import { type Printed, printed } from './worker/protocol.ts';

export type { AudioStream, Color, Mastering, StreamFacts, VideoStream };
export { timeUnit };

/** What is known of a source without reading its packets. */
export interface MediaProbe {
  format: Demuxer;
  /** The container's name for people: `mp4`, `mkv`, … */
  container: string;
  fileSize: number;
  /** Seconds from `origin` to the end; null for a still picture. */
  duration: number | null;
  /** The start time that the container states, in seconds. */
  startTime: number | null;
  /** The timestamp in the file that is shown as time 0. */
  origin: number;
  kbps: number | null;
  streams: StreamFacts[];
  /** The video stream that players show; an attached picture is none. */
  video: VideoStream | null;
  /** The audio stream that players play. */
  audio: AudioStream | null;
}

const PROBE_SECONDS = 60;

const micros = (seconds: number) => Math.round(seconds * 1e6) / 1e6;

/** Reads container and streams, and the first frame where it is HDR. Throws `source_not_media`. */
export async function probeMedia(
  ctx: MediaContext,
  source: MediaSource,
  signal?: AbortSignal,
): Promise<MediaProbe> {
  const said = await byEngine(ctx, source, signal);
  const probe = said ? parseProbe(said, source.format, source.bytes) : await byProgram(ctx, source, signal);
  const { video, origin, duration } = probe;
  const end = video && (await endBehindGaps(ctx, source, video, signal));
  if (!video || end === null) return probe;
  return {
    ...probe,
    duration: Math.max(duration ?? 0, micros(end - origin)),
    video: { ...video, pace: 'unknown', duration: end - (video.startTime ?? 0) },
  };
}

/** Null where there is no engine or it cannot open the source: whether that is media is for ffprobe to decide. */
async function byEngine(
  { engine, log }: MediaContext,
  source: MediaSource,
  signal: AbortSignal | undefined,
): Promise<Printed | null> {
  if (!engine) return null;
  try {
    return await engine.probe({ kind: 'probe', source: source.parts() }, { sources: [source], signal });
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    log.warn('the engine could not probe a source', { error });
    return null;
  }
}

async function byProgram(
  ctx: MediaContext,
  source: MediaSource,
  signal: AbortSignal | undefined,
): Promise<MediaProbe> {
  const file = await source.whole();
  const said = printed.parse(await ask(ctx, file, streamArguments(file), signal));
  const probe = parseProbe(said, source.format, source.bytes);
  const { video } = probe;
  if (!video?.hdr || video.mastering) return probe;
  const frame = firstFrame.parse(await ask(ctx, file, firstFrameArguments(file, video.index), signal));
  const more = frame.frames[0]?.side_data_list ?? [];
  const streams = said.streams.map((stream) =>
    stream.index === video.index
      ? { ...stream, side_data_list: [...stream.side_data_list, ...more] }
      : stream,
  );
  return parseProbe({ ...said, streams }, source.format, source.bytes);
}

const firstFrame = z.object({
  frames: z
    .array(z.object({ side_data_list: z.array(z.record(z.string(), z.unknown())).default([]) }))
    .default([]),
});

async function ask(
  ctx: MediaContext,
  { path }: SourceFile,
  args: string[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    const { stdout } = await run(ctx.programs, 'ffprobe', args, {
      ...{ signal, reads: [path] },
      timeoutSeconds: PROBE_SECONDS,
    });
    return JSON.parse(stdout);
  } catch (error) {
    // A header that asks for more memory than there is lies as well.
    const codes = ['render_failed', 'out_of_memory'];
    if (!(error instanceof TaskFailure && codes.includes(error.code))) throw error;
    const detail = 'The source cannot be opened: it is damaged, or no media of a kind we read.';
    throw new TaskFailure('source_not_media', detail, { cause: error });
  }
}

/** Parses what was printed of a source. Throws `source_not_media` where no stream is readable. */
function parseProbe(said: unknown, format: Demuxer, fileSize: number): MediaProbe {
  const { container, streams, video, audio, startTime, end, kbps } = parseStreams(said, format);
  if (!video && !audio) {
    throw new TaskFailure(
      'source_not_media',
      'The source holds neither a picture nor sound that can be read.',
    );
  }
  const origin = Math.max(0, startTime ?? 0);
  return {
    format,
    container,
    fileSize,
    duration: end === null ? null : micros(Math.max(0, end - origin)),
    startTime,
    origin,
    kbps,
    streams,
    video: video && { ...video, kbps: video.kbps ?? leftOver(kbps, streams) },
    audio,
  };
}

/** Of sound that does not tell: Matroska and WebM know only the whole file. */
const USUAL_SOUND_KBPS = 96;

function leftOver(kbps: number | null, streams: readonly StreamFacts[]): number | null {
  if (kbps === null || streams.filter(({ video }) => video !== null).length > 1) return null;
  const sound = streams.filter(({ audio }) => audio !== null);
  const left = kbps - sound.reduce((sum, stream) => sum + (stream.kbps ?? USUAL_SOUND_KBPS), 0);
  return left > 0 ? left : null;
}

/**
 * Formats whose index leads to a keyframe; the others are read from their beginning. That of flv goes by when a frame is
 * decoded, and leads to keyframes that are shown too late.
 */
const indexed: readonly Demuxer[] = ['mov', 'matroska', 'wav', 'flac', 'avi'];

/** Whether a seek lands on a keyframe at or before its target, or for sound on the very sample. */
export function canSeek(probe: MediaProbe): boolean {
  return indexed.includes(probe.format);
}
