import { fourier } from '../../model/numbers/fourier.ts';

const SIZE = 1024;
export const SPECTRUM_HOP = 256;
export const SPECTRUM_BINS = SIZE / 2 + 1;
const PAD = (SIZE - SPECTRUM_HOP) / 2;
const TINY = 1e-6;

export const spectrumFrames = (samples: number) => Math.ceil(samples / SPECTRUM_HOP);

/** Magnitudes as in the training of OpenVoice: frame by frame, with the sound mirrored at both ends. */
export function linearSpectrum(samples: Float32Array): Float32Array {
  const frames = spectrumFrames(samples.length);
  const length = frames * SPECTRUM_HOP;
  const { forward } = fourier(SIZE);
  const signal = { re: new Float64Array(SIZE), im: new Float64Array(SIZE) };
  const result = new Float32Array(frames * SPECTRUM_BINS);
  const mirrored = (at: number) => {
    const inside = at < 0 ? -at : at >= length ? 2 * (length - 1) - at : at;
    return samples[inside] ?? 0;
  };
  for (let frame = 0; frame < frames; frame++) {
    for (let index = 0; index < SIZE; index++) {
      const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / SIZE);
      signal.re[index] = mirrored(frame * SPECTRUM_HOP + index - PAD) * weight;
      signal.im[index] = 0;
    }
    forward(signal);
    for (let bin = 0; bin < SPECTRUM_BINS; bin++) {
      const power = (signal.re[bin] ?? 0) ** 2 + (signal.im[bin] ?? 0) ** 2;
      result[frame * SPECTRUM_BINS + bin] = Math.sqrt(power + TINY);
    }
  }
  return result;
}

/** Transposes frames × bins to bins × frames. */
export function byBins(spectrum: Float32Array): Float32Array {
  const frames = spectrum.length / SPECTRUM_BINS;
  return Float32Array.from(
    spectrum,
    (_, index) => spectrum[(index % frames) * SPECTRUM_BINS + Math.floor(index / frames)] ?? 0,
  );
}
