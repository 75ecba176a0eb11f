import { parseAvcc } from './avcc.ts';
import { joinLengths, splitLengths } from './nal.ts';

/** The user data with which x264 names itself in the first access unit (x264, encoder/set.c, x264_sei_version_write). */
const MARK = Buffer.from('dc45e9bde6d948b7962cd820d923eeef', 'hex');
const SEI = 6;
const DELIMITER = 9;

/** `High 4:4:4 Predictive` (H.264 A.2.11). */
export const PROFILE_444 = 244;

/**
 * Builds of x264 before this one code 4:4:4 pictures in a way of their own. libavcodec decodes those only after it has read the
 * version (h264_cabac.c and h264_cavlc.c, `x264_build`), so entering such a stream later gives damaged pictures.
 */
const CORRECTED = 151;

/** The build of the x264 that encoded a stream, from a packet in which it names itself; null if the packet does not say. */
export function x264Build(packet: Uint8Array): number | null {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.length);
  const at = bytes.indexOf(MARK);
  if (at < 0) return null;
  const text = bytes.toString('latin1', at + MARK.length, at + MARK.length + 40);
  const build = /^x264 - core (\d{1,5})/.exec(text)?.[1];
  return build === undefined ? null : Number(build);
}

export const needsVersion = (packet: Uint8Array): boolean => (x264Build(packet) ?? CORRECTED) < CORRECTED;

/**
 * Repeats the version of such an x264 in each access unit it is called with; units of any other stream stay as they are. Throws
 * RangeError if the configuration or a unit is damaged.
 * @param configuration An avcC.
 */
export function versionRepeater(configuration: Uint8Array): (unit: Uint8Array) => Uint8Array {
  const { lengthSize } = parseAvcc(configuration);
  let version: Uint8Array | null = null;
  return (unit) => {
    if (version === null && !needsVersion(unit)) return unit;
    const nals = splitLengths(unit, lengthSize);
    const own = nals.find((nal) => ((nal[0] ?? 0) & 31) === SEI && x264Build(nal) !== null);
    version ??= own ?? null;
    if (own || !version) return unit;
    const begin = ((nals[0]?.[0] ?? 0) & 31) === DELIMITER ? 1 : 0;
    return joinLengths([...nals.slice(0, begin), version, ...nals.slice(begin)], lengthSize);
  };
}
