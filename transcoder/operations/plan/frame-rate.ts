import { least } from '../../model/numbers/min-max.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import { HELD } from './frames.ts';
import { rateText } from './video-target.ts';

/** A constant frame rate, as a number and as the fraction it abbreviates. */
export interface FrameRate {
  fps: number;
  numerator: number;
  denominator: number;
}

export const usualRates = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 50, 60_000 / 1001, 60];
const [LEAST, MOST] = [1, 120];

export function frameRate(fps: number): FrameRate {
  const [numerator = 1, denominator = 1] = rateText(fps).split('/').map(Number);
  return { fps: numerator / denominator, numerator, denominator };
}

/**
 * Output frame rate of a merge: that of the first clip if its frames are evenly spaced. If they are not, or are all
 * long frames, the fastest of all clips, to avoid dropping frames; the first clip then counts with the median distance
 * of its last frames.
 * @param gaps Seconds between the last frames of the first clip: `even` if all are equal, `rule` their median.
 */
export function rateOfAll(
  [first, ...others]: readonly [VideoStream, ...VideoStream[]],
  gaps: { even: number | null; rule: number | null },
): FrameRate {
  const own = rateLike(first, gaps.even);
  const even = first.pace === 'constant' || gaps.even !== null;
  if (even && first.frameDuration <= HELD) return own;
  const ruled =
    gaps.rule === null ? own : frameRate(usualRates.find((rate) => rate * (gaps.rule ?? 1) > 0.97) ?? 60);
  return [own, ruled, ...others.map((video) => rateLike(video, null))].reduce((fastest, rate) =>
    rate.fps > fastest.fps ? rate : fastest,
  );
}

/** The frame rate of a video with evenly spaced frames, otherwise the standard rate at or above its average. */
function rateLike(video: VideoStream, gap: number | null): FrameRate {
  if (video.pace === 'constant') return frameRate(bounded(1 / video.frameDuration));
  if (gap === null) return frameRate(usualRates.find((rate) => rate * video.frameDuration > 0.9995) ?? 60);
  return frameRate(usualRates.find((rate) => Math.abs(rate * gap - 1) < 0.0006) ?? bounded(1 / gap));
}

const bounded = (fps: number) => Math.min(MOST, Math.max(LEAST, fps));

/**
 * Candidate rates in ascending order. The first one whose grid matches every frame to within `OFF` seconds is chosen.
 */
const evenRates = [...usualRates, 120];
const OFF = 0.0016;
/** Used for frames on no grid. It moves them by at most 8 ms; the last rate moves them by at most 4 ms. */
const ANY = 60;

/** The constant frame rate for something that changes during long frames. @param times Of the frames, ascending, in seconds. */
export function evenRateFor(times: Float64Array): FrameRate {
  const gap = least(times.slice(1).map((time, index) => time - (times[index] ?? time)));
  const [first = 0] = times;
  const fits = (rate: number) =>
    times.every((time) => Math.abs((time - first) * rate - Math.round((time - first) * rate)) / rate < OFF);
  return frameRate(evenRates.find(fits) ?? (gap < 0.9 / ANY ? 120 : ANY));
}
