import type { MediaProbe } from '../../model/media-probe.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { VideoStream } from '../../model/video-stream.ts';

export function only(probes: readonly MediaProbe[]): MediaProbe {
  const [probe] = probes;
  if (!probe) throw new Error('an operation on one source was given none');
  return probe;
}

/** A picture, moving or still. Throws `source_no_video`. */
export function pictureOf(probe: MediaProbe, sourceIndex = 0): VideoStream {
  if (probe.video) return probe.video;
  throw new TaskFailure('source_no_video', 'The source has audio but no video.', { sourceIndex });
}

/** A picture that moves, and how long. Throws `source_no_video`. */
export function movingOf(probe: MediaProbe, sourceIndex = 0): { video: VideoStream; duration: number } {
  return { video: pictureOf(probe, sourceIndex), duration: lengthOf(probe, sourceIndex) };
}

/** Seconds a source lasts. Throws `source_no_video` for a still picture, which has no end. */
export function lengthOf(probe: MediaProbe, sourceIndex = 0): number {
  if (!probe.still) return probe.duration;
  throw new TaskFailure('source_no_video', 'The source is a still picture, but a video is required.', {
    sourceIndex,
  });
}

/** Throws `source_no_audio`. */
export function soundOnly(probe: MediaProbe): void {
  if (probe.audio) return;
  throw new TaskFailure('source_no_audio', 'The source has no audio.', { sourceIndex: 0 });
}

/** Throws `output_too_large` where a side is longer than the plan allows. */
export function checkSide(size: { width: number; height: number }, most: number): void {
  if (Math.max(size.width, size.height) <= most) return;
  throw new TaskFailure(
    'output_too_large',
    `The output would be ${size.width} × ${size.height} px; your plan allows up to ${most} px per side.`,
  );
}

/** Seconds to the microsecond, so that results carry no noise of binary fractions. */
export function micros(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

/** Seconds as people read them: at most three digits behind the point. */
export function shown(seconds: number): string {
  return `${Math.round(seconds * 1000) / 1000}`;
}

/** Frames a second, such as 29.97. */
export function frameRate(frameDuration: number): number {
  return Math.round(1000 / frameDuration) / 1000;
}
