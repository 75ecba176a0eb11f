import { realMagnitudes } from '../../model/numbers/fourier.ts';
import { mixToOne, type Sound } from './sound.ts';

/** Window of one part of the spectrum: low notes need a long window, transients a short one. */
interface Look {
  /** Upper limit in hertz. */
  below: number;
  /** Window length in seconds. */
  seconds: number;
  /** Seconds over which the window falls to 0 at its newest end. */
  fall: number;
}

/** For bars: a beat shows in its own frame, and bass notes are still resolved. */
export const quickLooks: readonly Look[] = [
  { below: 400, seconds: 0.128, fall: 0.032 },
  { below: 2000, seconds: 0.064, fall: 0.016 },
  { below: Number.POSITIVE_INFINITY, seconds: 0.032, fall: 0.008 },
];

/** For notes: resolves semitones from the second octave up. */
export const noteLooks: readonly Look[] = [
  { below: 260, seconds: 0.256, fall: 0.064 },
  { below: 1040, seconds: 0.128, fall: 0.032 },
  { below: Number.POSITIVE_INFINITY, seconds: 0.064, fall: 0.016 },
];

/** Typical music falls off by about this many decibels per octave; the tilt compensates, which makes high notes visible. */
const TILT_DB = 3.5;
const TILT_FROM = 80;
/** Decibels relative to full scale, gain and tilt included, that map to levels 0 and 1. */
const [LOWEST_DB, HIGHEST_DB] = [-58, -10];

/** A frequency band in hertz. */
interface Band {
  from: number;
  to: number;
}

/** Bands of equal musical width. */
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
  /** Width of a bin in hertz. */
  step: number;
  /** The bands that this window measures. */
  bands: { index: number; band: Band }[];
}

/** The peak level of each band just before a given sample. */
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

  /** Levels 0–1 of the sound up to sample `end`. */
  measure(end: number): Float32Array {
    for (const measure of this.#measures) {
      const { transform, window, left, right, magnitudes, step, bands } = measure;
      if (bands.length === 0) continue;
      this.#sound.read(end - left.length, left, right);
      mixToOne(left, right);
      for (let index = 0; index < left.length; index++)
        left[index] = (left[index] ?? 0) * (window[index] ?? 0);
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
 * Rises over the older part and falls quickly at the newest, which shows an onset at once without showing future sound. A
 * full-scale sine comes out as 1.
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

/** The highest magnitude between two fractional bin positions, with cubic interpolation between bins. */
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
  const a = magnitudes[Math.max(0, bin - 1)] ?? 0;
  const b = magnitudes[bin] ?? 0;
  const c = magnitudes[bin + 1] ?? 0;
  const d = magnitudes[bin + 2] ?? 0;
  return Math.max(0, b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))));
}
