import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { partsOf } from './picture-parts.ts';

const inflated = promisify(inflate);

const names = { jpeg: { marker: 0xe2, mark: 'ICC_PROFILE\0' }, png: 'iCCP', webp: 'ICCP' } as const;
/** Profiles of colorants are small; larger ones consist of tables. */
const MOST_BYTES = 256 * 1024;

/** In JPEG, the mark, the number of the segment and how many there are. */
const BEFORE = names.jpeg.mark.length + 2;

/** Whether a picture's ICC profile says that its colors are in Display P3, as cameras of phones write. */
export async function isDisplayP3(bytes: Buffer): Promise<boolean> {
  const profile = await profileOf(bytes);
  return profile !== null && hasColorants(profile, displayP3);
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

/** X, Y and Z of red, green and blue, adapted to the white D50. */
type Colorants = Readonly<Record<'rXYZ' | 'gXYZ' | 'bXYZ', readonly [number, number, number]>>;

/** SMPTE EG 432-1 with the white of sRGB. https://registry.color.org/rgb-registry/displayp3 */
const displayP3: Colorants = {
  rXYZ: [0.5151, 0.2412, -0.0011],
  gXYZ: [0.292, 0.6922, 0.0419],
  bXYZ: [0.1571, 0.0666, 0.7841],
};
/** Profiles differ in how they round and adapt. Other sets of colorants are farther away by a factor of ten. */
const TOLERANCE = 0.004;

const HEADER = 128;
const ENTRY = 12;

/** ICC.1:2022, 7.3 and 10.31: a table of tags, and three numbers of 15.16 bits behind eight bytes. */
function hasColorants(profile: Buffer, wanted: Colorants): boolean {
  if (profile.length < HEADER + 4) return false;
  const left = new Map(Object.entries(wanted));
  const count = Math.min(profile.readUInt32BE(HEADER), (profile.length - HEADER - 4) / ENTRY);
  for (let entry = 0; entry < Math.floor(count); entry++) {
    const at = HEADER + 4 + entry * ENTRY;
    const name = profile.toString('latin1', at, at + 4);
    const xyz = left.get(name);
    const from = profile.readUInt32BE(at + 4) + 8;
    if (!xyz || from + 12 > profile.length) continue;
    const near = xyz.every((value, index) => {
      const own = profile.readInt32BE(from + 4 * index) / 65_536;
      return Math.abs(own - value) <= TOLERANCE;
    });
    if (!near) return false;
    left.delete(name);
  }
  return left.size === 0;
}
