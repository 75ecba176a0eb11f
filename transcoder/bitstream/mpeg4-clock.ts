import { BitReader } from './bits.ts';

const START = { group: 0xb3, picture: 0xb6, layer: 0x20, lastLayer: 0x2f } as const;
/** More bytes than the headers have that are read here. */
const HEADER = 64;
const SQUARE_EXTENDED = 15;
const VBV_BITS = 79;
const GRAYSCALE = 3;
const B_PICTURE = 2;

/** Ticks per second, and bits of a number of ticks below a second. */
interface Layer {
  resolution: number;
  bits: number;
}

/**
 * Follows packets of MPEG-4 part 2 (ISO/IEC 14496-2, sections 6.2.3 to 6.2.5), whose pictures state their times: whole seconds since the
 * picture before, and ticks. The rate that libav reads from the header is that of the ticks.
 */
export class Mpeg4Clock {
  #layer: Layer | null = null;
  /** Whole seconds of the last picture that others may refer to, and of the one before it. */
  #latest = 0;
  #earlier = 0;

  constructor(extradata: Uint8Array) {
    this.take(extradata);
  }

  /** The time in seconds of the first picture of a packet; null if it has none or states none. */
  take(packet: Uint8Array): number | null {
    for (let at = 0; at + 4 < packet.length; at++) {
      if (packet[at] !== 0 || packet[at + 1] !== 0 || packet[at + 2] !== 1) continue;
      const code = packet[at + 3] ?? 0;
      const reader = new BitReader(packet.subarray(at + 4, at + 4 + HEADER));
      try {
        if (code >= START.layer && code <= START.lastLayer) this.#layer = layerIn(reader);
        else if (code === START.group) this.#begin(reader);
        else if (code === START.picture) return this.#timeOf(reader);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return null;
      }
      at += 3;
    }
    return null;
  }

  /** A group states the time of day from which its pictures count. */
  #begin(reader: BitReader): void {
    const [hours, minutes] = [reader.bits(5), reader.bits(6)];
    reader.bit();
    this.#latest = (hours * 60 + minutes) * 60 + reader.bits(6);
  }

  #timeOf(reader: BitReader): number | null {
    if (!this.#layer) return null;
    const type = reader.bits(2);
    let seconds = 0;
    while (reader.flag()) seconds += 1;
    reader.bit();
    const fraction = reader.bits(this.#layer.bits) / this.#layer.resolution;
    if (type === B_PICTURE) return this.#earlier + seconds + fraction;
    this.#earlier = this.#latest;
    this.#latest += seconds;
    return this.#latest + fraction;
  }
}

function layerIn(reader: BitReader): Layer | null {
  reader.bits(9);
  let version = 1;
  if (reader.flag()) {
    version = reader.bits(4);
    reader.bits(3);
  }
  if (reader.bits(4) === SQUARE_EXTENDED) reader.bits(16);
  if (reader.flag()) {
    reader.bits(3);
    if (reader.flag()) reader.bits(VBV_BITS);
  }
  if (reader.bits(2) === GRAYSCALE && version !== 1) reader.bits(4);
  reader.bit();
  const resolution = reader.bits(16);
  return resolution > 0 ? { resolution, bits: Math.max(1, 32 - Math.clz32(resolution - 1)) } : null;
}
