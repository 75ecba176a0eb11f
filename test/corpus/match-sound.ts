import { SOUND_RATE, type Sound } from './decode.ts';

/** Seconds of sound that are compared at a time, and how far off they are looked for. */
export const WINDOW_SECONDS = 0.25;
const REACH_SECONDS = 0.3;
/** Distance of picture and sound that counts as none. */
const TOLERANCE_SECONDS = 0.001;
/** Below this level there is nothing to compare: −54 dB of full scale. */
const AUDIBLE = 64;
/** Sound that coding has changed still correlates with itself better than this. */
const SAME_SOUND = 0.5;
/** A place matches better than another only if its correlation is higher by this; a steady tone matches everywhere. */
const BETTER = 0.05;

/** Lags between two samples that are tried, and how many samples on either side tell what is between them. */
const FINER = 8;
const TAPS = 16;
const LAG_RATE = SOUND_RATE * FINER;
/** For each lag between two samples, the weights of the samples around it: a sinc under a Hann window. */
const KERNELS = Array.from({ length: FINER }, (_, phase) =>
  Array.from({ length: 2 * TAPS }, (_, tap) => {
    const apart = phase / FINER - (tap - TAPS + 1);
    if (apart === 0) return 1;
    const sinc = Math.sin(Math.PI * apart) / (Math.PI * apart);
    return sinc * Math.cos((Math.PI * apart) / (2 * TAPS)) ** 2;
  }),
);

/** What one window of sound shows. */
export type Heard =
  /** Seconds by which the output is late; null where the sound is too steady to say to the millisecond. */
  { fits: true; late: number | null } | { fits: false; detail: string };

/** Compares what `output` plays at `at` with what `source` plays at `from`; null where either is silent or has ended. */
export function heardAt(output: Sound, at: number, source: Sound, from: number): Heard | null {
  const length = Math.round(WINDOW_SECONDS * SOUND_RATE);
  const wanted = excerpt(source, from, length);
  if (wanted === null || level(wanted) < AUDIBLE) return null;
  const reach = Math.round(REACH_SECONDS * SOUND_RATE) * FINER;
  const correlations = interpolated(correlationsOf(output, at, wanted, reach / FINER));
  // At either end the interpolation lacks neighbours, and a steady tone seems to fit there better than exactly.
  const best = maximum(correlations, TAPS * FINER, correlations.length - TAPS * FINER);
  const tolerance = Math.round(TOLERANCE_SECONDS * LAG_RATE);
  const near = maximum(correlations, reach - tolerance, reach + tolerance + 1);
  const value = correlations[best] ?? 0;
  if (value < SAME_SOUND)
    return { fits: false, detail: `it is not the sound of the source (${value.toFixed(2)})` };
  if (value - (correlations[near] ?? 0) > BETTER) {
    const late = ((best - reach) / LAG_RATE) * 1000;
    return {
      fits: false,
      detail: `the sound is ${Math.abs(late).toFixed(1)} ms ${late > 0 ? 'late' : 'early'} (${value.toFixed(2)} there, ${(correlations[near] ?? 0).toFixed(2)} here)`,
    };
  }
  return { fits: true, late: isSteady(correlations, near) ? null : peakOf(correlations, near, reach) };
}

/** A window that lies within the sound; null where it does not. */
function excerpt({ start, samples }: Sound, from: number, length: number): Int16Array | null {
  const first = Math.round((from - start) * SOUND_RATE);
  return first < 0 || first + length > samples.length ? null : samples.subarray(first, first + length);
}

function level(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

/** Normalized correlation at every offset within `reach`. */
function correlationsOf(output: Sound, at: number, window: Int16Array, reach: number) {
  const wanted = Float64Array.from(window);
  const played = around(output, at, wanted.length, reach);
  const power = Math.sqrt(energyOf(wanted, wanted.length));
  let own = energyOf(played, wanted.length);
  const values = new Float64Array(2 * reach + 1);
  for (let offset = 0; offset < values.length; offset++) {
    values[offset] = own === 0 ? 0 : productOf(played, offset, wanted) / (Math.sqrt(own) * power);
    own += (played[offset + wanted.length] ?? 0) ** 2 - (played[offset] ?? 0) ** 2;
  }
  return values;
}

/** A window with `reach` samples on either side, zero where there is no sound. Floating point is several times faster here. */
function around({ start, samples }: Sound, at: number, length: number, reach: number): Float64Array {
  const first = Math.round((at - start) * SOUND_RATE) - reach;
  const found = new Float64Array(length + 2 * reach);
  const from = Math.max(0, first);
  if (from < samples.length && first + found.length > 0)
    found.set(samples.subarray(from, first + found.length), from - first);
  return found;
}

function energyOf(samples: Float64Array, length: number): number {
  let sum = 0;
  for (let index = 0; index < length; index++) sum += (samples[index] ?? 0) ** 2;
  return sum;
}

function productOf(samples: Float64Array, offset: number, wanted: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < wanted.length; index++) {
    sum += (samples[offset + index] ?? 0) * (wanted[index] ?? 0);
  }
  return sum;
}

function maximum(values: Float64Array, from: number, to: number): number {
  let best = Math.max(0, from);
  for (let at = best; at < Math.min(to, values.length); at++) {
    if ((values[at] ?? 0) > (values[best] ?? 0)) best = at;
  }
  return best;
}

/**
 * The values between them: sound of less than half its sample rate correlates so, too. A pure tone near that limit may
 * be at its best halfway between two samples, and at nothing on either.
 */
function interpolated(values: Float64Array): Float64Array {
  const finer = new Float64Array((values.length - 1) * FINER + 1);
  for (let at = 0; at < finer.length; at++) {
    const [whole, phase] = [Math.floor(at / FINER), at % FINER];
    const weights = KERNELS[phase] ?? [];
    let sum = 0;
    for (let tap = 0; tap < 2 * TAPS; tap++)
      sum += (weights[tap] ?? 0) * (values[whole + tap - TAPS + 1] ?? 0);
    finer[at] = sum;
  }
  return finer;
}

/** Whether half a millisecond more or less makes hardly a difference. */
function isSteady(values: Float64Array, at: number): boolean {
  const apart = Math.round(0.0005 * LAG_RATE);
  const beside = Math.max(values[at - apart] ?? 0, values[at + apart] ?? 0);
  return (values[at] ?? 0) - beside < 0.01;
}

/** Seconds of the maximum, between samples by a parabola. */
function peakOf(values: Float64Array, at: number, reach: number): number {
  const [before = 0, top = 0, after = 0] = [values[at - 1], values[at], values[at + 1]];
  const bend = before - 2 * top + after;
  const offset = bend === 0 ? 0 : (0.5 * (before - after)) / bend;
  return (at - reach + offset) / LAG_RATE;
}
