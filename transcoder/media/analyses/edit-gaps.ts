import type { MediaSource } from '../../model/media-source.ts';
import type { StatedVideo } from '../../model/video-stream.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { listPackets } from './packets.ts';

/** Codecs that mp4 holds whose frames may be shown in another order than they are decoded in. */
const reordered = ['h264', 'hevc', 'mpeg4', 'mpeg2video'];

/**
 * When the last frame of a track is shown whose samples all last equally long, but with frames missing between them: cutting
 * by packets leaves out some of the reordered frames around the ends.
 * @returns its timestamp in seconds; null if no frame is missing.
 */
export async function lastFrameBehindGaps(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo,
  start: number,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const { pace, codec, frames, frameDuration } = video;
  if (pace !== 'constant' || frames === null || !reordered.includes(codec)) return null;
  const counted = start + (frames - 1) * frameDuration;
  const packets = await listPackets(ctx, source, video, [[counted, null]], signal);
  const last = packets.reduce((latest, { pts }) => Math.max(latest, pts), counted);
  return last > counted + frameDuration / 2 ? last : null;
}
