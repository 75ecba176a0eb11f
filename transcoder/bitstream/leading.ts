import { nalType, typeOf } from './h264-sets.ts';
import { hevcType } from './hevc-sets.ts';
import { isHevcSlice } from './hevc-slice.ts';
import { configurationOf, unitsIn } from './refresh.ts';

/** Skipped leading pictures of HEVC, RASL_N and RASL_R (ISO/IEC 23008-2, table 7-1). */
const SKIPPED: readonly number[] = [8, 9];

/**
 * Whether a picture that follows a stream's first keyframe but is shown before it cannot be decoded, because it also references
 * pictures before that keyframe; null if none of the codec's pictures can.
 * @param first The keyframe's packet.
 */
export function lostLeading(
  codec: string,
  extradata: Uint8Array,
  first: Uint8Array,
): ((packet: Uint8Array) => boolean) | null {
  if (codec === 'mpeg1video' || codec === 'mpeg2video') return isClosed(first) ? null : () => true;
  if (codec !== 'h264' && codec !== 'hevc') return null;
  const { lengthSize } = configurationOf(codec, extradata);
  if (codec === 'h264') return unitsOf(first, lengthSize).some(isIdr) ? null : () => true;
  return (packet) => SKIPPED.includes(hevcType(unitsOf(packet, lengthSize).find(isHevcSlice) ?? NOTHING));
}

const NOTHING = new Uint8Array();

const isIdr = (unit: Uint8Array): boolean => typeOf(unit) === nalType.idr;

function unitsOf(packet: Uint8Array, lengthSize: number | null): Uint8Array[] {
  try {
    return unitsIn(packet, lengthSize);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [];
  }
}

const GROUP = 0xb8;
const CLOSED_GOP = 0x40;

/** ISO/IEC 13818-2, 6.2.2.6: `closed_gop` follows a time code of 25 bits. A stream without the header may be open. */
function isClosed(packet: Uint8Array): boolean {
  for (let at = 3; at + 4 < packet.length; at++) {
    if (packet[at] !== GROUP || packet[at - 1] !== 1 || packet[at - 2] !== 0 || packet[at - 3] !== 0)
      continue;
    return ((packet[at + 4] ?? 0) & CLOSED_GOP) !== 0;
  }
  return false;
}
