import { BitReader, BitWriter, stopBit } from './bits.ts';
import {
  type Marking,
  type Modification,
  readMarking,
  readModifications,
  writeMarking,
  writeModifications,
} from './h264-commands.ts';
import { nalType, type Pps, type Sps, typeOf } from './h264-sets.ts';
import { addEmulation, removeEmulation } from './nal.ts';

/** The parameter sets of a slice header. */
export interface Sets {
  sps: Sps;
  pps: Pps;
}

/** The reference lists of a slice and the marking of its picture. */
interface SliceReferences {
  /** Entries of each list: none for I slices, one list for P, two for B. */
  active: number[];
  /** For each list. */
  modifications: Modification[][];
  /** Bits of the modifications. */
  modified: Bits;
  /** Null for a sliding window, an IDR picture, or a picture that is not kept for reference. */
  marking: Marking[] | null;
  /** Bits of the marking; empty if the picture is not kept for reference. */
  marked: Bits;
}

/** First bit, and the one after the last. */
type Bits = readonly [number, number];

/** A slice of a frame or field (H.264 7.3.3) with the parts of its header that depend on its position in the stream. */
export interface Slice extends SliceReferences {
  /** First byte of the NAL unit. */
  head: number;
  firstMb: number;
  /** slice_type, 0–9; modulo 5: P, B, I, SP, SI. */
  type: number;
  ppsId: number;
  frameNum: number;
  /** Null for a frame. */
  field: 'top' | 'bottom' | null;
  /** Null if the picture is not an IDR. */
  idrPicId: number | null;
  /** Null if the sequence does not code it. */
  pocLsb: number | null;
  /** How much later the bottom field is in picture order. */
  bottomDelta: number;
  /** slice_qp_delta, relative to `initQp` of the PPS. */
  qpDelta: number;
  /** The unescaped NAL unit. */
  rbsp: Uint8Array;
  /** Bit positions: end of the fields above, end of the header, stop bit. */
  rest: number;
  data: number;
  end: number;
}

export const isSlice = (nal: Uint8Array): boolean =>
  typeOf(nal) === nalType.slice || typeOf(nal) === nalType.idr;

/** Reads the PPS id of a slice, which determines the sets to parse the rest with. */
export function ppsIdOf(nal: Uint8Array): number {
  const reader = new BitReader(removeEmulation(nal.subarray(0, 32)), 8);
  reader.unsigned();
  reader.unsigned();
  return reader.unsigned();
}

/** Throws RangeError if the header is damaged, or uses coding that is never copied: POC type 1, slice groups. */
export function parseSlice(nal: Uint8Array, { sps, pps }: Sets): Slice {
  if (sps.pocType === 1 || sps.separatePlanes || pps.sliceGroups > 1) {
    throw new RangeError('this slice coding is not supported');
  }
  const rbsp = removeEmulation(nal);
  const reader = new BitReader(rbsp, 8);
  const head = nal[0] ?? 0;
  const idr = typeOf(nal) === nalType.idr;
  const [firstMb, type, ppsId] = [reader.unsigned(), reader.unsigned(), reader.unsigned()];
  if (type > 9) throw new RangeError('invalid slice type');
  const frameNum = reader.bits(sps.frameNumBits);
  const inFields = !sps.frameMbsOnly && reader.flag();
  const field = inFields ? (reader.flag() ? 'bottom' : 'top') : null;
  const idrPicId = idr ? reader.unsigned() : null;
  const pocLsb = sps.pocType === 0 ? reader.bits(sps.pocLsbBits) : null;
  const rest = reader.position;
  const bottomDelta = sps.pocType === 0 && pps.bottomFieldOrder && !field ? reader.signed() : 0;
  if (pps.redundantPictures) reader.unsigned();
  const references = readReferences(reader, { sps, pps }, type % 5, (head >> 5) & 3, idr);
  const [intra, switching] = [type % 5 === 2 || type % 5 === 4, type % 5 >= 3];
  if (pps.cabac && !intra) reader.unsigned();
  const qpDelta = reader.signed();
  if (switching) {
    if (type % 5 === 3) reader.flag();
    reader.signed();
  }
  if (pps.deblockingControl && reader.unsigned() !== 1) {
    reader.signed();
    reader.signed();
  }
  const end = stopBit(rbsp);
  if (reader.position > end) throw new RangeError('a slice header extends beyond its NAL unit');
  return {
    ...{ head, firstMb, type, ppsId, frameNum, field, idrPicId, pocLsb, bottomDelta, qpDelta },
    ...{ ...references, rbsp, rest, data: reader.position, end },
  };
}

