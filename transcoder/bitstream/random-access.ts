import { isAv1Key, sequenceOf, splitObus } from './av1-obus.ts';
import { BitReader } from './bits.ts';
import { vp9Key } from './vp9-frames.ts';

/** Codecs whose packets state whether decoding can begin at them. */
const stating: Readonly<Record<string, (packet: Uint8Array) => boolean | null>> = {
  vp8: isVp8Key,
  vp9: (packet) => vp9Key(packet) !== null,
  av1: isAv1Random,
  mpeg1video: isIntraMpeg2,
  mpeg2video: isIntraMpeg2,
  theora: isTheoraKey,
};

export const statesRandomAccess = (codec: string): boolean => codec in stating;

/** Whether decoding can begin at a packet, by its own bytes; null if they do not say. */
export function isRandomAccess(codec: string, packet: Uint8Array): boolean | null {
  try {
    return stating[codec]?.(packet) ?? null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

/** RFC 6386, 9.1: bit 0 of the frame tag is 0 for a key frame. */
function isVp8Key(packet: Uint8Array): boolean | null {
  const tag = packet[0];
  return tag === undefined ? null : tag % 2 === 0;
}

function isAv1Random(packet: Uint8Array): boolean {
  const obus = splitObus(packet);
  return isAv1Key(obus, sequenceOf(obus)?.sequence ?? { reduced: false });
}

const PICTURE = 0;
const INTRA = 1;

/** ISO/IEC 13818-2, 6.2.3: `picture_coding_type` follows the start code and the temporal reference. */
function isIntraMpeg2(packet: Uint8Array): boolean | null {
  for (let at = 3; at + 2 < packet.length; at++) {
    if (packet[at] !== PICTURE || packet[at - 1] !== 1 || packet[at - 2] !== 0 || packet[at - 3] !== 0)
      continue;
    const reader = new BitReader(packet.subarray(at + 1), 10);
    return reader.bits(3) === INTRA;
  }
  return null;
}

/** Theora I, 7.1: a bit that is 0 for data, then one that is 0 for an intra frame. An empty packet repeats the frame before. */
function isTheoraKey(packet: Uint8Array): boolean {
  return packet.length > 0 && (packet[0] ?? 0) >> 6 === 0;
}
