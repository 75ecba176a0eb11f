import type { HevcPps } from './hevc-pps.ts';
import { parseHevcPps } from './hevc-pps.ts';
import { type HevcIds, hevcLayer, hevcNal, hevcType, parseVps, renumber } from './hevc-sets.ts';
import { asEntry, isHevcSlice, isRandomAccess, moveHevcSlice, parseHevcSlice } from './hevc-slice.ts';
import { type HevcSps, parseHevcSps } from './hevc-sps.ts';
import { buildHvcc, type Hvcc, type NalArray } from './hvcc.ts';

/** Why frames of an encoder of ours cannot stand between copied packets of a source of HEVC. */
export const hevcUnfits = [
  'parameter_sets_unreadable',
  'parameter_sets_in_band',
  'parameter_sets_change',
  'several_sps',
  'several_layers',
  'profile',
  'interlaced',
  'chroma_format',
  'bit_depth',
  'dolby_vision',
  'no_free_parameter_set_id',
] as const;
export type HevcUnfit = (typeof hevcUnfits)[number];

/** What is known of the parameter sets of a source whose packets can be copied beside rendered ones. */
export interface HevcSplice {
  hvcc: Hvcc;
  sps: HevcSps;
  /** Unused by the source. */
  free: HevcIds;
  profile: 'main' | 'main10';
}

const profiles: Record<number, HevcSplice['profile']> = { 1: 'main', 2: 'main10' };
const setTypes: readonly number[] = [hevcNal.vps, hevcNal.sps, hevcNal.pps];

