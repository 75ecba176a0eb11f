import type { VideoStream } from '../media/probe.ts';
import { rateText } from './video.ts';

/** A constant frame rate: as a number, and as the fraction that it stands for. */
export interface FrameRate {
  fps: number;
  numerator: number;
  denominator: number;
}

const usual = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 50, 60_000 / 1001, 60];
const [LEAST, MOST] = [1, 120];

export function frameRate(fps: number): FrameRate {
  const [numerator = 1, denominator = 1] = rateText(fps).split('/').map(Number);
  return { fps: numerator / denominator, numerator, denominator };
}

/** The rate of a video, or where that varies the usual one nearest to its average. */
export function rateLike(video: VideoStream): FrameRate {
  const average = 1 / video.frameDuration;
  if (video.pace === 'constant') return frameRate(bounded(average));
  const near = usual.find((rate) => Math.abs(rate / average - 1) < 0.0006);
  if (near) return frameRate(near);
  return frameRate(
    video.pace === 'variable' ? (usual.find((rate) => rate >= average) ?? 60) : bounded(average),
  );
}

const bounded = (fps: number) => Math.min(MOST, Math.max(LEAST, fps));
