import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { Span } from './frames.ts';

/** Whether sound and picture end together, as far as the container says when the last frame ends. Matroska does not. */
export function endsAlike(
  format: VideoContainer,
  probe: MediaProbe,
  span: Span & { rate?: number },
  held: boolean,
): boolean {
  if (!held) return endsWithVideo(probe, span);
  return (format === 'mp4' || format === 'mov') && endsWithVideo({ ...probe, video: null }, span);
}

/** Tolerance for the end of either, in seconds of the output. */
const APART = 0.05;

/** Whether the source has both sound and picture up to the end of this span, which is played at a rate. */
export function endsWithVideo(probe: MediaProbe, { end: last, rate = 1 }: Span & { rate?: number }): boolean {
  const end = probe.origin + last - APART * Math.min(1, rate);
  const reaches = (stream: { startTime: number; duration: number } | null) =>
    stream === null || stream.startTime + stream.duration >= end;
  return reaches(probe.video) && reaches(probe.audio);
}
