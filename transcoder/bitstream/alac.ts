/** ALAC, by Apple's reference decoder (ALACDecoder.cpp). */

/** Offset of the configuration in libav's extradata, behind the head of an atom. */
const CONFIGURATION = 12;

/** Samples of a whole frame; null if the configuration is too short. */
export function alacFrameLength(extradata: Uint8Array): number | null {
  if (extradata.length < CONFIGURATION + 4) return null;
  return new DataView(extradata.buffer, extradata.byteOffset).getUint32(CONFIGURATION);
}

/** The flag behind an element's tag (3 bits), instance (4) and 12 unused bits: whether the frame states its own length. */
const STATES_LENGTH = 0x10;

/** Samples of a frame: the last one may be shorter, and says so. */
export function alacSamples(frame: Uint8Array, frameLength: number): number {
  const [, , c = 0, d = 0, e = 0, f = 0, g = 0] = frame;
  if ((c & STATES_LENGTH) === 0) return frameLength;
  // 32 bits, from the last bit of the third byte on.
  return (((c & 1) << 31) | (d << 23) | (e << 15) | (f << 7) | (g >> 1)) >>> 0;
}
