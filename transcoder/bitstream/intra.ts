import { BitReader } from './bits.ts';

/** Codecs whose pictures state whether they are intra coded. Some encoders flag others as keyframes, too. */
const stating = {
  h263: isIntraH263,
  flv1: isIntraSorenson,
  mpeg4: isIntraMpeg4,
  msmpeg4v1: (packet) => isIntraMicrosoft(packet, MSMPEG4V1_HEADER_BITS),
  msmpeg4v2: (packet) => isIntraMicrosoft(packet, 0),
  msmpeg4v3: (packet) => isIntraMicrosoft(packet, 0),
  wmv1: (packet) => isIntraMicrosoft(packet, 0),
  wmv2: (packet) => new BitReader(packet).bit() === 0,
  zmbv: (packet) => new BitReader(packet).bits(8) % 2 === 1,
} as const satisfies Record<string, (packet: Uint8Array) => boolean | null>;
export type StatingCodec = keyof typeof stating;

export const statesIntra = (codec: string): codec is StatingCodec => codec in stating;

/** Whether a packet's first picture is intra coded; null if its header is not found. */
export function isIntra(codec: StatingCodec, packet: Uint8Array): boolean | null {
  try {
    return stating[codec](packet);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

const H263_START = 32;
/** `source format` of a picture with an extended header. */
const EXTENDED = 7;

/** ITU-T H.263, 5.1: start code, temporal reference, PTYPE, PLUSPTYPE. */
function isIntraH263(packet: Uint8Array): boolean | null {
  const reader = new BitReader(packet);
  if (reader.bits(22) !== H263_START) return null;
  reader.bits(8 + 5);
  if (reader.bits(3) !== EXTENDED) return reader.bit() === 0;
  const updates = reader.bits(3) === 1;
  if (updates) reader.bits(18);
  return reader.bits(3) === 0;
}

/** Bits of a picture size that Sorenson's H.263 spells out, by `PictureSize`. */
const SPELLED_OUT = [16, 32];

/** Adobe Flash Video File Format, E.4.2: start code, version, temporal reference, picture size, type. */
function isIntraSorenson(packet: Uint8Array): boolean | null {
  const reader = new BitReader(packet);
  if (reader.bits(17) !== 1) return null;
  reader.bits(5 + 8);
  reader.bits(SPELLED_OUT[reader.bits(3)] ?? 0);
  return reader.bits(2) === 0;
}

/** The first version has a start code and the number of the picture before its type. */
const MSMPEG4V1_HEADER_BITS = 32 + 5;

function isIntraMicrosoft(packet: Uint8Array, headerBits: number): boolean {
  const reader = new BitReader(packet, headerBits);
  return reader.bits(2) === 0;
}

const VOP = 0xb6;

/** ISO/IEC 14496-2, 6.2.5: `vop_coding_type` follows the start code. */
function isIntraMpeg4(packet: Uint8Array): boolean | null {
  for (let at = 3; at + 1 < packet.length; at++) {
    if (packet[at] !== VOP || packet[at - 1] !== 1 || packet[at - 2] !== 0 || packet[at - 3] !== 0) continue;
    return (packet[at + 1] ?? 0) >> 6 === 0;
  }
  return null;
}
