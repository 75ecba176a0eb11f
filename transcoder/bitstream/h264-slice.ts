import { BitReader, BitWriter, stopBit } from './bits.ts';
import { nalType, type Pps, type Sps, typeOf } from './h264-sets.ts';
import { addEmulation, removeEmulation } from './nal.ts';

/** The parameter sets of a slice header. */
export interface Sets {
  sps: Sps;
  pps: Pps;
}

/** A slice of a frame (H.264 7.3.3) with the header fields that depend on its position in the stream. */
interface Slice {
  /** First byte of the NAL unit. */
  head: number;
  firstMb: number;
  /** slice_type, 0–9; modulo 5: P, B, I, SP, SI. */
  type: number;
  ppsId: number;
  frameNum: number;
  /** Null if the picture is not an IDR. */
  idrPicId: number | null;
  /** Null if the sequence does not code it. */
  pocLsb: number | null;
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

/** Throws RangeError if the header is damaged, or uses coding that is never copied: fields, POC type 1, slice groups. */
export function parseSlice(nal: Uint8Array, { sps, pps }: Sets): Slice {
  if (!sps.frameMbsOnly || sps.pocType === 1 || sps.separatePlanes || pps.sliceGroups > 1) {
    throw new RangeError('this slice coding is not supported');
  }
  const rbsp = removeEmulation(nal);
  const reader = new BitReader(rbsp, 8);
  const head = nal[0] ?? 0;
  const idr = typeOf(nal) === nalType.idr;
  const [firstMb, type, ppsId] = [reader.unsigned(), reader.unsigned(), reader.unsigned()];
  if (type > 9) throw new RangeError('invalid slice type');
  const frameNum = reader.bits(sps.frameNumBits);
  const idrPicId = idr ? reader.unsigned() : null;
  const pocLsb = sps.pocType === 0 ? reader.bits(sps.pocLsbBits) : null;
  const rest = reader.position;
  if (sps.pocType === 0 && pps.bottomFieldOrder) reader.signed();
  if (pps.redundantPictures) reader.unsigned();
  skipReferences(reader, { sps, pps }, type % 5, (head >> 5) & 3, idr);
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
    ...{ head, firstMb, type, ppsId, frameNum, idrPicId, pocLsb, qpDelta },
    ...{ rbsp, rest, data: reader.position, end },
  };
}

function skipReferences(
  reader: BitReader,
  { sps, pps }: Sets,
  type: number,
  referenceIdc: number,
  idr: boolean,
): void {
  const [predicted, bipredicted] = [type === 0 || type === 3, type === 1];
  const active = [...pps.refsActive];
  if (bipredicted) reader.flag();
  if ((predicted || bipredicted) && reader.flag()) {
    active[0] = reader.unsigned() + 1;
    if (bipredicted) active[1] = reader.unsigned() + 1;
  }
  if (active.some((count) => count > 32)) throw new RangeError('too many reference pictures');
  const lists = bipredicted ? 2 : predicted ? 1 : 0;
  for (let list = 0; list < lists; list++) {
    if (!reader.flag()) continue;
    for (let count = 0; reader.unsigned() !== 3; count++) {
      if (count > 66) throw new RangeError('a reference list modification does not end');
      reader.unsigned();
    }
  }
  if ((pps.weightedPrediction && predicted) || (pps.weightedBipred === 1 && bipredicted)) {
    reader.unsigned();
    if (sps.chromaFormat !== 0) reader.unsigned();
    for (let list = 0; list < lists; list++) {
      for (let index = 0; index < (active[list] ?? 0); index++) skipWeights(reader, sps.chromaFormat !== 0);
    }
  }
  if (referenceIdc === 0) return;
  if (idr) reader.bits(2);
  else if (reader.flag()) {
    for (let count = 0; ; count++) {
      const operation = reader.unsigned();
      if (operation === 0) break;
      if (operation > 6 || count > 66) throw new RangeError('invalid memory management operation');
      if (operation !== 5) reader.unsigned();
      if (operation === 3) reader.unsigned();
    }
  }
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
  idrPicId: number | null;
  pocLsb: number | null;
}

/**
 * Rewrites a slice with a header for another SPS. CABAC data starts at a byte boundary and is copied unchanged; CAVLC data is
 * shifted by bits.
 */
export function emitSlice(slice: Slice, place: Place, sps: Sps, cabac: boolean): Uint8Array {
  const writer = new BitWriter(slice.rbsp.length + 16);
  writer.bits(slice.head, 8);
  writer.unsigned(slice.firstMb);
  writer.unsigned(slice.type);
  writer.unsigned(place.ppsId);
  writer.bits(place.frameNum % 2 ** sps.frameNumBits, sps.frameNumBits);
  if (place.idrPicId !== null) writer.unsigned(place.idrPicId);
  if (place.pocLsb !== null) writer.bits(place.pocLsb % 2 ** sps.pocLsbBits, sps.pocLsbBits);
  writer.append(slice.rbsp, slice.rest, slice.data);
  if (cabac) {
    writer.align(1);
    writer.append(slice.rbsp, Math.ceil(slice.data / 8) * 8, slice.rbsp.length * 8);
  } else {
    writer.append(slice.rbsp, slice.data, slice.end + 1);
    writer.align(0);
  }
  return addEmulation(writer.bytes());
}