/** Checks the parameter sets of a source. */
export function hevcSpliceOf(hvcc: Hvcc): HevcSplice | { unfit: HevcUnfit } {
  const [vps, sps, pps] = setTypes.map((type) => nalsOf(hvcc, type));
  if (!vps?.length || !sps?.length || !pps?.length) return { unfit: 'parameter_sets_in_band' };
  if (sps.length > 1 || vps.length > 1) return { unfit: 'several_sps' };
  try {
    return checkedSplice(hvcc, parseVps(vps[0] ?? new Uint8Array()), {
      sps: parseHevcSps(sps[0] ?? new Uint8Array()),
      pps: pps.map(parseHevcPps),
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { unfit: 'parameter_sets_unreadable' };
  }
}

function checkedSplice(
  hvcc: Hvcc,
  vps: { id: number; layers: number },
  { sps, pps }: { sps: HevcSps; pps: readonly HevcPps[] },
): HevcSplice | { unfit: HevcUnfit } {
  const layered = hvcc.arrays.some(({ nals }) => nals.some((nal) => hevcLayer(nal) > 0));
  if (vps.layers > 1 || layered) return { unfit: 'several_layers' };
  const profile = profiles[sps.general.profile];
  if (!profile) return { unfit: 'profile' };
  if (sps.fields) return { unfit: 'interlaced' };
  if (sps.chromaFormat !== 1) return { unfit: 'chroma_format' };
  if (sps.bitDepthLuma !== sps.bitDepthChroma) return { unfit: 'bit_depth' };
  const ids = pps.map(({ id }) => id);
  const free = Array.from({ length: 64 }, (_, id) => id).find((id) => !ids.includes(id));
  if (free === undefined) return { unfit: 'no_free_parameter_set_id' };
  return { hvcc, sps, profile, free: { vps: vps.id === 0 ? 1 : 0, sps: sps.id === 0 ? 1 : 0, pps: free } };
}

const nalsOf = (hvcc: Hvcc, type: number): Uint8Array[] =>
  hvcc.arrays.flatMap((array) => (array.type === type ? array.nals : []));

/**
 * How an access unit can be entered: by everything that follows, by everything that is not shown before it, or not at
 * all.
 */
export function hevcEntry(nals: readonly Uint8Array[]): 'closed' | 'open' | null {
  const type = hevcType(nals.find(isHevcSlice) ?? new Uint8Array());
  if (!isRandomAccess(type)) return null;
  const closed: readonly number[] = [hevcNal.idr, hevcNal.idrWithLeading, hevcNal.bla];
  if (closed.includes(type)) return 'closed';
  return type <= hevcNal.cra ? 'open' : null;
}

/** Why an access unit cannot be copied beside rendered ones; null where it can. */
export function hevcUnitUnfit(nals: readonly Uint8Array[], hvcc: Hvcc): HevcUnfit | null {
  for (const nal of nals) {
    const type = hevcType(nal);
    if (type === hevcNal.dolbyVision || type === hevcNal.dolbyVisionLayer) return 'dolby_vision';
    if (hevcLayer(nal) > 0) return 'several_layers';
    const known = !setTypes.includes(type) || nalsOf(hvcc, type).some((set) => equal(set, nal));
    if (!known) return 'parameter_sets_change';
  }
  return null;
}

const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

/**
 * The first access unit copied behind frames of another stream: its parameter sets are said again, and nothing before
 * it is waited for.
 */
export function enteredUnit(nals: readonly Uint8Array[], { hvcc }: HevcSplice): Uint8Array[] {
  const begun = hevcType(nals[0] ?? new Uint8Array()) === hevcNal.delimiter ? 1 : 0;
  const rest = nals.slice(begun).filter((nal) => !setTypes.includes(hevcType(nal)));
  const sets = setTypes.flatMap((type) => nalsOf(hvcc, type));
  return [...nals.slice(0, begun), ...sets, ...rest.map((nal) => (isHevcSlice(nal) ? asEntry(nal) : nal))];
}

/** Moves what an encoder made with bframes=0 to parameter set ids that the source does not use. */
export class HevcInsertion {
  #splice: HevcSplice;
  #sps: HevcSps;
  #pps: HevcPps;
  #sets: Uint8Array[];

  /** @param sets VPS, SPS and PPS of the encoder. Throws RangeError where they do not fit the source's. */
  constructor(splice: HevcSplice, sets: readonly Uint8Array[]) {
    const own = setTypes.map((type) => sets.find((nal) => hevcType(nal) === type) ?? new Uint8Array());
    this.#splice = splice;
    this.#sps = parseHevcSps(own[1] ?? new Uint8Array());
    this.#pps = parseHevcPps(own[2] ?? new Uint8Array());
    this.#sets = own.map((nal) => renumber(nal, splice.free));
    const { sps } = splice;
    const fields = ['chromaFormat', 'bitDepthLuma', 'bitDepthChroma'] as const;
    const other = fields.find((field) => this.#sps[field] !== sps[field]);
    if (other) throw new RangeError(`the encoder's ${other} is ${this.#sps[other]}, not ${sps[other]}`);
  }

  /** The configuration of the file that holds both, fit for a decoder of the higher of the two levels. */
  get hvcc(): Hvcc {
    const { hvcc } = this.#splice;
    const { general } = this.#sps;
    const arrays = setTypes.map((type, index): NalArray => {
      const added = this.#sets[index];
      return { complete: true, type, nals: [...nalsOf(hvcc, type), ...(added ? [added] : [])] };
    });
    return {
      ...hvcc,
      tier: Math.max(hvcc.tier, general.tier),
      profile: Math.max(hvcc.profile, general.profile),
      compatibility: (hvcc.compatibility & general.compatibility) >>> 0,
      constraints: hvcc.constraints.map((flags, index) => flags & (general.constraints[index] ?? 0)),
      level: Math.max(hvcc.level, general.level),
      arrays: [...arrays, ...hvcc.arrays.filter(({ type }) => !setTypes.includes(type))],
    };
  }

  configuration(): Uint8Array {
    return buildHvcc(this.hvcc);
  }

  /** The slices of the encoder's next frame; its parameter sets before those of a random access point. */
  frame(nals: readonly Uint8Array[]): Uint8Array[] {
    const sets = { sps: this.#sps, pps: this.#pps };
    const slices = nals.filter(isHevcSlice);
    const moved = slices.map((nal) => moveHevcSlice(parseHevcSlice(nal, sets), this.#splice.free.pps));
    return hevcEntry(slices) ? [...this.#sets, ...moved] : moved;
  }
}
