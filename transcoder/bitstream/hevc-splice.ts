import { greatest } from '../model/numbers/min-max.ts';
import type { Entry, Unfit } from '../model/splice.ts';
import { type HevcPps, parseHevcPps } from './hevc-pps.ts';
import { type HevcIds, hevcLayer, hevcNal, hevcType, parseVps, renumber } from './hevc-sets.ts';
import { asEntry, isHevcSlice, moveHevcSlice, parseHevcSlice } from './hevc-slice.ts';
import { type HevcProfile, type HevcSps, parseHevcSps } from './hevc-sps.ts';
import type { Hvcc, NalArray } from './hvcc.ts';

/** Parameter sets of a source whose packets can be mixed with re-encoded ones. */
export interface HevcSplice {
  hvcc: Hvcc;
  sps: HevcSps;
  pps: readonly HevcPps[];
  /** Ids that the source does not use, in ascending order. */
  free: HevcIds[];
  profile: 'main' | 'main10';
}

const profiles: Record<number, HevcSplice['profile']> = { 1: 'main', 2: 'main10' };
const setTypes: readonly number[] = [hevcNal.vps, hevcNal.sps, hevcNal.pps];

export function hevcSpliceOf(hvcc: Hvcc): HevcSplice | { unfit: Unfit } {
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
): HevcSplice | { unfit: Unfit } {
  const layered = hvcc.arrays.some(({ nals }) => nals.some((nal) => hevcLayer(nal) > 0));
  if (vps.layers > 1 || layered) return { unfit: 'several_layers' };
  const profile = profiles[sps.general.profile];
  if (!profile) return { unfit: 'profile' };
  if (sps.fields) return { unfit: 'interlaced' };
  if (sps.chromaFormat !== 1) return { unfit: 'chroma_format' };
  if (sps.bitDepthLuma !== sps.bitDepthChroma) return { unfit: 'bit_depth' };
  const unused = (count: number, used: readonly number[]) =>
    Array.from({ length: count }, (_, id) => id).filter((id) => !used.includes(id));
  const [spsIds, ppsIds] = [
    unused(16, [sps.id]),
    unused(
      64,
      pps.map(({ id }) => id),
    ),
  ];
  const free = unused(16, [vps.id]).flatMap((id, index): HevcIds[] => {
    const [forSps, forPps] = [spsIds[index], ppsIds[index]];
    return forSps === undefined || forPps === undefined ? [] : [{ vps: id, sps: forSps, pps: forPps }];
  });
  return free.length === 0 ? { unfit: 'no_free_pps_id' } : { hvcc, sps, pps, profile, free };
}

const nalsOf = (hvcc: Hvcc, type: number): Uint8Array[] =>
  hvcc.arrays.flatMap((array) => (array.type === type ? array.nals : []));

/**
 * How decoding can begin at an access unit: `closed`, `open` or not at all (null). An IDR picture that may have leading pictures
 * counts as open.
 */
export function hevcEntry(nals: readonly Uint8Array[]): Entry | null {
  const type = hevcType(nals.find(isHevcSlice) ?? new Uint8Array());
  if (type < hevcNal.blaWithLeading || type > hevcNal.cra) return null;
  return type === hevcNal.idr || type === hevcNal.bla ? 'closed' : 'open';
}

