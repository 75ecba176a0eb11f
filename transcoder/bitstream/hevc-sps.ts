import { BitReader } from './bits.ts';
import { type ReferenceSet, readReferenceSet } from './hevc-references.ts';
import { removeEmulation } from './nal.ts';

/** The fields of an SPS (H.265 7.3.2.2) needed to parse slice headers and to compare streams. */
export interface HevcSps {
  id: number;
  vpsId: number;
  general: HevcProfile;
  /** Start and end of its own id in the unescaped NAL unit, in bits. */
  idAt: readonly [number, number];
  chromaFormat: number;
  separatePlanes: boolean;
  width: number;
  height: number;
  bitDepthLuma: number;
  bitDepthChroma: number;
  pocLsbBits: number;
  /** Number of coding tree blocks per picture. */
  blocks: number;
  sampleAdaptiveOffset: boolean;
  referenceSets: ReferenceSet[];
  /** For each listed long-term reference, whether pictures reference it; null if the sequence uses none. */
  longTerm: boolean[] | null;
  temporalMotion: boolean;
  /** Whether pictures are fields. */
  fields: boolean;
}

/** General profile, tier and level (H.265 7.3.3), which hvcC repeats. */
export interface HevcProfile {
  tier: number;
  profile: number;
  compatibility: number;
  constraints: Uint8Array;
  level: number;
}

/** Throws RangeError if the set is damaged. */
export function parseHevcSps(nal: Uint8Array): HevcSps {
  const reader = new BitReader(removeEmulation(nal), 16);
  const [vpsId, subLayers] = [reader.bits(4), reader.bits(3)];
  reader.flag();
  const general = readProfile(reader, subLayers);
  const from = reader.position;
  const id = reader.unsigned();
  const idAt = [from, reader.position] as const;
  const chromaFormat = reader.unsigned();
  const separatePlanes = chromaFormat === 3 && reader.flag();
  const [width, height] = [reader.unsigned(), reader.unsigned()];
  if (reader.flag()) skip(reader, 4);
  const [bitDepthLuma, bitDepthChroma] = [8 + reader.unsigned(), 8 + reader.unsigned()];
  const pocLsbBits = 4 + reader.unsigned();
  if (id > 15 || chromaFormat > 3 || pocLsbBits > 16) throw new RangeError('not a valid SPS');
  skip(reader, 3 * (reader.flag() ? subLayers + 1 : 1));
  const block = 2 ** (3 + reader.unsigned() + reader.unsigned());
  skip(reader, 4);
  if (reader.flag() && reader.flag()) skipScalingLists(reader);
  reader.flag();
  const sampleAdaptiveOffset = reader.flag();
  if (reader.flag()) {
    reader.bits(8);
    skip(reader, 2);
    reader.flag();
  }
  const referenceSets = readSets(reader);
  const longTerm = reader.flag() ? readLongTerm(reader, pocLsbBits) : null;
  const temporalMotion = reader.flag();
  reader.flag();
  const fields = reader.flag() && readFields(reader);
  return {
    ...{
      id,
      vpsId,
      general,
      idAt,
      chromaFormat,
      separatePlanes,
      width,
      height,
      bitDepthLuma,
      bitDepthChroma,
    },
    ...{ pocLsbBits, blocks: Math.ceil(width / block) * Math.ceil(height / block), sampleAdaptiveOffset },
    ...{ referenceSets, longTerm, temporalMotion, fields },
  };
}

/** Skips Exp-Golomb codes. */
function skip(reader: BitReader, codes: number): void {
  for (let count = 0; count < codes; count++) reader.unsigned();
}

function readProfile(reader: BitReader, subLayers: number): HevcProfile {
  reader.bits(2);
  const [tier, profile, compatibility] = [reader.bits(1), reader.bits(5), reader.bits(32)];
  const constraints = Uint8Array.from({ length: 6 }, () => reader.bits(8));
  const level = reader.bits(8);
  const present = Array.from({ length: subLayers }, () => [reader.flag(), reader.flag()]);
  if (subLayers > 0) reader.bits(2 * (8 - subLayers));
  for (const [profiled, levelled] of present) {
    if (profiled) reader.bits(88);
    if (levelled) reader.bits(8);
  }
  return { tier, profile, compatibility, constraints, level };
}

/** H.265 7.3.4. */
export function skipScalingLists(reader: BitReader): void {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!reader.flag()) reader.unsigned();
      else skip(reader, Math.min(64, 2 ** (4 + 2 * size)) + (size > 1 ? 1 : 0));
    }
  }
}

function readSets(reader: BitReader): ReferenceSet[] {
  const count = reader.unsigned();
  if (count > 64) throw new RangeError('too many reference picture sets');
  const sets: ReferenceSet[] = [];
  while (sets.length < count) sets.push(readReferenceSet(reader, sets, false));
  return sets;
}

function readLongTerm(reader: BitReader, pocLsbBits: number): boolean[] {
  const count = reader.unsigned();
  if (count > 32) throw new RangeError('too many reference pictures');
  return Array.from({ length: count }, () => {
    reader.bits(pocLsbBits);
    return reader.flag();
  });
}

/** Parses the VUI (H.265 E.2.1) up to the flag for field pictures. */
function readFields(reader: BitReader): boolean {
  if (reader.flag() && reader.bits(8) === 255) reader.bits(32);
  if (reader.flag()) reader.flag();
  if (reader.flag()) {
    reader.bits(4);
    if (reader.flag()) reader.bits(24);
  }
  if (reader.flag()) skip(reader, 2);
  reader.flag();
  return reader.flag();
}
