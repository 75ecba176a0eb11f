import { type Complex, fourier } from '../../model/numbers/fourier.ts';

export const SIZE = 4096;
const HOP = 1024;
/** Exponent of the mask: higher values reject off-center sound more sharply. */
export const POWER = 30;
const TINY = 1e-20;

/** Degrees at which there is another place for a sound. 0 is left, 90 right, 135 both channels with opposite polarity. */
export const PLACES = 180;
/** The place of a sound that is the same in both channels. */
export const CENTER = 45;

/**
 * Extracts the center of a stereo signal frame by frame (Avendano, 2003). Each bin is weighted by the similarity of its
 * channels, ψ = 2·Re(L·R*) / (|L|² + |R|²), to the power of 30. Takes hops of interleaved stereo samples and returns
 * the center delayed by `delay` samples.
 * @param place Another place, for which the bins are weighted by their likeness to a sound there.
 */
export function centreMask(place = CENTER) {
  const [differing, alike] = [Math.cos((Math.PI * place) / 90), Math.sin((Math.PI * place) / 90)];
  const { forward, inverse } = fourier(SIZE);
  const window = Float64Array.from({ length: SIZE }, (_, index) =>
    Math.sqrt(0.5 - 0.5 * Math.cos((2 * Math.PI * index) / SIZE)),
  );
  /** Overlapped squared windows add up to SIZE / HOP / 2; the inverse transform is unscaled. */
  const scale = 2 / (SIZE / HOP) / SIZE;
  const history = new Float64Array(2 * SIZE);
  const gathered = new Float64Array(2 * SIZE);
  const both: Complex = { re: new Float64Array(SIZE), im: new Float64Array(SIZE) };

  /** Both channels in one transform: left is the real part, right the imaginary part. */
  function mask(): void {
    const { re, im } = both;
    for (let bin = 0; bin <= SIZE / 2; bin++) {
      const mirror = (SIZE - bin) % SIZE;
      const [a, b] = [re[bin] ?? 0, im[bin] ?? 0];
      const [c, d] = [re[mirror] ?? 0, im[mirror] ?? 0];
      const [lr, li, rr, ri] = [(a + c) / 2, (b - d) / 2, (b + d) / 2, (c - a) / 2];
      const [left, right] = [lr * lr + li * li, rr * rr + ri * ri];
      const like = (differing * (left - right) + alike * 2 * (lr * rr + li * ri)) / (left + right + TINY);
      const share = like > 0 ? like ** POWER : 0;
      re[bin] = a * share;
      im[bin] = b * share;
      if (mirror === bin) continue;
      re[mirror] = c * share;
      im[mirror] = d * share;
    }
  }

  return {
    hop: HOP,
    delay: SIZE - HOP,
    middle(samples: Float32Array): Float32Array {
      history.copyWithin(0, 2 * HOP);
      history.set(samples, 2 * (SIZE - HOP));
      for (let index = 0; index < SIZE; index++) {
        const weight = window[index] ?? 0;
        both.re[index] = (history[2 * index] ?? 0) * weight;
        both.im[index] = (history[2 * index + 1] ?? 0) * weight;
      }
      forward(both);
      mask();
      inverse(both);
      gathered.copyWithin(0, 2 * HOP);
      gathered.fill(0, 2 * (SIZE - HOP));
      for (let index = 0; index < SIZE; index++) {
        const weight = (window[index] ?? 0) * scale;
        gathered[2 * index] = (gathered[2 * index] ?? 0) + (both.re[index] ?? 0) * weight;
        gathered[2 * index + 1] = (gathered[2 * index + 1] ?? 0) + (both.im[index] ?? 0) * weight;
      }
      return Float32Array.from(gathered.subarray(0, 2 * HOP));
    },
  };
}
