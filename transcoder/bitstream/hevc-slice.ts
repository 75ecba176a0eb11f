import { BitReader, BitWriter } from './bits.ts';
import type { HevcPps } from './hevc-pps.ts';
import { readReferenceSet } from './hevc-references.ts';
import { hevcNal, hevcType } from './hevc-sets.ts';
import type { HevcSps } from './hevc-sps.ts';
import { addEmulation, removeEmulation } from './nal.ts';

/** The parameter sets of a slice header. */
interface HevcSets {
  sps: HevcSps;
  pps: HevcPps;
}

/** A slice segment (H.265 7.3.6) with the header fields that refer to its parameter sets. */
interface HevcSlice {
  first: boolean;
  /** Null if the picture is not a random access point. */
  noOutputOfPriorPics: boolean | null;
  ppsId: number;
  /** Null in a dependent segment, which takes it from the one before. */
  coding: HevcCoding | null;
  /** The NAL unit, and its unescaped payload. */
  nal: Uint8Array;
  rbsp: Uint8Array;
  /** Bit positions in the payload: end of the fields above, end of the header. */
  rest: number;
  end: number;
}

interface HevcCoding {
  /** Value of `hevcSliceTypes`. */
  type: number;
  /** slice_qp_delta, relative to `initQp` of the PPS. */
  qpDelta: number;
}

export const isHevcSlice = (nal: Uint8Array): boolean => hevcType(nal) < hevcNal.vps;
/** Random access pictures: IDR, CRA and BLA. */
export const isRandomAccess = (type: number): boolean =>
  type >= hevcNal.blaWithLeading && type <= hevcNal.lastRandomAccess;

export const hevcSliceTypes = { b: 0, p: 1, i: 2 } as const;

/** Reads the PPS id of a slice, which determines the sets to parse the rest with. */
export function hevcPpsIdOf(nal: Uint8Array): number {
  return readPlace(new BitReader(removeEmulation(nal.subarray(0, 32)), 16), hevcType(nal)).ppsId;
}

function readPlace(reader: BitReader, type: number) {
  const first = reader.flag();
  const noOutputOfPriorPics = isRandomAccess(type) ? reader.flag() : null;
  return { first, noOutputOfPriorPics, ppsId: reader.unsigned() };
}

/** Throws RangeError if the header is damaged. */
export function parseHevcSlice(nal: Uint8Array, sets: HevcSets): HevcSlice {
  const rbsp = removeEmulation(nal);
  const reader = new BitReader(rbsp, 16);
  const place = readPlace(reader, hevcType(nal));
  const rest = reader.position;
  const { sps, pps } = sets;
  const dependent = !place.first && pps.dependentSlices && reader.flag();
  if (!place.first) reader.bits(Math.ceil(Math.log2(sps.blocks)));
  const coding = dependent ? null : readIndependent(reader, sets, hevcType(nal));
  if (pps.entryPoints) {
    const count = reader.unsigned();
    if (count > sps.blocks) throw new RangeError('too many entry points');
    const length = count > 0 ? reader.unsigned() + 1 : 0;
    if (length > 32) throw new RangeError('entry point offsets are too long');
    for (let index = 0; index < count; index++) reader.bits(length);
  }
  if (pps.headerExtension) {
    const bytes = reader.unsigned();
    if (bytes > 256) throw new RangeError('a slice header extension is too long');
    reader.bits(8 * bytes);
  }
  const end = reader.position;
  if (!reader.flag()) throw new RangeError('a slice header lacks its alignment bits');
  while (reader.position % 8 !== 0)
    if (reader.flag()) throw new RangeError('a slice header lacks its alignment bits');
  return { ...place, coding, nal, rbsp, rest, end };
}

function readIndependent(reader: BitReader, { sps, pps }: HevcSets, nal: number): HevcCoding {
  reader.bits(pps.extraBits);
  const type = reader.unsigned();
  if (type > hevcSliceTypes.i) throw new RangeError('invalid slice type');
  if (pps.outputFlag) reader.flag();
  if (sps.separatePlanes) reader.bits(2);
  const chroma = sps.chromaFormat !== 0 && !sps.separatePlanes;
  const idr = nal === hevcNal.idr || nal === hevcNal.idrWithLeading;
  const { references, temporalMotion } = idr
    ? { references: 0, temporalMotion: false }
    : readReferences(reader, sps);
  const offset = sps.sampleAdaptiveOffset ? [reader.flag(), chroma && reader.flag()] : [];
  if (type !== hevcSliceTypes.i) skipPrediction(reader, pps, { type, references, temporalMotion, chroma });
  const qpDelta = reader.signed();
  if (pps.chromaOffsets) {
    reader.signed();
    reader.signed();
  }
  if (pps.chromaOffsetLists) reader.flag();
  let disabled = pps.deblockingDisabled;
  if (pps.deblockingOverride && reader.flag()) {
    disabled = reader.flag();
    if (!disabled) {
      reader.signed();
      reader.signed();
    }
  }
  if (pps.filterAcrossSlices && (offset.includes(true) || !disabled)) reader.flag();
  return { type, qpDelta };
}

