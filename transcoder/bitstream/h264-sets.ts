import { BitReader, BitWriter, stopBit } from './bits.ts';
import { addEmulation, removeEmulation } from './nal.ts';

export const nalType = { slice: 1, partition: 2, idr: 5, sei: 6, sps: 7, pps: 8 } as const;

export const typeOf = (nal: Uint8Array): number => (nal[0] ?? 0) & 31;

/** The fields of an SPS (H.264 7.3.2.1.1) needed to parse slice headers and to compare streams. */
export interface Sps {
  id: number;
  profile: number;
  constraints: number;
  level: number;
  chromaFormat: number;
  separatePlanes: boolean;
  bitDepthLuma: number;
  bitDepthChroma: number;
  lossless: boolean;
  scalingMatrix: boolean;
  frameNumBits: number;
  pocType: number;
  /** Only for `pocType` 0. */
  pocLsbBits: number;
  /** Only for `pocType` 1. */
  deltaPicOrderAlwaysZero: boolean;
  refFrames: number;
  gapsInFrameNum: boolean;
  widthMbs: number;
  heightMapUnits: number;
  frameMbsOnly: boolean;
  /** Whether pairs of macroblocks of a frame may be coded as fields (MBAFF). */
  adaptiveFields: boolean;
  /** Left, right, top and bottom, in crop units. */
  crop: readonly [number, number, number, number];
  /** Bit position of the VUI in the unescaped NAL unit; null if there is none. */
  vuiAt: number | null;
}

/** The fields of a PPS (H.264 7.3.2.2) needed to parse slice headers. */
export interface Pps {
  id: number;
  spsId: number;
  cabac: boolean;
  bottomFieldOrder: boolean;
  sliceGroups: number;
  refsActive: readonly [number, number];
  weightedPrediction: boolean;
  weightedBipred: number;
  /** Quantiser of a slice whose `qpDelta` is 0. */
  initQp: number;
  deblockingControl: boolean;
  redundantPictures: boolean;
  transform8x8: boolean;
  scalingMatrix: boolean;
}

const highProfiles = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

/** Throws RangeError if the set is damaged. */
export function parseSps(nal: Uint8Array): Sps {
  const reader = new BitReader(removeEmulation(nal), 8);
  const [profile, constraints, level] = [reader.bits(8), reader.bits(8), reader.bits(8)];
  const id = reader.unsigned();
  const high = highProfiles.includes(profile);
  const chromaFormat = high ? reader.unsigned() : 1;
  const separatePlanes = high && chromaFormat === 3 ? reader.flag() : false;
  const bitDepthLuma = high ? 8 + reader.unsigned() : 8;
  const bitDepthChroma = high ? 8 + reader.unsigned() : 8;
  const lossless = high ? reader.flag() : false;
  const scalingMatrix = high ? reader.flag() : false;
  if (scalingMatrix) skipScaling(reader, chromaFormat === 3 ? 12 : 8);
  const frameNumBits = 4 + reader.unsigned();
  const pocType = reader.unsigned();
  const pocLsbBits = pocType === 0 ? 4 + reader.unsigned() : 0;
  const deltaPicOrderAlwaysZero = pocType === 1 ? skipCycle(reader) : false;
  if (pocType > 2 || frameNumBits > 16 || pocLsbBits > 16) throw new RangeError('not a valid SPS');
  const refFrames = reader.unsigned();
  const gapsInFrameNum = reader.flag();
  const [widthMbs, heightMapUnits] = [reader.unsigned() + 1, reader.unsigned() + 1];
  const frameMbsOnly = reader.flag();
  const adaptiveFields = !frameMbsOnly && reader.flag();
  reader.flag();
  const side = reader.flag() ? () => reader.unsigned() : () => 0;
  const crop = [side(), side(), side(), side()] as const;
  return {
    ...{ id, profile, constraints, level, chromaFormat, separatePlanes, bitDepthLuma, bitDepthChroma },
    ...{ lossless, scalingMatrix, frameNumBits, pocType, pocLsbBits, deltaPicOrderAlwaysZero },
    ...{ refFrames, gapsInFrameNum, widthMbs, heightMapUnits, frameMbsOnly, adaptiveFields },
    ...{ crop, vuiAt: reader.flag() ? reader.position : null },
  };
}

/** Throws RangeError if the set is damaged. @param chromaFormat chroma_format_idc of its SPS. */
export function parsePps(nal: Uint8Array, chromaFormat = 1): Pps {
  const rbsp = removeEmulation(nal);
  const reader = new BitReader(rbsp, 8);
  const [id, spsId] = [reader.unsigned(), reader.unsigned()];
  const [cabac, bottomFieldOrder] = [reader.flag(), reader.flag()];
  const sliceGroups = reader.unsigned() + 1;
  if (sliceGroups > 1) throw new RangeError('slice groups are not supported');
  const refsActive = [reader.unsigned() + 1, reader.unsigned() + 1] as const;
  const [weightedPrediction, weightedBipred] = [reader.flag(), reader.bits(2)];
  const initQp = 26 + reader.signed();
  reader.signed();
  reader.signed();
  const [deblockingControl, , redundantPictures] = [reader.flag(), reader.flag(), reader.flag()];
  const more = reader.position < stopBit(rbsp);
  const transform8x8 = more && reader.flag();
  const scalingMatrix = more && reader.flag();
  if (scalingMatrix) skipScaling(reader, 6 + (transform8x8 ? (chromaFormat === 3 ? 6 : 2) : 0));
  return {
    ...{ id, spsId, cabac, bottomFieldOrder, sliceGroups, refsActive, weightedPrediction, weightedBipred },
    ...{ initQp, deblockingControl, redundantPictures, transform8x8, scalingMatrix },
  };
}

/** Rewrites a PPS with another id and another SPS id. */
export function movePps(nal: Uint8Array, id: number, spsId: number): Uint8Array {
  const rbsp = removeEmulation(nal);
  const reader = new BitReader(rbsp, 8);
  reader.unsigned();
  reader.unsigned();
  const writer = new BitWriter(rbsp.length + 4);
  writer.bits(nal[0] ?? 0, 8);
  writer.unsigned(id);
  writer.unsigned(spsId);
  writer.append(rbsp, reader.position, stopBit(rbsp) + 1);
  writer.align(0);
  return addEmulation(writer.bytes());
}

function skipScaling(reader: BitReader, lists: number): void {
  for (let index = 0; index < lists; index++) {
    if (!reader.flag()) continue;
    let [last, next] = [8, 8];
    for (let at = 0; at < (index < 6 ? 16 : 64); at++) {
      if (next !== 0) next = (last + reader.signed() + 256) % 256;
      last = next === 0 ? last : next;
    }
  }
}

function skipCycle(reader: BitReader): boolean {
  const alwaysZero = reader.flag();
  reader.signed();
  reader.signed();
  const count = reader.unsigned();
  if (count > 255) throw new RangeError('a picture order cycle is too long');
  for (let index = 0; index < count; index++) reader.signed();
  return alwaysZero;
}
