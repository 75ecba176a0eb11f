import { fourier } from '../../model/numbers/fourier.ts';

/** Range of voice pitch, in hertz. */
const LOWEST = 60;
const HIGHEST = 420;
/** Autocorrelation from which a frame counts as voiced. */
const PERIODIC = 0.5;
/** The first peak within this share of the best is the true period; later ones are its multiples. */
const NEARLY = 0.9;
/** Analysis sample rate. */
const RATE = 16_000;
const FRAME = 1024;
/** Number of frames that is enough to characterise a voice. */
const FRAMES = 1500;
const BANDS = [125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000];

interface Likeness {
  /** Median fundamental frequency in hertz; null if none was found. */
  pitch: number | null;
  /** Slope of the mean spectrum, in dB per octave. */
  tilt: number;
}

/** Downsamples to about 16 kHz by averaging neighbours. */
export function downsample(samples: Float32Array, sampleRate: number) {
  const every = Math.max(1, Math.round(sampleRate / RATE));
  const result = new Float32Array(Math.floor(samples.length / every));
  for (let index = 0; index < result.length; index++) {
    let sum = 0;
    for (let part = 0; part < every; part++) sum += samples[index * every + part] ?? 0;
    result[index] = sum / every;
  }
  return { samples: result, sampleRate: sampleRate / every };
}

/** Measures a voice from passages at about 16 kHz. */
export function likenessOf(passages: readonly Float32Array[], sampleRate: number): Likeness {
  const total = passages.reduce((sum, { length }) => sum + length, 0);
  const hop = Math.max(FRAME / 4, Math.floor(total / FRAMES));
  const pitches: number[] = [];
  const power = new Float64Array(FRAME / 2);
  const { forward } = fourier(FRAME);
  const signal = { re: new Float64Array(FRAME), im: new Float64Array(FRAME) };
  for (const samples of passages) {
    for (let at = 0; at + FRAME <= samples.length; at += hop) {
      const frame = samples.subarray(at, at + FRAME);
      const pitch = pitchOf(frame, sampleRate);
      if (pitch === null) continue;
      pitches.push(pitch);
      for (let index = 0; index < FRAME; index++) {
        const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / FRAME);
        signal.re[index] = (frame[index] ?? 0) * weight;
        signal.im[index] = 0;
      }
      forward(signal);
      for (let bin = 0; bin < power.length; bin++) {
        power[bin] = (power[bin] ?? 0) + (signal.re[bin] ?? 0) ** 2 + (signal.im[bin] ?? 0) ** 2;
      }
    }
  }
  pitches.sort((a, b) => a - b);
  return { pitch: pitches[Math.floor(pitches.length / 2)] ?? null, tilt: tiltOf(power, sampleRate) };
}

/** Pitch by normalized autocorrelation. */
function pitchOf(frame: Float32Array, sampleRate: number): number | null {
  const [shortest, longest] = [Math.floor(sampleRate / HIGHEST), Math.ceil(sampleRate / LOWEST)];
  const length = frame.length - longest;
  const energy = new Float64Array(frame.length + 1);
  for (const [index, value] of frame.entries()) energy[index + 1] = (energy[index] ?? 0) + value * value;
  const energyFrom = (at: number) => (energy[at + length] ?? 0) - (energy[at] ?? 0);
  const own = energyFrom(0);
  if (own < 1e-6 * length) return null;
  const alike = new Float64Array(longest + 2);
  let best = 0;
  for (let lag = shortest; lag <= longest; lag++) {
    let sum = 0;
    for (let index = 0; index < length; index++) sum += (frame[index] ?? 0) * (frame[index + lag] ?? 0);
    alike[lag] = sum / Math.sqrt(own * energyFrom(lag) + Number.MIN_VALUE);
    best = Math.max(best, alike[lag] ?? 0);
  }
  if (best < PERIODIC) return null;
  for (let lag = shortest + 1; lag < longest; lag++) {
    const [before, here, after] = [alike[lag - 1] ?? 0, alike[lag] ?? 0, alike[lag + 1] ?? 0];
    if (here < NEARLY * best || here < before || here < after) continue;
    const bend = before - 2 * here + after;
    return sampleRate / (lag + (bend < 0 ? (before - after) / (2 * bend) : 0));
  }
  return null;
}

/** Slope of the least-squares line through third-octave levels. */
function tiltOf(power: Float64Array, sampleRate: number): number {
  const points = BANDS.flatMap((hertz) => {
    const bin = (edge: number) => Math.round((edge * FRAME) / sampleRate);
    const [from, to] = [bin(hertz / 2 ** (1 / 6)), Math.max(bin(hertz * 2 ** (1 / 6)), 0)];
    const own = power.subarray(from, Math.max(to, from + 1));
    const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
    return mean > 0 ? [{ x: Math.log2(hertz), y: 10 * Math.log10(mean) }] : [];
  });
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const across = mean((point) => (point.x - x) ** 2);
  return across > 0 ? mean((point) => (point.x - x) * (point.y - y)) / across : 0;
}