/** Why an access unit cannot be copied next to re-encoded ones; null if it can. */
export function hevcUnitUnfit(nals: readonly Uint8Array[], hvcc: Hvcc): Unfit | null {
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
 * Converts the first access unit copied after frames of another stream: repeats its parameter sets, and makes decoding
 * independent of anything before it.
 */
export function enteredUnit(nals: readonly Uint8Array[], { hvcc }: HevcSplice): Uint8Array[] {
  const begun = hevcType(nals[0] ?? new Uint8Array()) === hevcNal.delimiter ? 1 : 0;
  const rest = nals.slice(begun).filter((nal) => !setTypes.includes(hevcType(nal)));
  const sets = setTypes.flatMap((type) => nalsOf(hvcc, type));
  return [...nals.slice(0, begun), ...sets, ...rest.map((nal) => (isHevcSlice(nal) ? asEntry(nal) : nal))];
}

/** Whether a unit has the color volume or the light level of HDR10 as its first message (H.265, D.2.28 and D.2.35). */
const isMastering = (nal: Uint8Array): boolean =>
  hevcType(nal) === hevcNal.prefixSei && (nal[2] === MASTERING_DISPLAY || nal[2] === CONTENT_LIGHT);
const [MASTERING_DISPLAY, CONTENT_LIGHT] = [137, 144];

/** Moves frames of an encoder with bframes=0 to parameter set ids that the source does not use. */
export class HevcSplicer {
  /** VPS, SPS and PPS of the encoder, with their new ids. */
  readonly moved: readonly Uint8Array[];
  readonly general: HevcProfile;
  /** Units with HDR10 metadata of the encoder's header. */
  readonly #mastering: readonly Uint8Array[];
  #ppsId: number;
  #sets: { sps: HevcSps; pps: HevcPps };

  /**
   * @param sets The encoder's header, with a VPS, an SPS and a PPS.
   * @param ids Ids that the source does not use.
   * Throws RangeError if the encoder's sets do not fit the source's.
   */
  constructor({ sps }: HevcSplice, sets: readonly Uint8Array[], ids: HevcIds) {
    const own = setTypes.map((type) => sets.find((nal) => hevcType(nal) === type) ?? new Uint8Array());
    this.#sets = {
      sps: parseHevcSps(own[1] ?? new Uint8Array()),
      pps: parseHevcPps(own[2] ?? new Uint8Array()),
    };
    const fields = ['chromaFormat', 'bitDepthLuma', 'bitDepthChroma'] as const;
    const other = fields.find((field) => this.#sets.sps[field] !== sps[field]);
    if (other) throw new RangeError(`the encoder's ${other} is ${this.#sets.sps[other]}, not ${sps[other]}`);
    this.moved = own.map((nal) => renumber(nal, ids));
    this.#mastering = sets.filter(isMastering);
    this.general = this.#sets.sps.general;
    this.#ppsId = ids.pps;
  }

  /** The slices of an encoded frame; at a random access point, preceded by what the encoder's header says. */
  frame(nals: readonly Uint8Array[]): Uint8Array[] {
    const slices = nals.filter(isHevcSlice);
    const moved = slices.map((nal) => moveHevcSlice(parseHevcSlice(nal, this.#sets), this.#ppsId));
    return hevcEntry(slices) ? [...this.moved, ...this.#mastering, ...moved] : moved;
  }
}

/** Configuration of a file with both streams, for a decoder of the highest level among them. */
export function joinedHvcc({ hvcc }: HevcSplice, splicers: readonly HevcSplicer[]): Hvcc {
  const generals = splicers.map(({ general }) => general);
  const arrays = setTypes.map((type, index): NalArray => {
    const added = splicers.flatMap(({ moved }) => moved[index] ?? []);
    return { complete: true, type, nals: [...nalsOf(hvcc, type), ...added] };
  });
  return {
    ...hvcc,
    tier: greatest([hvcc.tier, ...generals.map(({ tier }) => tier)]),
    profile: greatest([hvcc.profile, ...generals.map(({ profile }) => profile)]),
    compatibility: generals.reduce(
      (flags, { compatibility }) => (flags & compatibility) >>> 0,
      hvcc.compatibility,
    ),
    constraints: hvcc.constraints.map((flags, index) =>
      generals.reduce((both, { constraints }) => both & (constraints[index] ?? 0), flags),
    ),
    level: greatest([hvcc.level, ...generals.map(({ level }) => level)]),
    arrays: [...arrays, ...hvcc.arrays.filter(({ type }) => !setTypes.includes(type))],
  };
}
