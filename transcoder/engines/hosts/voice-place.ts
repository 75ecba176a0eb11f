import { type Complex, fourier } from '../../model/numbers/fourier.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import { CENTER, PLACES, POWER, SIZE } from './center-mask.ts';

/** Bins of speech at 44.1 or 48 kHz: about 150 Hz to 4 kHz. */
const [LOWEST, HIGHEST] = [13, 341];
/** Channels are one sound if this share of their power has no other place (−60 dB). */
const SAME = 1e-6;
/** Degrees from the center in which the loudest sound is taken for the voice: 3 dB. */
const NEAR = 10;
/** Exponent that leaves of a sound a few degrees around its place. */
const NARROW = 600;
/** Another place has to be this much louder than the center. */
const LOUDER = 10;
/** The center is left for a place near it that has this much more of the sound. */
const CLEARLY = 1.1;
/** Places this many degrees apart have sounds of their own. */
const APART = 20;

/** The place of a sound from the power of the channels and their product. */
const degrees = (left: number, right: number, both: number) =>
  ((Math.atan2(2 * both, left - right) * 90) / Math.PI + PLACES) % PLACES;

/** Whether the channels differ by more than the level and polarity of one sound. Silence counts as apart. */
export function areApart(left: number, right: number, both: number): boolean {
  const sum = left + right;
  return sum === 0 || sum - Math.hypot(left - right, 2 * both) >= 2 * SAME * sum;
}

/** How far two places are from each other, as the last one is next to the first. */
function between(one: number, other: number): number {
  const difference = Math.abs(one - other) % PLACES;
  return Math.min(difference, PLACES - difference);
}

/** The place that is louder than its neighbors, upwards from another one. */
function peakFrom(powers: Float64Array, place: number): number {
  const power = (at: number) => powers[at] ?? 0;
  const step = power(place + 1) > power(place) ? 1 : -1;
  let peak = place;
  while (power(peak + step) > power(peak)) peak += step;
  return peak;
}

export interface Place {
  /** Degrees; null if sounds that can be voices have several places. */
  place: number | null;
  /** See `areApart`. */
  apart: boolean;
}

/** Finds where in a stereo sound a voice is: at the center, unless nearly all that can be speech is at another place. */
export function voicePlace() {
  const { forward } = fourier(SIZE);
  const window = Float64Array.from({ length: SIZE }, (_, index) =>
    Math.sin((Math.PI * (index + 0.5)) / SIZE),
  );
  const block: Complex = { re: new Float64Array(SIZE), im: new Float64Array(SIZE) };
  /** Power by place, as far as it is in one place. */
  const powers = new Float64Array(PLACES);
  let [filled, left, right, both] = [0, 0, 0, 0];

  function analyze(): void {
    forward(block);
    const { re, im } = block;
    for (let bin = LOWEST; bin <= HIGHEST; bin++) {
      const [a, b] = [re[bin] ?? 0, im[bin] ?? 0];
      const [c, d] = [re[SIZE - bin] ?? 0, im[SIZE - bin] ?? 0];
      const [lr, li, rr, ri] = [(a + c) / 2, (b - d) / 2, (b + d) / 2, (c - a) / 2];
      const [ll, rightPower, product] = [lr * lr + li * li, rr * rr + ri * ri, lr * rr + li * ri];
      const power = ll + rightPower;
      if (power === 0) continue;
      const place = Math.round(degrees(ll, rightPower, product)) % PLACES;
      const pure = Math.hypot(ll - rightPower, 2 * product) / power;
      powers[place] = (powers[place] ?? 0) + power * pure ** (2 * POWER);
    }
  }

  /** The power at a place and a few degrees around it. */
  const powerAt = (place: number) =>
    powers.reduce((sum, power, other) => {
      const like = Math.cos((Math.PI * (place - other)) / 90);
      return like > 0 ? sum + power * like ** NARROW : sum;
    }, 0);

  return {
    /** @param samples Interleaved. */
    add(samples: Float32Array): void {
      for (let at = 0; at + 1 < samples.length; at += 2) {
        const [l, r] = [samples[at] ?? 0, samples[at + 1] ?? 0];
        left += l * l;
        right += r * r;
        both += l * r;
        block.re[filled] = l * (window[filled] ?? 0);
        block.im[filled] = r * (window[filled] ?? 0);
        if (++filled < SIZE) continue;
        analyze();
        filled = 0;
      }
    },
    found(): Place {
      if (!areApart(left, right, both)) return { place: degrees(left, right, both), apart: false };
      const around = Float64Array.from({ length: PLACES }, (_, place) => powerAt(place));
      const most = greatest(around);
      const near = greatest(around.subarray(CENTER - NEAR, CENTER + NEAR + 1));
      if (most <= LOUDER * near) {
        const isCenter = near <= CLEARLY * (around[CENTER] ?? 0);
        return { place: isCenter ? CENTER : peakFrom(around, around.indexOf(near)), apart: true };
      }
      const place = around.indexOf(most);
      const others = around.filter((_, other) => between(place, other) > APART);
      return { place: greatest(others) * LOUDER > most ? null : place, apart: true };
    },
  };
}
