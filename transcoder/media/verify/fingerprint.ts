/** A small grey picture, row by row, black 0 and white 255. */
export type Fingerprint = Float32Array;

/** From 16 bits a cell in base64. */
export function fingerprintOf(cells: string): Fingerprint {
  const bytes = Buffer.from(cells, 'base64');
  return Float32Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readUInt16LE(at * 2) / 257);
}

/** What turns one picture into another as far as brightness and contrast go. */
interface Tone {
  gain: number;
  offset: number;
}

/** Root mean square of an encoder's error in a cell, which is a mean of many pixels; twice of what coarse quantisation leaves. */
const CODED = 4;
/** Of the contrast of a picture, what tone mapping and coarse coding may change in each cell, as a root mean square. */
const BENT = 0.25;
/** So many levels no encoder is off in a cell; and it is in a share of them at most. */
const FAR = 20;
const MOST_FAR = 0.02;
/** Tone mapping and ranges change contrast by factors between these. */
const [LEAST_GAIN, MOST_GAIN] = [0.4, 2.5];
/** Pictures of less contrast than this are little but noise. */
const FAINT = 10;
/** A picture whose cells differ by less has no contrast of its own to be recognized by. */
const FLAT = 2;

/** Whether a picture shows what another does. */
export function shows(found: Fingerprint, wanted: Fingerprint): boolean {
  return isNear(found, wanted, toneOf(found, wanted));
}

/** Levels, as a root mean square over the cells, brightness and contrast made equal. */
export function distance(found: Fingerprint, wanted: Fingerprint): number {
  return meanSquare(errorsOf(found, wanted, toneOf(found, wanted))) ** 0.5;
}

/** Of a picture that is coded well enough to be told from its neighbours, the error is less than this share of its contrast. */
const FINE_SHARE = 0.12;
const FINE = 2.5;

/** Whether a picture is so near to another that it can be told from others which differ little. */
export function isFine(found: Fingerprint, wanted: Fingerprint): boolean {
  return distance(found, wanted) <= Math.min(FINE, FINE_SHARE * deviationOf(wanted));
}

function isNear(found: Fingerprint, wanted: Fingerprint, tone: Tone): boolean {
  const errors = errorsOf(found, wanted, tone);
  const contrast = deviationOf(wanted);
  if (contrast > 2 * CODED && (tone.gain < LEAST_GAIN || tone.gain > MOST_GAIN)) return false;
  // Coarse coding may leave the brightness of such a picture, or show the noise of one before it.
  const bent = contrast < FAINT ? 1.5 * contrast : BENT * contrast;
  const most = Math.max(FAR, contrast * (contrast < FAINT ? 4 : 0.75));
  const far = errors.filter((error) => Math.abs(error) > most).length;
  return meanSquare(errors) ** 0.5 <= CODED + bent && far <= MOST_FAR * errors.length;
}

/** By least squares; of a flat picture, its brightness alone. */
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

/** A cell counts as moved where it differs by more levels than an encoder skips. */
const MOVED = 4;
/** So many cells have to have moved for two pictures to be told apart. */
const FEWEST_MOVED = 3;
/** From 0, a picture being the one, to 1, its being the other: up to here it is the first, as far as encoders mix them. */
const NEARER = 0.7;

/**
 * Whether a picture is rather another one than that which is wanted; null where the two can hardly be told apart. Only cells
 * in which they differ are looked at.
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
    // Neither of the two, so something else.
    const beyond = Math.max(-error * Math.sign(away), error * Math.sign(away) - Math.abs(away));
    if (beyond > Math.max(FAR, Math.abs(away))) continue;
    moved += 1;
    along += away * error;
    length += away * away;
  }
  return moved < FEWEST_MOVED ? null : along / length > NEARER;
}

/** A picture seen in a mirror. @param across Cells of a row. */
export function mirrored(picture: Fingerprint, across: number): Fingerprint {
  return picture.map((_, cell) => picture[cell - (cell % across) + across - 1 - (cell % across)] ?? 0);
}
