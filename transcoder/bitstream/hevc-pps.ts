import { BitReader } from './bits.ts';
import { skipScalingLists } from './hevc-sps.ts';
import { removeEmulation } from './nal.ts';

/** The fields of a PPS (H.265 7.3.2.3) needed to parse slice headers. */
export interface HevcPps {
  id: number;
  spsId: number;
  /** Bit position after both ids in the unescaped NAL unit. */
  rest: number;
  dependentSlices: boolean;
  outputFlag: boolean;
  extraBits: number;
  cabacInit: boolean;
  refsActive: readonly [number, number];
  /** Quantiser of a slice whose `qpDelta` is 0. */
  initQp: number;
  chromaOffsets: boolean;
  weightedPrediction: boolean;
  weightedBipred: boolean;
  /** Whether slices list entry points, for tiles or wavefronts. */
  entryPoints: boolean;
  filterAcrossSlices: boolean;
  deblockingOverride: boolean;
  deblockingDisabled: boolean;
  listModification: boolean;
  headerExtension: boolean;
  chromaOffsetLists: boolean;
}

/** Throws RangeError if the set is damaged, or uses screen content, multilayer or 3D extensions. */
export function parseHevcPps(nal: Uint8Array): HevcPps {
  const reader = new BitReader(removeEmulation(nal), 16);
  const [id, spsId] = [reader.unsigned(), reader.unsigned()];
  if (id > 63 || spsId > 15) throw new RangeError('not a valid PPS');
  const rest = reader.position;
  const [dependentSlices, outputFlag, extraBits] = [reader.flag(), reader.flag(), reader.bits(3)];
  reader.flag();
  const cabacInit = reader.flag();
  const refsActive = [reader.unsigned() + 1, reader.unsigned() + 1] as const;
  const initQp = 26 + reader.signed();
  reader.flag();
  const transformSkip = reader.flag();
  if (reader.flag()) reader.unsigned();
  reader.signed();
  reader.signed();
  const [chromaOffsets, weightedPrediction, weightedBipred] = [reader.flag(), reader.flag(), reader.flag()];
  reader.flag();
  const [tiles, wavefronts] = [reader.flag(), reader.flag()];
  if (tiles) skipTiles(reader);
  const filterAcrossSlices = reader.flag();
  const deblockingControl = reader.flag();
  const deblockingOverride = deblockingControl && reader.flag();
  const deblockingDisabled = deblockingControl && reader.flag();
  if (deblockingControl && !deblockingDisabled) {
    reader.signed();
    reader.signed();
  }
  if (reader.flag()) skipScalingLists(reader);
  const listModification = reader.flag();
  reader.unsigned();
  const headerExtension = reader.flag();
  const [range, others] = reader.flag() ? [reader.flag(), reader.bits(7)] : [false, 0];
  if (others !== 0) throw new RangeError('the PPS uses unsupported extensions');
  if (range && transformSkip) reader.unsigned();
  if (range) reader.flag();
  const chromaOffsetLists = range && reader.flag();
  return {
    ...{
      id,
      spsId,
      rest,
      dependentSlices,
      outputFlag,
      extraBits,
      cabacInit,
      refsActive,
      initQp,
      chromaOffsets,
    },
    ...{ weightedPrediction, weightedBipred, entryPoints: tiles || wavefronts, filterAcrossSlices },
    ...{ deblockingOverride, deblockingDisabled, listModification, headerExtension, chromaOffsetLists },
  };
}

function skipTiles(reader: BitReader): void {
  const [columns, rows] = [reader.unsigned(), reader.unsigned()];
  if (columns > 19 || rows > 21) throw new RangeError('too many tiles');
  if (!reader.flag()) for (let count = 0; count < columns + rows; count++) reader.unsigned();
  reader.flag();
}
