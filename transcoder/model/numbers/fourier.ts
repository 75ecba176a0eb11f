/** A complex signal. Both parts have the same length, a power of two. */
export interface Complex {
  re: Float64Array;
  im: Float64Array;
}

/**
 * A radix-2 fast Fourier transform in place (Cooley and Tukey, 1965), without scaling in either direction. Throws RangeError
 * unless `size` is a power of two.
 */
export function fourier(size: number) {
  const bits = Math.log2(size);
  if (!Number.isInteger(bits)) throw new RangeError(`${size} is not a power of two`);
  const cos = Float64Array.from({ length: size / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / size));
  const sin = Float64Array.from({ length: size / 2 }, (_, index) => Math.sin((2 * Math.PI * index) / size));
  const bitReversed = Uint32Array.from({ length: size }, (_, index) => {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit++) reversed |= ((index >> bit) & 1) << (bits - 1 - bit);
    return reversed;
  });

  function transform({ re, im }: Complex, sign: 1 | -1): void {
    for (let index = 0; index < size; index++) {
      const other = bitReversed[index] ?? 0;
      if (other <= index) continue;
      const r = re[index] ?? 0;
      const i = im[index] ?? 0;
      re[index] = re[other] ?? 0;
      im[index] = im[other] ?? 0;
      re[other] = r;
      im[other] = i;
    }
    for (let half = 1; half < size; half *= 2) {
      const step = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let at = 0; at < half; at++) {
          const c = cos[at * step] ?? 0;
          const s = sign * (sin[at * step] ?? 0);
          const low = start + at;
          const high = low + half;
          const hr = re[high] ?? 0;
          const hi = im[high] ?? 0;
          const r = hr * c - hi * s;
          const i = hr * s + hi * c;
          const lr = re[low] ?? 0;
          const li = im[low] ?? 0;
          re[high] = lr - r;
          im[high] = li - i;
          re[low] = lr + r;
          im[low] = li + i;
        }
      }
    }
  }

  return {
    forward: (signal: Complex) => transform(signal, -1),
    inverse: (signal: Complex) => transform(signal, 1),
  };
}

/**
 * Magnitudes of the transform of `size` real samples, by a complex transform of half the size over pairs of samples: Press et
 * al., Numerical Recipes, 12.3.2.
 */
export function realMagnitudes(size: number) {
  const half = size / 2;
  const { forward } = fourier(half);
  const pairs: Complex = { re: new Float64Array(half), im: new Float64Array(half) };
  const cos = Float64Array.from({ length: half }, (_, bin) => Math.cos((2 * Math.PI * bin) / size));
  const sin = Float64Array.from({ length: half }, (_, bin) => -Math.sin((2 * Math.PI * bin) / size));

  /** Writes bins 0 … size / 2 − 1. */
  return (samples: Float32Array, into: Float32Array): void => {
    const { re, im } = pairs;
    for (let index = 0; index < half; index++) {
      re[index] = samples[2 * index] ?? 0;
      im[index] = samples[2 * index + 1] ?? 0;
    }
    forward(pairs);
    for (let bin = 0; bin < half; bin++) {
      const mirrored = (half - bin) % half;
      const a = re[bin] ?? 0;
      const b = im[bin] ?? 0;
      const c = re[mirrored] ?? 0;
      const d = im[mirrored] ?? 0;
      const oddRe = (b + d) / 2;
      const oddIm = (c - a) / 2;
      const x = cos[bin] ?? 0;
      const y = sin[bin] ?? 0;
      const sumRe = (a + c) / 2 + x * oddRe - y * oddIm;
      const sumIm = (b - d) / 2 + x * oddIm + y * oddRe;
      into[bin] = Math.sqrt(sumRe * sumRe + sumIm * sumIm);
    }
  };
}
