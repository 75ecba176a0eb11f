import { firstTimesArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import { holdsPresentationTimes, type StatedVideo } from '../../model/source/video-stream.ts';
import { listPackets } from '../analyses/packets.ts';
import type { MediaContext } from '../execute/media-context.ts';

/** Number of first frames within which a stream with B-frames has one that is not shown when it is decoded. */
const FIRST_FRAMES = 32;

/**
 * Whether a muxer wrote decoding times in place of presentation times, or states these for some frames alone: a raw stream that is copied
 * into a container has none, and neither has MXF without its index. With B-frames, only decoding then tells when frames are shown.
 */
export async function isTimedByDecoding(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo,
  start: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!video.reordered || !holdsPresentationTimes(source.format)) return false;
  const end = start + FIRST_FRAMES * video.frameDuration;
  const packets = await listPackets(ctx, source, video, [[start, end]], signal);
  return areAscending(packets.map(({ pts }) => pts)) && (await isReordered(ctx, source, video, signal));
}

/** Whether a decoder outputs frames in another order than their times, or without one. A stream may allow B-frames and have none. */
async function isReordered(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const file = await source.whole();
  const args = firstTimesArguments(file, video, FIRST_FRAMES);
  const { stdout } = await run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path] });
  const stated = [...stdout.matchAll(/^-?\d+/gm)].map(Number);
  return !areAscending(stated) || (stated.length > 0 && /^N\/A/m.test(stdout));
}

const areAscending = (times: readonly number[]): boolean =>
  times.every((time, at) => time > (times[at - 1] ?? Number.NEGATIVE_INFINITY));
