import { type Avcc, buildAvcc } from './avcc.ts';
import { movePps, nalType, type Pps, parsePps, parseSps, type Sps, typeOf } from './h264-sets.ts';
import { emitSlice, isSlice, parseSlice } from './h264-slice.ts';

/** Why frames of an encoder of ours cannot stand between copied packets of a source. */
export const unfits = [
  'parameter_sets_unreadable',
  'parameter_sets_in_band',
  'parameter_sets_change',
  'several_sps',
  'profile',
  'interlaced',
  'chroma_format',
  'poc_type',
  'scaling_matrix',
  'lossless',
  'slice_groups',
  'cropped_from_the_left',
  'no_references',
  'no_free_pps_id',
  'timestamps_missing',
] as const;
export type Unfit = (typeof unfits)[number];

/** What is known of the parameter sets of a source whose packets can be copied beside rendered ones. */
export interface Splice {
  avcc: Avcc;
  sps: Sps;
  pps: Pps[];
  /** Unused by the source. */
  freePpsId: number;
  /** The highest profile that the encoder may use. */
  profile: 'baseline' | 'main' | 'high' | 'high10';
}

const profiles: Record<number, Splice['profile']> = {
  66: 'baseline',
  77: 'main',
  100: 'high',
  110: 'high10',
};

/** Checks the parameter sets of a source. */
export function spliceOf(avcc: Avcc): Splice | { unfit: Unfit } {
  if (avcc.sps.length !== 1) return { unfit: 'several_sps' };
  let sps: Sps;
  let pps: Pps[];
  try {
    sps = parseSps(avcc.sps[0] ?? new Uint8Array());
    pps = avcc.pps.map((nal) => parsePps(nal, sps.chromaFormat));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { unfit: 'parameter_sets_unreadable' };
  }
  const profile = profiles[sps.profile];
  if (!profile) return { unfit: 'profile' };
  const unfit = unfitOf(sps, pps);
  if (unfit) return { unfit };
  const freePpsId = Array.from({ length: 256 }, (_, id) => id).find(
    (id) => !pps.some((set) => set.id === id),
  );
  if (freePpsId === undefined) return { unfit: 'no_free_pps_id' };
  return { avcc, sps, pps, freePpsId, profile };
}

function unfitOf(sps: Sps, pps: readonly Pps[]): Unfit | null {
  if (!sps.frameMbsOnly) return 'interlaced';
  if (sps.chromaFormat !== 1 || sps.bitDepthLuma !== sps.bitDepthChroma) return 'chroma_format';
  if (sps.pocType === 1) return 'poc_type';
  if (sps.scalingMatrix || pps.some((set) => set.scalingMatrix)) return 'scaling_matrix';
  if (sps.lossless) return 'lossless';
  if (pps.some((set) => set.sliceGroups > 1)) return 'slice_groups';
  if (sps.crop[0] !== 0 || sps.crop[2] !== 0) return 'cropped_from_the_left';
  if (sps.refFrames === 0) return 'no_references';
  return null;
}

/** Whether a random access point refers to nothing before it; an I frame with a recovery point does not count. */
export const isIdr = (nals: readonly Uint8Array[]): boolean =>
  nals.some((nal) => typeOf(nal) === nalType.idr);

/** Whether an access unit brings a parameter set that the configuration does not hold. */
export function changesSets(nals: readonly Uint8Array[], avcc: Avcc): boolean {
  const same = (nal: Uint8Array, sets: readonly Uint8Array[]) =>
    sets.some((set) => set.length === nal.length && set.every((byte, index) => byte === nal[index]));
  return nals.some((nal) => {
    const type = typeOf(nal);
    if (type === nalType.sps) return !same(nal, avcc.sps);
    return type === nalType.pps && !same(nal, avcc.pps);
  });
}

/** Moves what an encoder made with bframes=0 onto the sequence parameter set of a source. */
export class Splicer {
  #splice: Splice;
  #sps: Sps;
  #pps: Pps;
  #ppsNal: Uint8Array;
  #idrPicId: number;
  #frames = 0;
  #frameNum = 0;

  /**
   * @param sets SPS and PPS of the encoder.
   * @param idrPicIds Those of the pictures beside; that of the encoder's becomes another.
   * Throws RangeError where the encoder's sets do not fit the source's.
   */
  constructor(splice: Splice, sets: readonly Uint8Array[], idrPicIds: readonly number[]) {
    const spsNal = sets.find((nal) => typeOf(nal) === nalType.sps);
    const ppsNal = sets.find((nal) => typeOf(nal) === nalType.pps);
    if (!spsNal || !ppsNal) throw new RangeError('an encoder without parameter sets');
    this.#splice = splice;
    this.#sps = parseSps(spsNal);
    this.#pps = parsePps(ppsNal);
    this.#ppsNal = ppsNal;
    this.#idrPicId = [0, 1, 2].find((id) => !idrPicIds.includes(id)) ?? 0;
    const { sps } = splice;
    const fields = ['chromaFormat', 'bitDepthLuma', 'bitDepthChroma', 'widthMbs', 'heightMapUnits'] as const;
    const other = fields.find((field) => this.#sps[field] !== sps[field]);
    if (other) throw new RangeError(`the encoder's ${other} is ${this.#sps[other]}, not ${sps[other]}`);
    if (unfitOf(this.#sps, [this.#pps])) throw new RangeError('the encoder codes as no source may');
    if (this.#sps.profile > sps.profile) throw new RangeError('the profile of the encoder is too high');
    if (this.#sps.refFrames > sps.refFrames) throw new RangeError('the encoder refers to too many frames');
  }

  /** The configuration of the file that holds both. */
  avcc(): Uint8Array {
    const { avcc, freePpsId, sps } = this.#splice;
    return buildAvcc({ ...avcc, pps: [...avcc.pps, movePps(this.#ppsNal, freePpsId, sps.id)] });
  }

  /** The slices of the encoder's next frame, and nothing else of it. */
  frame(nals: readonly Uint8Array[]): Uint8Array[] {
    const { sps, freePpsId } = this.#splice;
    const sets = { sps: this.#sps, pps: this.#pps };
    const idr = isIdr(nals);
    if (idr) this.#frames = this.#frameNum = 0;
    const slices = nals.filter(isSlice).map((nal) => parseSlice(nal, sets));
    const place = {
      ppsId: freePpsId,
      frameNum: this.#frameNum,
      idrPicId: idr ? this.#idrPicId : null,
      pocLsb: sps.pocType === 0 ? 2 * this.#frames : null,
    };
    this.#frames += 1;
    if (slices.some(({ head }) => ((head >> 5) & 3) !== 0)) this.#frameNum += 1;
    return slices.map((slice) => emitSlice(slice, place, sps, this.#pps.cabac));
  }
}