function readReferences(
  reader: BitReader,
  { sps, pps }: Sets,
  type: number,
  referenceIdc: number,
  idr: boolean,
): SliceReferences {
  const [predicted, bipredicted] = [type === 0 || type === 3, type === 1];
  const lists = bipredicted ? 2 : predicted ? 1 : 0;
  const active = pps.refsActive.slice(0, lists);
  if (bipredicted) reader.flag();
  if (lists > 0 && reader.flag()) {
    for (let list = 0; list < lists; list++) active[list] = reader.unsigned() + 1;
  }
  if (active.some((count) => count > 32)) throw new RangeError('too many reference pictures');
  const from = reader.position;
  const modifications = active.map(() => readModifications(reader));
  const modified = [from, reader.position] as const;
  if ((pps.weightedPrediction && predicted) || (pps.weightedBipred === 1 && bipredicted)) {
    reader.unsigned();
    if (sps.chromaFormat !== 0) reader.unsigned();
    for (const count of active) {
      for (let index = 0; index < count; index++) skipWeights(reader, sps.chromaFormat !== 0);
    }
  }
  const begin = reader.position;
  if (referenceIdc !== 0 && idr) reader.bits(2);
  const marking = referenceIdc !== 0 && !idr ? readMarking(reader) : null;
  return { active, modifications, modified, marking, marked: [begin, reader.position] };
}

function skipWeights(reader: BitReader, chroma: boolean): void {
  if (reader.flag()) {
    reader.signed();
    reader.signed();
  }
  if (chroma && reader.flag()) for (let count = 0; count < 4; count++) reader.signed();
}

/** Target position of a slice: every header field that depends on the stream. */
interface Place {
  ppsId: number;
  frameNum: number;
  /** If the slice belongs to another kind of picture, it becomes part of an IDR picture. */
  idrPicId: number | null;
  pocLsb: number | null;
  /** The slice's own if absent. */
  references?: Pick<SliceReferences, 'modifications' | 'marking'>;
}

/**
 * Rewrites a slice with a header for another SPS or place. CABAC data starts at a byte boundary and is copied unchanged; CAVLC data
 * is shifted by bits.
 */
export function emitSlice(slice: Slice, place: Place, sps: Sps, cabac: boolean): Uint8Array {
  const writer = new BitWriter(slice.rbsp.length + 16);
  const entered = place.idrPicId !== null && slice.idrPicId === null;
  writer.bits(entered ? (slice.head & 0xe0) | nalType.idr : slice.head, 8);
  writer.unsigned(slice.firstMb);
  writer.unsigned(slice.type);
  writer.unsigned(place.ppsId);
  writer.bits(place.frameNum % 2 ** sps.frameNumBits, sps.frameNumBits);
  if (!sps.frameMbsOnly) writer.flag(slice.field !== null);
  if (slice.field) writer.flag(slice.field === 'bottom');
  if (place.idrPicId !== null) writer.unsigned(place.idrPicId);
  if (place.pocLsb !== null) writer.bits(place.pocLsb % 2 ** sps.pocLsbBits, sps.pocLsbBits);
  writeReferences(writer, slice, place, entered);
  if (cabac) {
    writer.align(1);
    writer.append(slice.rbsp, Math.ceil(slice.data / 8) * 8, slice.rbsp.length * 8);
  } else {
    writer.append(slice.rbsp, slice.data, slice.end + 1);
    writer.align(0);
  }
  return addEmulation(writer.bytes());
}

/** The header from behind the picture order count to its end. */
function writeReferences(writer: BitWriter, slice: Slice, { references }: Place, entered: boolean): void {
  const { rbsp, rest, modified, marked, data } = slice;
  writer.append(rbsp, rest, modified[0]);
  for (const commands of (references ?? slice).modifications) writeModifications(writer, commands);
  writer.append(rbsp, modified[1], marked[0]);
  if (entered) writer.bits(0, 2);
  else if (slice.idrPicId !== null || marked[0] === marked[1]) writer.append(rbsp, ...marked);
  else writeMarking(writer, (references ?? slice).marking);
  writer.append(rbsp, marked[1], data);
}
