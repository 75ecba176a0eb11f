/**
 * How the numbers of an RGB picture become light: the parametric curve of ICC.1:2022, 10.18, Y = (aX + b)^g + e from X = d on and
 * cX + f below, and a matrix from its primaries to the ones of sRGB, row by row, in linear light.
 */
export interface RgbProfile {
  curve: Record<'g' | 'a' | 'b' | 'c' | 'd' | 'e' | 'f', number>;
  toSrgb: readonly number[];
}

/** Linear light of a number from 0 to 1. */
export function lightOf({ g, a, b, c, d, e, f }: RgbProfile['curve'], number: number): number {
  return number >= d ? Math.max(0, a * number + b) ** g + e : c * number + f;
}

/** IEC 61966-2-1. */
export const srgbCurve: RgbProfile['curve'] = {
  ...{ g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92 },
  ...{ d: 0.04045, e: 0, f: 0 },
};

export const gammaCurve = (g: number): RgbProfile['curve'] => ({ g, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0 });
