import type { MediaSource } from '../media-source.ts';
import type { MediaContext } from './context.ts';
import { listPackets } from './packets.ts';
import type { VideoStream } from './video-stream.ts';

/** Codecs that mp4 holds whose frames may be shown in another order than they are decoded in. */
const reordered = ['h264', 'hevc', 'mpeg4', 'mpeg2video'];

/**
 * The end of a track whose samples all last as long and between whose frames some are missing: of the reordered frames
 * around its ends, cutting by packets leaves some out. The last frame is then shown later than their count says.
 * @returns its timestamp in seconds; null where no frame is missing.
 */
export async function endBehindGaps(
  ctx: MediaContext,
  source: MediaSource,
  video: VideoStream,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const { pace, codec, frames, frameDuration, startTime } = video;
  if (pace !== 'constant' || frames === null || !reordered.includes(codec)) return null;
  const counted = (startTime ?? 0) + (frames - 1) * frameDuration;
  const packets = await listPackets(ctx, source, video, [[counted, null]], signal);
  const last = packets.reduce((latest, { pts }) => Math.max(latest, pts), counted);
  return last > counted + frameDuration / 2 ? last + frameDuration : null;
}
