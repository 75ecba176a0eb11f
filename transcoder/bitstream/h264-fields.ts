import { BitReader } from './bits.ts';
import { nalType, parseSps, type Sps, typeOf } from './h264-sets.ts';
import { isSlice } from './h264-slice.ts';
import { removeEmulation } from './nal.ts';
import { configurationOf, unitsIn } from './refresh.ts';

/** Bytes of a slice that contain its header up to `bottom_field_flag`. */
const HEADER_BYTES = 32;

type Field = 'top' | 'bottom';

/**
 * Whether a packet of H.264 holds one field alone, of which the other one follows as a packet of its own.
 * @param extradata avcC; with anything else, packets are split at start codes.
 */
export function singleFields(extradata: Uint8Array): (packet: Uint8Array) => boolean {
  const fieldsOf = fieldsIn(extradata);
  return (packet) => fieldsOf(packet).length === 1;
}

/** The fields that are pictures of their own in a packet, in the order in which they are coded; none in one that holds a frame. */
export function fieldsIn(extradata: Uint8Array): (packet: Uint8Array) => Field[] {
  const { lengthSize, sets } = configurationOf('h264', extradata);
  let sps = lastSps(sets, null);
  return (packet) => {
    try {
      const units = unitsIn(packet, lengthSize);
      sps = lastSps(units, sps);
      const known = sps;
      if (!known || known.frameMbsOnly || known.separatePlanes) return [];
      const fields = units.filter(isSlice).map((slice) => fieldOf(slice, known));
      return [...new Set(fields)].filter((field) => field !== null);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return [];
    }
  };
}

/** Whether the parameter sets of a stream rule out fields, as in progressive video. */
export function framesOnly(extradata: Uint8Array): boolean {
  const { sets } = configurationOf('h264', extradata);
  const known = sets.filter((unit) => typeOf(unit) === nalType.sps);
  return known.length > 0 && known.every((unit) => spsOf(unit)?.frameMbsOnly === true);
}

/** Null for a parameter set that is damaged. */
function spsOf(unit: Uint8Array): Sps | null {
  try {
    return parseSps(unit);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

function lastSps(units: readonly Uint8Array[], before: Sps | null): Sps | null {
  const found = units.findLast((unit) => typeOf(unit) === nalType.sps);
  return (found && spsOf(found)) ?? before;
}

/** Null for a slice of a whole frame; ISO/IEC 14496-10 section 7.3.3. */
function fieldOf(slice: Uint8Array, { frameNumBits }: Sps): Field | null {
  const reader = new BitReader(removeEmulation(slice.subarray(0, HEADER_BYTES)), 8);
  for (let field = 0; field < 3; field++) reader.unsigned();
  reader.bits(frameNumBits);
  if (!reader.flag()) return null;
  return reader.flag() ? 'bottom' : 'top';
}
