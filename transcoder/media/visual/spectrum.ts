import { realMagnitudes } from '../../model/fourier.ts';
import type { Sound } from './sound.ts';

/** How a part of the spectrum is measured: low notes need a long look, quick sounds a short one. */
interface Look {
  /** Up to this frequency in hertz. */
  below: number;
  /** Seconds of sound. */
  seconds: number;
  /** Seconds in which its window falls to 0 at its newest end. */
  fall: number;
}

/** Of bars: a beat is seen in the frame that holds it, and notes of the bass are still told apart. */
export const quickLooks: readonly Look[] = [
  { below: 400, seconds: 0.128, fall: 0.032 },
  { below: 2000, seconds: 0.064, fall: 0.016 },
  { below: Number.POSITIVE_INFINITY, seconds: 0.032, fall: 0.008 },
];

/** Of notes: semitones of the second octave are told apart. */
export const noteLooks: readonly Look[] = [
  { below: 260, seconds: 0.256, fall: 0.064 },
  { below: 1040, seconds: 0.128, fall: 0.032 },
  { below: Number.POSITIVE_INFINITY, seconds: 0.064, fall: 0.016 },
];

/** Ordinary sound loses about so many decibels an octave: they are given back, so that high notes are seen too. */
const TILT_DB = 3.5;
const TILT_FROM = 80;
/** Decibels of full scale, gain and tilt included, that are level 0 and level 1. */
const [LOWEST_DB, HIGHEST_DB] = [-58, -10];

/** A band of frequencies, in hertz. */
export interface Band {
  from: number;
  to: number;
}

/** Bands of the same musical width. */
export function logarithmicBands(count: number, from: number, to: number): Band[] {
  const edge = (index: number) => from * (to / from) ** (index / count);
  return Array.from({ length: count }, (_, index) => ({ from: edge(index), to: edge(index + 1) }));
}

interface Measure {
  transform: ReturnType<typeof realMagnitudes>;
  window: Float32Array;
  left: Float32Array;
  right: Float32Array;
  magnitudes: Float32Array;
  /** Hertz of a bin. */
  step: number;
  /** The bands that it measures. */
  bands: { index: number; band: Band }[];
}

/** The loudest that each band holds just before a moment. */
export class Spectrum {
  readonly levels: Float32Array;
  readonly #measures: Measure[];
  readonly #sound: Sound;
  readonly #gainDb: number;

  constructor(
    sound: Sound,
    bands: readonly Band[],
    options: { sampleRate: number; gainDb: number; looks: readonly Look[] },
  ) {
    this.#sound = sound;
    this.#gainDb = options.gainDb;
    this.levels = new Float32Array(bands.length);
    const lookOf = ({ from, to }: Band) => options.looks.find(({ below }) => (from + to) / 2 < below);
    this.#measures = options.looks.map((look) => {
      const size = 2 ** Math.round(Math.log2(look.seconds * options.sampleRate));
      return {
        transform: realMagnitudes(size),
        window: windowOf(size, Math.round(look.fall * options.sampleRate)),
        left: new Float32Array(size),
        right: new Float32Array(size),
        magnitudes: new Float32Array(size / 2),
        step: options.sampleRate / size,
        bands: bands.flatMap((band, index) => (lookOf(band) === look ? [{ index, band }] : [])),
      };
    });
  }

  /** Levels 0 … 1 of the sound up to this sample. */
  measure(end: number): Float32Array {
    for (const measure of this.#measures) {
      const { transform, window, left, right, magnitudes, step, bands } = measure;
      if (bands.length === 0) continue;
      this.#sound.read(end - left.length, left, right);
      for (let index = 0; index < left.length; index++) {
        left[index] = (((left[index] ?? 0) + (right[index] ?? 0)) / 2) * (window[index] ?? 0);
      }
      transform(left, magnitudes);
      for (const { index, band } of bands) {
        const middle = Math.sqrt(band.from * band.to);
        const tilt = Math.max(0, TILT_DB * Math.log2(middle / TILT_FROM));
        const db = 20 * Math.log10(loudest(magnitudes, band.from / step, band.to / step) + 1e-9);
        const level = (db + this.#gainDb + tilt - LOWEST_DB) / (HIGHEST_DB - LOWEST_DB);
        this.levels[index] = Math.min(1, Math.max(0, level));
      }
    }
    return this.levels;
  }
}

/**
 * Rises over the older part and falls quickly at the newest, so that what has just begun is seen and nothing is seen that is
 * still to come. A full-scale sine comes out as 1.
 */
function windowOf(size: number, fall: number): Float32Array {
  const window = Float32Array.from({ length: size }, (_, index) => {
    const rising = (index + 0.5) / (size - fall);
    const falling = (size - index - 0.5) / fall;
    return Math.sin((Math.PI / 2) * Math.min(1, rising, falling)) ** 2;
  });
  const sum = window.reduce((total, value) => total + value, 0);
  return window.map((value) => (2 * value) / sum);
}

/** The highest magnitude between two places among the bins, with those in between the bins drawn through by a cubic. */
function loudest(magnitudes: Float32Array, from: number, to: number): number {
  let highest = Math.max(
    between(magnitudes, from),
    between(magnitudes, (from + to) / 2),
    between(magnitudes, to),
  );
  for (let bin = Math.ceil(from); bin <= to; bin++) highest = Math.max(highest, magnitudes[bin] ?? 0);
  return highest;
}

function between(magnitudes: Float32Array, place: number): number {
  const bin = Math.floor(place);
  const t = place - bin;
  const at = (offset: number) => magnitudes[Math.max(0, bin + offset)] ?? 0;
  const [a, b, c, d] = [at(-1), at(0), at(1), at(2)];
  return Math.max(0, b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))));
}
