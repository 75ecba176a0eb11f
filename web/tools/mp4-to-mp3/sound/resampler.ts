import type { Planes } from './timeline.ts';

const ZERO_CROSSINGS = 32;
const KAISER_BETA = 10;
/** The pass band ends here, and the transition before half the lower rate. */
const ROLL_OFF = 0.945;

/** Changes the sample rate with a windowed sinc for each phase, without a delay. */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #half: number;
  readonly #phases: Float32Array[];
  readonly #channels: number;
  /** Samples of the source from `#first` on that are still needed. */
  #kept: Planes;
  #first: number;
  #received = 0;
  #made = 0;

  constructor(from: number, to: number, channels: number) {
    const divisor = greatestDivisor(from, to);
    this.#up = to / divisor;
    this.#down = from / divisor;
    const cutoff = ROLL_OFF * Math.min(1, to / from);
    this.#half = Math.ceil(ZERO_CROSSINGS / cutoff);
    this.#phases = Array.from({ length: this.#up }, (_, phase) => this.#taps(phase / this.#up, cutoff));
    this.#channels = channels;
    this.#first = -this.#half;
    this.#kept = this.#silence(this.#half);
  }

  push(planes: Planes): Planes {
    this.#received += planes[0]?.length ?? 0;
    this.#keep(planes);
    return this.#make(Math.floor(((this.#received - this.#half) * this.#up) / this.#down));
  }

  /** @returns what is left: all that was pushed lasts as long as all that was returned. */
  end(): Planes {
    this.#keep(this.#silence(2 * this.#half + 1));
    return this.#make(Math.round((this.#received * this.#up) / this.#down));
  }

  #make(until: number): Planes {
    const count = Math.max(until - this.#made, 0);
    const result = this.#silence(count);
    for (let index = 0; index < count; index++) {
      const position = (this.#made + index) * this.#down;
      const base = Math.floor(position / this.#up);
      const taps = this.#phases[position % this.#up] as Float32Array;
      const offset = base - this.#half + 1 - this.#first;
      for (let channel = 0; channel < this.#channels; channel++) {
        const source = this.#kept[channel] as Float32Array;
        let sum = 0;
        for (let tap = 0; tap < taps.length; tap++)
          sum += (taps[tap] as number) * (source[offset + tap] as number);
        (result[channel] as Float32Array)[index] = sum;
      }
    }
    this.#made += count;
    this.#forget(Math.floor((this.#made * this.#down) / this.#up) - this.#half + 1);
    return result;
  }

  #keep(planes: Planes): void {
    this.#kept = this.#kept.map((kept, channel) => {
      const plane = planes[channel] ?? new Float32Array(planes[0]?.length ?? 0);
      const joined = new Float32Array(kept.length + plane.length);
      joined.set(kept);
      joined.set(plane, kept.length);
      return joined;
    });
  }

  #forget(before: number): void {
    const count = Math.min(Math.max(before - this.#first, 0), this.#kept[0]?.length ?? 0);
    this.#first += count;
    this.#kept = this.#kept.map((kept) => kept.subarray(count));
  }

  #silence(length: number): Planes {
    return Array.from({ length: this.#channels }, () => new Float32Array(length));
  }

  /** The weights of the samples around a position between two of them, in the order of the samples. */
  #taps(fraction: number, cutoff: number): Float32Array {
    const taps = Float32Array.from({ length: 2 * this.#half }, (_, index) => {
      const distance = index - this.#half + 1 - fraction;
      return cutoff * sinc(cutoff * distance) * kaiser(distance / this.#half);
    });
    const sum = taps.reduce((total, tap) => total + tap, 0);
    return taps.map((tap) => tap / sum);
  }
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

const kaiser = (x: number) =>
  Math.abs(x) >= 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);

/** The modified Bessel function of the first kind and order 0. */
function bessel(x: number): number {
  let sum = 1;
  for (let term = 1, n = 1; term > sum * 1e-12; n++) {
    term *= (x / (2 * n)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
