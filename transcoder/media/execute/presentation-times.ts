import type { Demuxer } from '../../model/demuxers.ts';
import type { MediaSource } from '../../model/media-source.ts';
import type { StatedVideo } from '../../model/video-stream.ts';
import { listPackets } from '../analyses/packets.ts';
import type { MediaContext } from './media-context.ts';

/** Number of first frames within which a stream with B-frames has one that is not shown when it is decoded. */
const FIRST_FRAMES = 32;
/** Containers in which both times are written; a muxer may write one for both. */
const withBothTimes: readonly Demuxer[] = ['mov'];

const known = new WeakMap<MediaSource, Promise<boolean>>();

/**
 * Whether the presentation times of a source's video are its own. A raw stream that is copied into an mp4 has none, and muxers write its decoding
 * times instead; with B-frames, only decoding times then tell when frames are shown.
 */
export function hasPresentationTimes(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo & { startTime: number },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const found = known.get(source) ?? lookedUp(ctx, source, video, signal);
  known.set(source, found);
  return found;
}

async function lookedUp(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo & { startTime: number },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!withBothTimes.includes(source.format)) return true;
  const end = video.startTime + FIRST_FRAMES * video.frameDuration;
  const packets = await listPackets(ctx, source, video, [[video.startTime, end]], signal);
  return packets.some(({ pts, dts }) => dts !== null && dts !== pts);
}
