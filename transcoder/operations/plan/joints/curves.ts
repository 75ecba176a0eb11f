import type { JointPicture } from './joint.ts';

/**
 * Progress in the middle of a frame, 0–1, as an expression of ffmpeg; so are the curves below. It is a function of time: filters
 * disagree about whether the first frame is frame 0.
 * @param t The filter's name for the time of the frame.
 */
export const progress = ({ frames, rate }: JointPicture, t: 't' | 'T' = 't'): string =>
  `((${t}*${rate.numerator}/${rate.denominator}+0.5)/${frames})`;

/** From 0 to 1, slow at both ends; of degree 5, so the acceleration is 0 there too. */
export const eased = (p: string): string => `(${p}*${p}*${p}*(10+${p}*(6*${p}-15)))`;

/** The derivative of `eased`; at most 1.875. */
export const speed = (p: string): string => `(30*${p}*${p}*(1-${p})*(1-${p}))`;

/** From 0 before `from` to 1 after `to`. */
export function ramp(p: string, from: number, to: number): string {
  const x = `clip((${p}-${from})/${to - from},0,1)`;
  return `(${x}*${x}*(3-2*${x}))`;
}

/** The nearest multiple of `unit`: planes of 4:2:0 can only be moved by whole chroma samples. */
export const stepped = (value: string, unit: number): string => `(${unit}*round((${value})/${unit}))`;
