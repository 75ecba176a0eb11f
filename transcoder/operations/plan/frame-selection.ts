import type { Interval } from '../../model/numbers/interval.ts';
import { secondsOf, ticksOf, timeBaseOf } from '../../model/numbers/rational-time.ts';
import type { Analysis } from '../../model/plan.ts';
import { canSeek, type MediaProbe } from '../../model/source/media-probe.ts';
import type { Packets } from '../../model/source/packets.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import { edgeBefore, type FramesIn, framesIn, framesOf, type Span } from './frames.ts';

/** The frames of a span, as they are read. */
export interface Kept extends Pick<FramesIn, 'pinned'> {
  /** First tick to keep (stream timebase), between two frames … */
  from: number;
  /** … and the tick to stop at, exclusive, between two frames. Null: to the end. */
  to: number | null;
  /** When the first frame begins, in seconds from the start of the source; null if there is no frame. */
  first: number | null;
  /** Number of frames. */
  frames: number;
  /** Variable frame rate, or a rate so low that every frame is a long frame. */
  uneven: boolean;
}

/** Lists all packets of a source. */
export const allPackets = (source = 0): Analysis => ({ kind: 'packets', source, intervals: [] });

/** The interval of packets that determines the frames of a span. */
export function packetsAround(probe: MediaProbe, video: VideoStream, span: Span): Interval {
  const margin = Math.max(1, 8 * video.frameDuration);
  const from = probe.origin + span.start - margin;
  const to = !probe.still && span.end >= probe.duration ? null : probe.origin + span.end + margin;
  return [from <= 0 || !canSeek(probe) ? null : from, to];
}

/** @param continues Whether the output already shows the frame that is on screen at the start. */
export function keptFrames(
  probe: MediaProbe,
  video: VideoStream,
  span: Span,
  packets?: Packets,
  continues = false,
  sourceUneven = false,
): Kept {
  const frames = framesOf(probe, video, packets, span, sourceUneven);
  const { count, uneven, until } = frames;
  const { low, high, pinned } = framesIn(frames, span, continues);
  const base = timeBaseOf(video.timeBase);
  const tick = (time: number) => ticksOf(probe.origin + time, base, 'up');
  const last = high < count ? edgeBefore(frames, high) : uneven && span.end < until ? span.end : null;
  return {
    from: tick(count === 0 ? span.start : edgeBefore(frames, low)),
    to: last === null ? null : tick(last),
    first: high > low ? frames.at(low) : null,
    frames: high - low,
    ...{ pinned, uneven },
  };
}

/** Whether a span directly follows another in the source. */
export const goesOn = (before: Span | undefined, { start }: Span) => before?.end === start;

/** Where to start reading for the frames and the sound of a span. */
export function seekFor(probe: MediaProbe, video: VideoStream, span: Span, { from }: Pick<Kept, 'from'>) {
  return seekBefore(probe, Math.min(secondsOf(from, timeBaseOf(video.timeBase)), probe.origin + span.start));
}

/** Timestamp up to which a span is read; null for the end of the source. */
export const endOf = (probe: MediaProbe, { end }: Pick<Span, 'end'>): number | null =>
  !probe.still && end >= probe.duration ? null : probe.origin + end;

/**
 * Where to start reading for everything from `time` on: early enough for a keyframe whose decoding time is earlier to
 * be shown earlier too, and for audio decoders to settle.
 */
export function seekBefore(probe: MediaProbe, time: number): number | null {
  if (!canSeek(probe)) return null;
  const lead = Math.max(1, 8 * (probe.video?.frameDuration ?? 0));
  return time - probe.origin > lead ? time - lead : null;
}
