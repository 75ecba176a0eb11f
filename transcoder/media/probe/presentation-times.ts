import type { Demuxer } from '../../../schema/media/demuxers.ts';
import { pictureTypesArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import type { StatedVideo } from '../../model/source/video-stream.ts';
import { listPackets } from '../analyses/packets.ts';
import type { MediaContext } from '../execute/media-context.ts';

/** Number of first frames within which a stream with B-frames has one that is not shown when it is decoded. */
const FIRST_FRAMES = 32;
/** Containers in which both times are written; a muxer may write one for both. */
const withBothTimes: readonly Demuxer[] = ['mov'];

/**
 * Whether a muxer wrote decoding times in place of presentation times. A raw stream that is copied into an mp4 has no
 * presentation times; with B-frames, only decoding then tells when frames are shown.
 */
export async function isTimedByDecoding(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo,
  start: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!video.reordered || !withBothTimes.includes(source.format)) return false;
  const end = start + FIRST_FRAMES * video.frameDuration;
  const packets = await listPackets(ctx, source, video, [[start, end]], signal);
  const alike = packets.every(({ pts, dts }) => dts === null || dts === pts);
  return alike && (await hasReordered(ctx, source, video, signal));
}

/** A stream may allow B-frames and have none; both times of a packet are then the same. */
async function hasReordered(
  ctx: MediaContext,
  source: MediaSource,
  { index }: StatedVideo,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const file = await source.whole();
  const args = pictureTypesArguments(file, index, FIRST_FRAMES);
  const { stdout } = await run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path] });
  return /^B/m.test(stdout);
}
