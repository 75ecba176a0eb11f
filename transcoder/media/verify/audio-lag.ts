import { fourier } from '../../model/numbers/fourier.ts';
import { greatest } from '../../model/numbers/min-max.ts';

/** Samples of a passage of the result, and the matching samples of the source with a margin on both sides. */
interface Heard {
  made: Float32Array;
  /** Begins `beside` samples before the matching passage and ends `beside` samples after it. */
  from: Float32Array;
  beside: number;
}

export interface Lag {
  /** Samples by which the result is later than its source. */
  samples: number;
  /** Normalized correlation at that lag; 1 is identical except for loudness. */
  likeness: number;
  /** The highest correlation within the allowed lag. */
  due: number;
}

/** RMS below which a passage counts as silent; 1 is full scale. */
const SILENT = 1e-3;

/**
 * Locates a passage in the source by normalized cross-correlation (J. P. Lewis, Fast Normalized Cross-Correlation, 1995).
 * @param near Allowed lag in samples. @returns null if either is silent.
 */
export function soundLag({ made, from, beside }: Heard, near: number): Lag | null {
  const energy = energyOf(made, 0, made.length);
  if (energy < SILENT * SILENT * made.length) return null;
  const likenesses: number[] = [];
  const products = correlation(made, from);
  let passing = energyOf(from, 0, made.length);
  for (let begin = 0; begin + made.length <= from.length; begin++) {
    likenesses.push(passing > 0 ? (products[begin] ?? 0) / Math.sqrt(energy * passing) : 0);
    passing += (from[begin + made.length] ?? 0) ** 2 - (from[begin] ?? 0) ** 2;
  }
  const likeness = greatest(likenesses);
  if (likeness === Number.NEGATIVE_INFINITY) return null;
  const samples = beside - likenesses.indexOf(likeness);
  return { samples, likeness, due: peakNear(likenesses, beside, near) };
}

/** Steps between two lags, and lags on either side that an interpolated one is made of. */
const STEPS = 8;
const TAPS = 24;

/**
 * The highest value around a place, the values between the samples included (windowed sinc): of a tone near half the sample rate,
 * no sample need come near the peak.
 */
function peakNear(values: readonly number[], place: number, near: number): number {
  let peak = 0;
  for (let step = -near * STEPS; step <= near * STEPS; step++) {
    const at = place + step / STEPS;
    let value = 0;
    for (let tap = Math.ceil(at - TAPS); tap <= at + TAPS; tap++) {
      const x = Math.PI * (tap - at);
      const weight = x === 0 ? 1 : (Math.sin(x) / x) * (0.5 + 0.5 * Math.cos(x / TAPS));
      value += (values[tap] ?? 0) * weight;
    }
    peak = Math.max(peak, value);
  }
  return Math.min(1, peak);
}

function energyOf(sound: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += (sound[at] ?? 0) ** 2;
  return sum;
}

/**
 * The sums of products of the samples of `made` and as many of `from`, by the place in `from` at which these begin. A passage has some
 * 10 million products, which two transforms give in a tenth of the time that they take one by one: Press et al., Numerical Recipes,
 * 13.2. Only places at which all of `made` lies within `from` are right.
 */
function correlation(made: Float32Array, from: Float32Array): Float64Array {
  const size = 2 ** Math.ceil(Math.log2(Math.max(made.length, from.length, 2)));
  const { forward, inverse } = fourier(size);
  const both = { re: new Float64Array(size), im: new Float64Array(size) };
  both.re.set(made);
  both.im.set(from);
  forward(both);
  const product = { re: new Float64Array(size), im: new Float64Array(size) };
  for (let bin = 0; bin < size; bin++) {
    const mirrored = (size - bin) % size;
    const [a, b, c, d] = [
      both.re[bin] ?? 0,
      both.im[bin] ?? 0,
      both.re[mirrored] ?? 0,
      both.im[mirrored] ?? 0,
    ];
    // The spectrum of two real signals, one of which was the imaginary part, taken apart.
    const [madeRe, madeIm, fromRe, fromIm] = [(a + c) / 2, (b - d) / 2, (b + d) / 2, (c - a) / 2];
    product.re[bin] = (madeRe * fromRe + madeIm * fromIm) / size;
    product.im[bin] = (madeRe * fromIm - madeIm * fromRe) / size;
  }
  inverse(product);
  return product.re;
}
