import { type Av1Sequence, parseAv1Sequence } from './av1-sequence.ts';
import { BitReader } from './bits.ts';

/** OBU types (AV1 6.2.2). */
export const obuType = {
  ...{ sequence: 1, delimiter: 2, frameHeader: 3, frame: 6 },
  ...{ redundantFrameHeader: 7, tileList: 8, padding: 15 },
} as const;

interface Obu {
  type: number;
  payload: Uint8Array;
  /** Header included. */
  bytes: Uint8Array;
}

/** Splits a temporal unit into OBUs. Throws RangeError if their sizes do not add up. */
export function splitObus(unit: Uint8Array): Obu[] {
  const obus: Obu[] = [];
  let at = 0;
  while (at < unit.length) {
    const head = unit[at] ?? 0;
    if (head >> 7 !== 0) throw new RangeError('invalid OBU header');
    const sizeAt = at + (head & 4 ? 2 : 1);
    const { value, end: from } = head & 2 ? readLeb128(unit, sizeAt) : { value: null, end: sizeAt };
    const to = value === null ? unit.length : from + value;
    if (to > unit.length || from > unit.length) throw new RangeError('an OBU is truncated');
    obus.push({ type: (head >> 3) & 15, payload: unit.subarray(from, to), bytes: unit.subarray(at, to) });
    at = to;
  }
  return obus;
}

/** AV1 4.10.5. */
function readLeb128(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) throw new RangeError('the bitstream ends early');
    value += (byte & 127) * 2 ** (7 * index);
    if (byte < 128) return { value, end: at + index + 1 };
  }
  throw new RangeError('a leb128 size is too long');
}

/** The AV1 decoder configuration in mp4 and Matroska (AV1-ISOBMFF 2.3.3). */
export interface Av1c {
  /** Raw bytes with profile, level, tier and picture format. */
  format: Uint8Array;
  /** OBUs that apply before those of every key frame. */
  obus: Uint8Array;
}

/** Throws RangeError if it is not a valid configuration. */
export function parseAv1c(bytes: Uint8Array): Av1c {
  if (bytes.length < 4 || bytes[0] !== 0x81) throw new RangeError('not a version 1 av1C');
  return { format: bytes.slice(1, 4), obus: bytes.slice(4) };
}

export function buildAv1c({ format, obus }: Av1c): Uint8Array {
  return Uint8Array.from([0x81, ...format, ...obus]);
}

/** Raises the configuration to the higher of two levels. */
export function raisedAv1c({ format, obus }: Av1c, { level, tier }: Av1Sequence): Av1c {
  const [first = 0, second = 0, third = 0] = format;
  const profile = first & 0xe0;
  return {
    format: Uint8Array.of(profile | Math.max(first & 31, level), second | (tier << 7), third),
    obus,
  };
}

/** The sequence header among OBUs; null if there is none. */
export function sequenceOf(obus: readonly Obu[]): { obu: Obu; sequence: Av1Sequence } | null {
  const obu = obus.find(({ type }) => type === obuType.sequence);
  return obu ? { obu, sequence: parseAv1Sequence(obu.payload) } : null;
}

/**
 * Whether decoding can begin at a temporal unit, that is, its first frame is a shown key frame. A key frame that is shown later
 * does not count, because the frames in between reference earlier ones.
 */
export function isAv1Key(obus: readonly Obu[], { reduced }: Pick<Av1Sequence, 'reduced'>): boolean {
  const frame = obus.find(({ type }) => type === obuType.frame || type === obuType.frameHeader);
  if (!frame) return false;
  if (reduced) return true;
  const reader = new BitReader(frame.payload);
  const existing = reader.flag();
  const [type, shown] = [reader.bits(2), reader.flag()];
  return !existing && type === 0 && shown;
}

/** A temporal unit as stored in a file: without its delimiter, and with `sequence` inserted if it has no sequence header. */
export function av1Unit(obus: readonly Obu[], sequence: Uint8Array | null): Uint8Array {
  const kept = obus.filter(({ type }) => type !== obuType.delimiter).map(({ bytes }) => bytes);
  const missing = sequence !== null && !obus.some(({ type }) => type === obuType.sequence);
  const parts = missing ? [sequence, ...kept] : kept;
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}
