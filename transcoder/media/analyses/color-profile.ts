import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { gammaCurve, lightOf, type RgbProfile, srgbCurve } from '../../model/source/rgb-profile.ts';
import { partsOf } from './picture-parts.ts';

const inflated = promisify(inflate);

const names = { jpeg: { marker: 0xe2, mark: 'ICC_PROFILE\0' }, png: 'iCCP', webp: 'ICCP' } as const;
/** Profiles of a matrix and curves are small; larger ones consist of tables. */
const MOST_BYTES = 256 * 1024;

/** In JPEG, the mark, the number of the segment and how many there are. */
const BEFORE = names.jpeg.mark.length + 2;

/**
 * What a picture's ICC profile says of its colors; null if they are in sRGB, or if it does not say that by a matrix and curves. Tables
 * that describe a printer or one screen are not read: their pictures are taken for sRGB, as without a profile.
 */
export async function rgbProfileIn(bytes: Buffer): Promise<RgbProfile | null> {
  const profile = await profileOf(bytes);
  return profile && rgbProfileOf(profile);
}

async function profileOf(bytes: Buffer): Promise<Buffer | null> {
  const found = partsOf(bytes, names);
  const [first] = found?.parts ?? [];
  if (!found || !first) return null;
  if (found.format === 'webp') return first;
  if (found.format === 'jpeg') return Buffer.concat(found.parts.map((part) => part.subarray(BEFORE)));
  try {
    return await inflated(first.subarray(first.indexOf(0) + 2), { maxOutputLength: MOST_BYTES });
  } catch {
    return null;
  }
}

/** X, Y and Z of red, green and blue of sRGB, adapted to the white D50. */
const srgb = [
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
];
/** From XYZ to sRGB in linear light, the inverse of these. */
const fromXyz = [
  3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.033454, 0.0719453, -0.2289914, 1.4052427,
];

/** Profiles differ in how they round and adapt. Other sets of colorants are farther away by a factor of ten. */
const TOLERANCE = 0.004;
/** Of linear light, in which the curve of sRGB and its usual substitutes differ. */
const CURVE_TOLERANCE = 0.015;

/** No known set of primaries needs larger factors, and none that is not a number is smaller. */
const MOST_FACTOR = 4;

const HEADER = 128;
const ENTRY = 12;

/** ICC.1:2022, section 7: a header and a table of tags. */
function rgbProfileOf(profile: Buffer): RgbProfile | null {
  if (profile.length < HEADER + 4) return null;
  const tags = new Map<string, Buffer>();
  const count = Math.min(profile.readUInt32BE(HEADER), (profile.length - HEADER - 4) / ENTRY);
  for (let entry = 0; entry < Math.floor(count); entry++) {
    const at = HEADER + 4 + entry * ENTRY;
    const [from, length] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)];
    tags.set(profile.toString('latin1', at, at + 4), profile.subarray(from, from + length));
  }
  // Where there is a table, programs prefer it to the matrix.
  if (tags.has('A2B0')) return null;
  const colorants = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => xyzOf(tags.get(name)));
  const curves = ['rTRC', 'gTRC', 'bTRC'].map((name) => curveOf(tags.get(name)));
  const [curve] = curves;
  if (!curve || curves.some((other) => !other || !areAlike(other, curve))) return null;
  const [red, green, blue] = colorants;
  if (!red || !green || !blue) return null;
  const isSrgb = [red, green, blue].every((xyz, color) =>
    xyz.every((value, axis) => Math.abs(value - (srgb[color]?.[axis] ?? 0)) <= TOLERANCE),
  );
  if (isSrgb && areAlike(curve, srgbCurve)) return null;
  const toSrgb = [0, 3, 6].flatMap((row) => {
    const factors = [red, green, blue].map((xyz) =>
      xyz.reduce((sum, value, axis) => sum + value * (fromXyz[row + axis] ?? 0), 0),
    );
    // White stays white, however the numbers of a profile were rounded.
    const white = factors.reduce((sum, factor) => sum + factor, 0);
    return factors.map((factor) => factor / white);
  });
  return toSrgb.every((factor) => Math.abs(factor) <= MOST_FACTOR) && isUsual(curve)
    ? { curve, toSrgb }
    : null;
}

/** Three numbers of 15.16 bits behind eight bytes (10.31). */
function xyzOf(tag: Buffer | undefined): number[] | null {
  if (!tag || tag.length < 20) return null;
  return [8, 12, 16].map((at) => tag.readInt32BE(at) / 65_536);
}

/** Which parameters each function of a parametric curve has, in their order (10.18). */
const parameters: readonly (readonly (keyof RgbProfile['curve'])[])[] = [
  ['g'],
  ['g', 'a', 'b'],
  ['g', 'a', 'b', 'e'],
  ['g', 'a', 'b', 'c', 'd'],
  ['g', 'a', 'b', 'c', 'd', 'e', 'f'],
];

/** Null for a curve that is neither parametric, a power, nor a table of one. */
function curveOf(tag: Buffer | undefined): RgbProfile['curve'] | null {
  if (!tag || tag.length < 12) return null;
  const type = tag.toString('latin1', 0, 4);
  if (type === 'curv') return listedCurve(tag);
  const names = type === 'para' ? parameters[tag.readUInt16BE(8)] : undefined;
  if (!names || tag.length < 12 + 4 * names.length) return null;
  const values = names.map((name, index) => [name, tag.readInt32BE(12 + 4 * index) / 65_536] as const);
  const curve = { ...gammaCurve(1), ...Object.fromEntries(values) };
  // The functions 1 and 2 are constant below the number at which the power is 0.
  const cut = names.length === 3 || names.length === 4;
  return cut && curve.a !== 0 ? { ...curve, d: -curve.b / curve.a, f: curve.e } : curve;
}

/** Points of a table at which a power is compared with it. */
const STEPS = 64;

/** No entry for a straight line, one for its power in 8.8 bits, or a table of 16 bits (10.6). */
function listedCurve(tag: Buffer): RgbProfile['curve'] | null {
  const count = tag.readUInt32BE(8);
  if (count === 0) return gammaCurve(1);
  if (tag.length < 12 + 2 * count) return null;
  if (count === 1) return gammaCurve(tag.readUInt16BE(12) / 256);
  const at = (number: number) => tag.readUInt16BE(12 + 2 * Math.round(number * (count - 1))) / 65_535;
  const numbers = Array.from(
    { length: STEPS + 1 },
    (_, step) => Math.round((step / STEPS) * (count - 1)) / (count - 1),
  );
  const middle = numbers[STEPS / 2] ?? 0.5;
  const power = gammaCurve(Math.log(at(middle)) / Math.log(middle));
  return (
    [srgbCurve, power].find((curve) =>
      numbers.every((number) => Math.abs(lightOf(curve, number) - at(number)) <= CURVE_TOLERANCE),
    ) ?? null
  );
}

/** Whether a curve leads from black to white. */
function isUsual(curve: RgbProfile['curve']): boolean {
  const [black, white] = [lightOf(curve, 0), lightOf(curve, 1)];
  return curve.g > 0 && Math.abs(black) <= 0.1 && Math.abs(white - 1) <= 0.1;
}

const areAlike = (one: RgbProfile['curve'], other: RgbProfile['curve']) =>
  Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS).every(
    (number) => Math.abs(lightOf(one, number) - lightOf(other, number)) <= CURVE_TOLERANCE,
  );