function readReferences(reader: BitReader, sps: HevcSps) {
  reader.bits(sps.pocLsbBits);
  const { referenceSets, longTerm } = sps;
  const listed = reader.flag();
  const index = listed ? reader.bits(Math.ceil(Math.log2(referenceSets.length || 1))) : 0;
  const set = listed ? referenceSets[index] : readReferenceSet(reader, referenceSets, true);
  if (!set) throw new RangeError('a reference picture set does not exist');
  let references = [...set.before, ...set.after].filter(({ used }) => used).length;
  if (longTerm) {
    const fromSps = longTerm.length > 0 ? reader.unsigned() : 0;
    const count = fromSps + reader.unsigned();
    if (count > 33) throw new RangeError('too many reference pictures');
    for (let at = 0; at < count; at++) {
      let used: boolean | undefined;
      if (at < fromSps) used = longTerm[reader.bits(Math.ceil(Math.log2(longTerm.length)))];
      else {
        reader.bits(sps.pocLsbBits);
        used = reader.flag();
      }
      if (used) references += 1;
      if (reader.flag()) reader.unsigned();
    }
  }
  return { references, temporalMotion: sps.temporalMotion && reader.flag() };
}

interface Predicted {
  type: number;
  /** Number of pictures that the current one references. */
  references: number;
  temporalMotion: boolean;
  chroma: boolean;
}

function skipPrediction(reader: BitReader, pps: HevcPps, picture: Predicted): void {
  const { type, references, temporalMotion, chroma } = picture;
  const both = type === hevcSliceTypes.b;
  const active = [pps.refsActive[0], both ? pps.refsActive[1] : 0];
  if (reader.flag()) {
    active[0] = reader.unsigned() + 1;
    if (both) active[1] = reader.unsigned() + 1;
  }
  if (active.some((count) => count > 16)) throw new RangeError('too many reference pictures');
  if (pps.listModification && references > 1) {
    const bits = Math.ceil(Math.log2(references));
    for (const count of both ? active : active.slice(0, 1)) if (reader.flag()) reader.bits(bits * count);
  }
  if (both) reader.flag();
  if (pps.cabacInit) reader.flag();
  if (temporalMotion) {
    const list = both && !reader.flag() ? 1 : 0;
    if ((active[list] ?? 0) > 1) reader.unsigned();
  }
  if (both ? pps.weightedBipred : pps.weightedPrediction) {
    reader.unsigned();
    if (chroma) reader.signed();
    for (const count of both ? active : active.slice(0, 1)) skipWeights(reader, count, chroma);
  }
  reader.unsigned();
}

/** H.265 7.3.6.3, for one list. */
function skipWeights(reader: BitReader, count: number, chroma: boolean): void {
  const flags = () => Array.from({ length: count }, () => reader.flag());
  const luma = flags();
  const chromas = chroma ? flags() : [];
  for (let index = 0; index < count; index++) {
    const codes = (luma[index] ? 2 : 0) + (chromas[index] ? 4 : 0);
    for (let code = 0; code < codes; code++) reader.signed();
  }
}

/**
 * Rewrites a slice for another PPS. Its data is copied unchanged, emulation prevention bytes included: the byte before it is never
 * zero, and entry point offsets count those bytes, too.
 */
export function moveHevcSlice({ nal, rbsp, ...slice }: HevcSlice, ppsId: number): Uint8Array {
  const writer = new BitWriter(Math.ceil(slice.end / 8) + 4);
  writer.append(rbsp, 0, 16);
  writer.flag(slice.first);
  if (slice.noOutputOfPriorPics !== null) writer.flag(slice.noOutputOfPriorPics);
  writer.unsigned(ppsId);
  writer.append(rbsp, slice.rest, slice.end);
  writer.bit(1);
  writer.align(0);
  const header = addEmulation(writer.bytes());
  const data = nal.subarray(escapedLength(nal, Math.floor(slice.end / 8) + 1));
  const made = new Uint8Array(header.length + data.length);
  made.set(header);
  made.set(data, header.length);
  return made;
}

/** Number of bytes in an escaped NAL unit that hold this many bytes of its payload. */
function escapedLength(nal: Uint8Array, payload: number): number {
  let [at, zeros] = [0, 0];
  for (let count = 0; count < payload; at++) {
    const byte = nal[at];
    const prevention = zeros >= 2 && byte === 3;
    zeros = byte === 0 ? zeros + 1 : 0;
    if (!prevention) count += 1;
  }
  return at;
}

/**
 * Converts a slice of a random access point that follows frames of another stream: CRA becomes BLA without leading pictures, and
 * no_output_of_prior_pics_flag is cleared, which keeps frames that are still to be shown.
 */
export function asEntry(nal: Uint8Array): Uint8Array {
  const gaveUp = ((nal[2] ?? 0) & 0x40) !== 0;
  const made = Uint8Array.from(gaveUp ? removeEmulation(nal) : nal);
  if (hevcType(nal) === hevcNal.cra) made[0] = ((made[0] ?? 0) & 0x81) | (hevcNal.bla << 1);
  if (!gaveUp) return made;
  made[2] = (made[2] ?? 0) & ~0x40;
  return addEmulation(made);
}
