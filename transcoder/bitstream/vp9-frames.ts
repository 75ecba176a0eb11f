import { BitReader } from './bits.ts';

/** A key frame's uncompressed header (VP9 6.2). */
export interface Vp9Key {
  profile: number;
  bitDepth: 8 | 10 | 12;
  /** VP9 7.2.2; 7 is sRGB. */
  colorSpace: number;
  fullRange: boolean;
  subsampling: readonly [number, number];
  width: number;
  height: number;
}

/** Splits a packet into its frames: one, or those of a superframe (VP9 annex B). Throws RangeError if sizes do not add up. */
export function vp9Frames(packet: Uint8Array): Uint8Array[] {
  const marker = packet.at(-1) ?? 0;
  const [count, size] = [(marker & 7) + 1, ((marker >> 3) & 3) + 1];
  const index = packet.length - 2 - count * size;
  if (marker >> 5 !== 0b110 || index < 0 || packet[index] !== marker) return [packet];
  let at = 0;
  return Array.from({ length: count }, (_, frame) => {
    let length = 0;
    for (let byte = size - 1; byte >= 0; byte--) {
      length = length * 256 + (packet[index + 1 + frame * size + byte] ?? 0);
    }
    const from = at;
    at += length;
    if (at > index) throw new RangeError('a frame extends beyond its packet');
    return packet.subarray(from, at);
  });
}

/**
 * Whether no frame of a packet is shown, only referred to. Libvpx puts such a frame into one packet with one that is shown (VP9 annex
 * B). False if the packet is damaged.
 */
export function isVp9Unseen(packet: Uint8Array): boolean {
  try {
    return packet.length > 0 && !vp9Frames(packet).some(isShown);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

function isShown(frame: Uint8Array): boolean {
  const reader = new BitReader(frame);
  if (reader.bits(2) !== 2) throw new RangeError('not a VP9 frame');
  if (reader.bits(2) === 3) reader.bit();
  const repeats = reader.flag();
  reader.bit();
  return repeats || reader.flag();
}

/**
 * Header of a packet at which decoding can begin, that is, its first frame is a shown key frame. Null for any other packet.
 * Throws RangeError if it is damaged.
 */
export function vp9Key(packet: Uint8Array): Vp9Key | null {
  const [first = packet] = vp9Frames(packet);
  const reader = new BitReader(first);
  if (reader.bits(2) !== 2) throw new RangeError('not a VP9 frame');
  const profile = reader.bit() + 2 * reader.bit();
  if (profile === 3 && reader.flag()) throw new RangeError('a reserved profile');
  if (reader.flag()) return null;
  const [predicted, shown] = [reader.flag(), reader.flag()];
  reader.flag();
  if (predicted || !shown) return null;
  if (reader.bits(24) !== 0x498342) throw new RangeError('a key frame lacks its sync code');
  const bitDepth = profile < 2 ? 8 : reader.flag() ? 12 : 10;
  const colorSpace = reader.bits(3);
  const { fullRange, subsampling } = readFormat(reader, profile, colorSpace);
  return {
    ...{ profile, bitDepth, colorSpace, fullRange, subsampling },
    ...{ width: reader.bits(16) + 1, height: reader.bits(16) + 1 },
  };
}

/** Value of `colorSpace`. */
const SRGB = 7;

function readFormat(reader: BitReader, profile: number, colorSpace: number) {
  const odd = profile % 2 === 1;
  if (colorSpace === SRGB) {
    if (!odd) throw new RangeError('the profile does not support sRGB');
    reader.flag();
    return { fullRange: true, subsampling: [0, 0] as const };
  }
  const fullRange = reader.flag();
  if (!odd) return { fullRange, subsampling: [1, 1] as const };
  const subsampling = [reader.bit(), reader.bit()] as const;
  reader.flag();
  return { fullRange, subsampling };
}
