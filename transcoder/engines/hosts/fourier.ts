/** A complex signal. Both arrays have the same power-of-two length. */
export interface Complex {
  re: Float64Array;
  im: Float64Array;
}

/** In-place radix-2 FFT (Cooley and Tukey, 1965), unscaled in both directions. */
export function fourier(size: number) {
  const bits = Math.log2(size);
  if (!Number.isInteger(bits)) throw new RangeError(`${size} is not a power of two`);
  const cos = Float64Array.from({ length: size / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / size));
  const sin = Float64Array.from({ length: size / 2 }, (_, index) => Math.sin((2 * Math.PI * index) / size));
  const turned = Uint32Array.from({ length: size }, (_, index) => {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit++) reversed |= ((index >> bit) & 1) << (bits - 1 - bit);
    return reversed;
  });

  function transform({ re, im }: Complex, sign: 1 | -1): void {
    for (let index = 0; index < size; index++) {
      const other = turned[index] ?? 0;
      if (other <= index) continue;
      [re[index], re[other]] = [re[other] ?? 0, re[index] ?? 0];
      [im[index], im[other]] = [im[other] ?? 0, im[index] ?? 0];
    }
    for (let half = 1; half < size; half *= 2) {
      const step = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let at = 0; at < half; at++) {
          const c = cos[at * step] ?? 0;
          const s = sign * (sin[at * step] ?? 0);
          const [low, high] = [start + at, start + at + half];
          const [hr, hi] = [re[high] ?? 0, im[high] ?? 0];
          const [r, i] = [hr * c - hi * s, hr * s + hi * c];
          const [lr, li] = [re[low] ?? 0, im[low] ?? 0];
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
