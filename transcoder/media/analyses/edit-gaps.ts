import type { MediaSource } from '../../model/source/media-source.ts';
import type { StatedVideo } from '../../model/source/video-stream.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { listPackets } from './packets.ts';

/** Codecs in mp4 whose presentation order may differ from their decoding order. */
const reordered = ['h264', 'hevc', 'mpeg4', 'mpeg2video'];

/**
 * Finds the start of the last frame of a track whose samples all have the same duration but which lacks frames in between:
 * cutting by packets drops some of the reordered frames near the cut points.
 * @returns the timestamp in seconds, or null if no frame is missing.
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
