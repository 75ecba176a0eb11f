import type { Planes } from './timeline.ts';

const HALF_POWER = Math.SQRT1_2;

/** How loud each channel of a layout is on the left, on the right, or in both; channels in the order of FFmpeg. */
const layouts: Record<number, readonly [left: number, right: number][]> = {
  1: [[1, 1]],
  2: [
    [1, 0],
    [0, 1],
  ],
  3: [
    [1, 0],
    [0, 1],
    [HALF_POWER, HALF_POWER],
  ],
  4: [
    [1, 0],
    [0, 1],
    [HALF_POWER, 0],
    [0, HALF_POWER],
  ],
  5: [
    [1, 0],
    [0, 1],
    [HALF_POWER, HALF_POWER],
    [HALF_POWER, 0],
    [0, HALF_POWER],
  ],
  6: surround(1),
  7: [...surround(0).slice(0, 4), [HALF_POWER / 2, HALF_POWER / 2], [HALF_POWER, 0], [0, HALF_POWER]],
  8: surround(2),
};

/** 5.1 and larger: front, center, low frequencies (left out, as players do), and pairs behind or at the sides. */
function surround(pairs: number): [number, number][] {
  const behind = Array.from({ length: pairs }, (): [number, number][] => [
    [HALF_POWER, 0],
    [0, HALF_POWER],
  ]);
  return [[1, 0], [0, 1], [HALF_POWER, HALF_POWER], [0, 0], ...behind.flat()];
}

/** The weight of each channel in each channel of the result. Weights add up to 1, and nothing clips. */
export function downmixWeights(source: number, target: 1 | 2): number[][] {
  if (source === target) return Array.from({ length: target }, (_, out) => unit(source, out));
  const sides = layouts[source] ?? Array.from({ length: source }, () => [1, 1] as [number, number]);
  const left = sides.map(([weight]) => weight);
  const right = sides.map(([, weight]) => weight);
  const rows = target === 2 ? [left, right] : [left.map((weight, index) => weight + (right[index] ?? 0))];
  return rows.map((row) => {
    const sum = row.reduce((total, weight) => total + weight, 0);
    return row.map((weight) => weight / sum);
  });
}

const unit = (length: number, at: number) => Array.from({ length }, (_, index) => (index === at ? 1 : 0));

/** A function that mixes to mono or stereo. */
export function downmixer(source: number, target: 1 | 2): (planes: Planes) => Planes {
  if (source === target) return (planes) => planes;
  const weights = downmixWeights(source, target);
  return (planes) =>
    weights.map((row) => {
      const mixed = new Float32Array(planes[0]?.length ?? 0);
      for (const [channel, weight] of row.entries()) {
        const plane = planes[channel];
        if (!plane || weight === 0) continue;
        for (let index = 0; index < mixed.length; index++)
          mixed[index] = (mixed[index] ?? 0) + weight * (plane[index] ?? 0);
      }
      return mixed;
    });
}
