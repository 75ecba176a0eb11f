import { greatest } from '../../model/numbers/min-max.ts';

/** A small greyscale picture, row by row, from 0 (black) to 255 (white). */
export type Fingerprint = Float32Array;

/** Decodes base64 with 16 bits per cell. */
export function fingerprintOf(cells: string): Fingerprint {
  const bytes = Buffer.from(cells, 'base64');
  return Float32Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readUInt16LE(at * 2) / 257);
}

/** Brightness and contrast change from one picture to another. */
interface Tone {
  gain: number;
  offset: number;
}

/** RMS error of an encoder per cell, which averages many pixels; twice what coarse quantisation causes. */
const CODED = 4;
/** RMS change per cell from tone mapping and coarse quantisation, as a share of the picture's contrast. */
const BENT = 0.25;
/** Encoders exceed this many levels in at most the share MOST_FAR of the cells. */
const FAR = 20;
const MOST_FAR = 0.02;
/** Range of contrast changes caused by tone mapping and range conversion. */
const [LEAST_GAIN, MOST_GAIN] = [0.4, 2.5];
/** Pictures with less contrast than this consist mostly of noise. */
const FAINT = 10;
/** Pictures with less contrast than this cannot be recognized by it. */
const FLAT = 2;

/** Whether both pictures show the same content. @param across Cells per row. */
export function shows(found: Fingerprint, wanted: Fingerprint, across: number): boolean {
  return isNear(found, wanted, toneOf(found, wanted)) || isTexture(found, wanted, across);
}

/**
 * Whether a picture is more like another one than like that one moved by half a cell. Coarse quantisation leaves no more of a
 * texture whose neighbouring cells have little in common; of any other picture it must leave more.
 */
function isTexture(found: Fingerprint, wanted: Fingerprint, across: number): boolean {
  if (deviationOf(wanted) < FAINT) return false;
  const moved = [1, -1, across, -across].map((by) => likeness(shifted(wanted, by), wanted));
  return likeness(found, wanted) >= Math.max(LEAST_LIKE, (1 + greatest(moved)) / 2);
}

/** The least correlation of a texture with what an encoder makes of it. */
const LEAST_LIKE = 0.65;

const shifted = (picture: Fingerprint, by: number) =>
  picture.map((level, cell) => picture[cell + by] ?? level);

/** The correlation of two pictures; 0 if either is flat. */
function likeness(found: Fingerprint, wanted: Fingerprint): number {
  const spread = deviationOf(found);
  return spread < FLAT ? 0 : (toneOf(found, wanted).gain * deviationOf(wanted)) / spread;
}

/** RMS difference in levels after matching brightness and contrast. */
export function distance(found: Fingerprint, wanted: Fingerprint): number {
  return meanSquare(errorsOf(found, wanted, toneOf(found, wanted))) ** 0.5;
}

/** Error limits for a picture coded well enough to be distinguished from its neighbours: a share of its contrast, and levels. */
const FINE_SHARE = 0.12;
const FINE = 2.5;

/** Whether a picture is close enough to another one to be distinguished from similar frames. */
export function isFine(found: Fingerprint, wanted: Fingerprint): boolean {
  return distance(found, wanted) <= Math.min(FINE, FINE_SHARE * deviationOf(wanted));
}

function isNear(found: Fingerprint, wanted: Fingerprint, tone: Tone): boolean {
  const errors = errorsOf(found, wanted, tone);
  const contrast = deviationOf(wanted);
  if (contrast > 2 * CODED && (tone.gain < LEAST_GAIN || tone.gain > MOST_GAIN)) return false;
  // Coarse quantisation may shift the brightness of a low-contrast picture, or keep the noise of the previous one.
  const bent = contrast < FAINT ? 1.5 * contrast : BENT * contrast;
  const most = Math.max(FAR, contrast * (contrast < FAINT ? 4 : 0.75));
  const far = errors.filter((error) => Math.abs(error) > most).length;
  return meanSquare(errors) ** 0.5 <= CODED + bent && far <= MOST_FAR * errors.length;
}

/** Least-squares fit; flat pictures only match in brightness. */
function toneOf(found: Fingerprint, wanted: Fingerprint): Tone {
  let [count, own, other] = [0, 0, 0];
  for (let cell = 0; cell < wanted.length; cell++) {
    count += 1;
    own += wanted[cell] ?? 0;
    other += found[cell] ?? 0;
  }
  own /= Math.max(1, count);
  other /= Math.max(1, count);
  let [shared, square] = [0, 0];
  for (let cell = 0; cell < wanted.length; cell++) {
    const away = (wanted[cell] ?? 0) - own;
    shared += away * ((found[cell] ?? 0) - other);
    square += away * away;
  }
  const gain = square > FLAT * FLAT * count ? shared / square : 1;
  return { gain, offset: other - gain * own };
}

function errorsOf(found: Fingerprint, wanted: Fingerprint, { gain, offset }: Tone): number[] {
  return Array.from(found, (level, cell) => level - gain * (wanted[cell] ?? 0) - offset);
}

const meanSquare = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value * value, 0) / Math.max(1, values.length);

function deviationOf(picture: Fingerprint): number {
  const mean = picture.reduce((sum, level) => sum + level, 0) / Math.max(1, picture.length);
  return meanSquare(Array.from(picture, (level) => level - mean)) ** 0.5;
}

/** A cell counts as changed if it differs by more levels than an encoder ignores. */
const MOVED = 4;
/** Changed cells needed to distinguish two pictures. */
const FEWEST_MOVED = 3;
/** On a scale from 0 (the wanted picture) to 1 (the other one): up to here it still counts as the wanted one, as encoders blend them. */
const NEARER = 0.7;

/**
 * Whether a picture shows `other` rather than `wanted`; null if the two can hardly be distinguished. Compares only the cells in
 * which they differ.
 */
export function isRather(found: Fingerprint, other: Fingerprint, wanted: Fingerprint): boolean | null {
  if (deviationOf(wanted) < FAINT) return null;
  const tone = toneOf(found, wanted);
  const gain = tone.gain > LEAST_GAIN && tone.gain < MOST_GAIN ? tone.gain : 1;
  let [along, length, moved] = [0, 0, 0];
  for (let cell = 0; cell < other.length; cell++) {
    const own = wanted[cell] ?? 0;
    const away = gain * ((other[cell] ?? 0) - own);
    if (Math.abs(away) <= MOVED) continue;
    const error = (found[cell] ?? 0) - gain * own - tone.offset;
    // Matches neither of the two.
    const beyond = Math.max(-error * Math.sign(away), error * Math.sign(away) - Math.abs(away));
    if (beyond > Math.max(FAR, Math.abs(away))) continue;
    moved += 1;
    along += away * error;
    length += away * away;
  }
  return moved < FEWEST_MOVED ? null : along / length > NEARER;
}

/** Mirrors a picture horizontally. @param across Cells per row. */
export function mirrored(picture: Fingerprint, across: number): Fingerprint {
  return picture.map((_, cell) => picture[cell - (cell % across) + across - 1 - (cell % across)] ?? 0);
}
