import { type Complex, fourier } from '../../model/numbers/fourier.ts';

const SIZE = 2048;
const HOP = SIZE / 4;
/** Gain is 0 dB at the pivot; the slope applies only between the two limits. In hertz. */
const PIVOT = 1000;
const LOWEST = 100;
const HIGHEST = 8000;

/** Tilts the spectrum by `slope` dB per octave, without changing phases or timing. */
export function tiltSpectrum(samples: Float32Array, sampleRate: number, slope: number): Float32Array {
  const { forward, inverse } = fourier(SIZE);
  const window = Float64Array.from({ length: SIZE }, (_, index) =>
    Math.sqrt(0.5 - 0.5 * Math.cos((2 * Math.PI * index) / SIZE)),
  );
  const gains = Float64Array.from({ length: SIZE / 2 + 1 }, (_, bin) => {
    const hertz = Math.min(HIGHEST, Math.max(LOWEST, (bin * sampleRate) / SIZE));
    return 10 ** ((slope * Math.log2(hertz / PIVOT)) / 20);
  });
  const signal: Complex = { re: new Float64Array(SIZE), im: new Float64Array(SIZE) };
  const result = new Float32Array(samples.length);
  for (let at = HOP - SIZE; at < samples.length; at += HOP) {
    for (let index = 0; index < SIZE; index++) {
      signal.re[index] = (samples[at + index] ?? 0) * (window[index] ?? 0);
      signal.im[index] = 0;
    }
    forward(signal);
    for (let bin = 0; bin < SIZE; bin++) {
      const gain = gains[Math.min(bin, SIZE - bin)] ?? 1;
      signal.re[bin] = (signal.re[bin] ?? 0) * gain;
      signal.im[bin] = (signal.im[bin] ?? 0) * gain;
    }
    inverse(signal);
    for (let index = Math.max(0, -at); index < SIZE && at + index < result.length; index++) {
      const value = ((signal.re[index] ?? 0) * (window[index] ?? 0)) / (2 * SIZE);
      result[at + index] = (result[at + index] ?? 0) + value;
    }
  }
  return result;
}
