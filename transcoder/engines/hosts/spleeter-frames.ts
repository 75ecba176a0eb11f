import { type Complex, fourier } from '../../model/numbers/fourier.ts';

const SIZE = 4096;
const HOP = 1024;
/** The networks take this number of frames and of bins (up to 11 kHz) at a time. */
const FRAMES = 512;
const BINS = 1024;
const TINY = 1e-10;
const STEREO = 2;

/** Samples in a block, and the part of it in which all overlapping frames have been added up. */
export const blockSamples = (FRAMES - 1) * HOP + SIZE;
export const settledFrom = SIZE - HOP;
export const settledSamples = FRAMES * HOP - settledFrom;

/**
 * The short-time Fourier transform that the Spleeter networks were trained with (Hennequin et al., 2020): magnitudes of
 * both channels in, magnitudes of each stem out. The mask is the share of one stem in the power of both. Samples are
 * interleaved.
 */
export function spleeterFrames() {
  const { forward, inverse } = fourier(SIZE);
  const window = Float64Array.from(
    { length: SIZE },
    (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / SIZE),
  );
  /** Overlapped squared windows add up to 3/2; the inverse transform is unscaled. */
  const scale = 2 / 3 / SIZE;
  const both: Complex = { re: new Float64Array(SIZE), im: new Float64Array(SIZE) };

  /** Both channels in one transform: left is the real part, right the imaginary part. */
  function spectrumOf(samples: Float32Array, frame: number): void {
    for (let index = 0; index < SIZE; index++) {
      const at = STEREO * (frame * HOP + index);
      both.re[index] = (samples[at] ?? 0) * (window[index] ?? 0);
      both.im[index] = (samples[at + 1] ?? 0) * (window[index] ?? 0);
    }
    forward(both);
  }

  /** Left and right of a bin, as real and imaginary parts. */
  function channelsOf(bin: number): [number, number, number, number] {
    const mirror = (SIZE - bin) % SIZE;
    const [a, b] = [both.re[bin] ?? 0, both.im[bin] ?? 0];
    const [c, d] = [both.re[mirror] ?? 0, both.im[mirror] ?? 0];
    return [(a + c) / 2, (b - d) / 2, (b + d) / 2, (c - a) / 2];
  }

  return {
    /** In the layout of the networks: channel, frame, bin. */
    magnitudes(samples: Float32Array): Float32Array {
      const result = new Float32Array(STEREO * FRAMES * BINS);
      for (let frame = 0; frame < FRAMES; frame++) {
        spectrumOf(samples, frame);
        for (let bin = 0; bin < BINS; bin++) {
          const [lr, li, rr, ri] = channelsOf(bin);
          result[frame * BINS + bin] = Math.hypot(lr, li);
          result[(FRAMES + frame) * BINS + bin] = Math.hypot(rr, ri);
        }
      }
      return result;
    },

    /** The vocals of the block, with nothing above the bins that the networks process. */
    masked(samples: Float32Array, vocals: Float32Array, accompaniment: Float32Array): Float32Array {
      const share = (at: number) => {
        const [voice, rest] = [vocals[at] ?? 0, accompaniment[at] ?? 0];
        return (voice * voice + TINY / 2) / (voice * voice + rest * rest + TINY);
      };
      const result = new Float32Array(STEREO * blockSamples);
      for (let frame = 0; frame < FRAMES; frame++) {
        spectrumOf(samples, frame);
        for (let bin = 0; bin <= SIZE / 2; bin++) {
          const known = bin < BINS;
          const left = known ? share(frame * BINS + bin) : 0;
          const right = known ? share((FRAMES + frame) * BINS + bin) : 0;
          const [lr, li, rr, ri] = channelsOf(bin);
          const mirror = (SIZE - bin) % SIZE;
          both.re[mirror] = left * lr + right * ri;
          both.im[mirror] = right * rr - left * li;
          both.re[bin] = left * lr - right * ri;
          both.im[bin] = right * rr + left * li;
        }
        inverse(both);
        for (let index = 0; index < SIZE; index++) {
          const weight = (window[index] ?? 0) * scale;
          const at = STEREO * (frame * HOP + index);
          result[at] = (result[at] ?? 0) + (both.re[index] ?? 0) * weight;
          result[at + 1] = (result[at + 1] ?? 0) + (both.im[index] ?? 0) * weight;
        }
      }
      return result;
    },
  };
}
