import type { Unfit } from '../model/splice.ts';
import type { Avcc } from './avcc.ts';
import { movePps, nalType, type Pps, parsePps, parseSps, type Sps, typeOf } from './h264-sets.ts';
import { emitSlice, isSlice, parseSlice, type Sets } from './h264-slice.ts';

/** Parameter sets of a source whose packets can be mixed with re-encoded ones. */
export interface Splice {
  avcc: Avcc;
  sps: Sps;
  pps: Pps[];
  /** Why encoded frames cannot be moved to the source's SPS and keep their own sets instead; otherwise null. */
  immovable: Unfit | null;
  /** Ids that the source does not use, in ascending order. */
  freePpsIds: number[];
  /** Ids unused for both SPS and PPS, in ascending order; x264 gives both the same id. */
  freeSetIds: number[];
  /** Highest profile that the encoder may use. */
  profile: 'baseline' | 'main' | 'high' | 'high10' | 'high444';
}

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
  const profile = profileOf(sps);
  if (!profile) return { unfit: 'profile' };
  if (sps.chromaFormat !== 1 || sps.bitDepthLuma !== sps.bitDepthChroma) return { unfit: 'chroma_format' };
  // Decoders round a crop at the left or top edge, or ignore it, which would change the size of re-encoded frames.
  if (sps.crop[0] !== 0 || sps.crop[2] !== 0) return { unfit: 'cropped_from_the_left' };
  const idsUpTo = (count: number) => Array.from({ length: count }, (_, id) => id);
  const freePpsIds = idsUpTo(256).filter((id) => !pps.some((set) => set.id === id));
  const freeSetIds = idsUpTo(32).filter((id) => id !== sps.id && freePpsIds.includes(id));
  const immovable = freePpsIds.length === 0 ? 'no_free_pps_id' : immovableOf(sps, pps);
  if (immovable && freeSetIds.length < 2) return { unfit: immovable };
  return { avcc, sps, pps, immovable, freePpsIds, freeSetIds, profile };
}

function profileOf({ profile, bitDepthLuma, lossless }: Sps): Splice['profile'] | null {
  if (lossless && (bitDepthLuma === 8 || bitDepthLuma === 10)) return 'high444';
  if (bitDepthLuma === 10 && profile >= 110) return 'high10';
  if (bitDepthLuma !== 8) return null;
  const named: Record<number, Splice['profile']> = { 66: 'baseline', 77: 'main' };
  return profile >= 100 ? 'high' : (named[profile] ?? null);
}

function immovableOf(sps: Sps, pps: readonly Pps[]): Unfit | null {
  // The encoder writes its frames otherwise than a source that also has fields.
  if (!sps.frameMbsOnly) return 'interlaced';
  if (sps.pocType === 1) return 'poc_type';
  if (sps.scalingMatrix || pps.some((set) => set.scalingMatrix)) return 'scaling_matrix';
  if (sps.lossless) return 'lossless';
  if (pps.some((set) => set.sliceGroups > 1)) return 'slice_groups';
  if (sps.refFrames === 0) return 'no_references';
  return null;
}

/** Whether a random access point references nothing before it; an I frame with a recovery point does not count. */
export const isIdr = (nals: readonly Uint8Array[]): boolean =>
  nals.some((nal) => typeOf(nal) === nalType.idr);

/** Whether an access unit contains a parameter set that differs from the configuration. */
export function changesSets(nals: readonly Uint8Array[], avcc: Avcc): boolean {
  const same = (nal: Uint8Array, sets: readonly Uint8Array[]) =>
    sets.some((set) => Buffer.compare(withoutPadding(set), withoutPadding(nal)) === 0);
  return nals.some((nal) => {
    const type = typeOf(nal);
    if (type === nalType.sps) return !same(nal, avcc.sps);
    return type === nalType.pps && !same(nal, avcc.pps);
  });
}

/** Muxers that convert start codes may take the zero byte of the next one for the end of a set. */
const withoutPadding = (set: Uint8Array): Uint8Array =>
  set.subarray(0, set.findLastIndex((byte) => byte !== 0) + 1);

/** Moves frames of an encoder with bframes=0 to a source's SPS. */
export class Splicer {
  /** Added to the file's configuration: the encoder's PPS with its new id. */
  readonly added: { sps: Uint8Array[]; pps: Uint8Array[] };
  /** The sets of the moved frames. */
  readonly sets: Sets;
  #own: Sets;

  /**
   * @param sets SPS and PPS of the encoder.
   * @param idFor Chooses the id of a PPS.
   * Throws RangeError if the encoder's sets do not fit the source's.
   */
  constructor({ sps, immovable }: Splice, sets: readonly Uint8Array[], idFor: (pps: Uint8Array) => number) {
    const spsNal = sets.find((nal) => typeOf(nal) === nalType.sps);
    const ppsNal = sets.find((nal) => typeOf(nal) === nalType.pps);
    if (!spsNal || !ppsNal) throw new RangeError('the encoder has no parameter sets');
    const own = { sps: parseSps(spsNal), pps: parsePps(ppsNal) };
    const fields = ['chromaFormat', 'bitDepthLuma', 'bitDepthChroma', 'widthMbs', 'heightMapUnits'] as const;
    const other = fields.find((field) => own.sps[field] !== sps[field]);
    if (other) throw new RangeError(`the encoder's ${other} is ${own.sps[other]}, not ${sps[other]}`);
    if (immovable) throw new RangeError(`frames cannot be moved to the source's sets: ${immovable}`);
    if (immovableOf(own.sps, [own.pps])) throw new RangeError('the encoder uses coding that cannot be moved');
    if (own.sps.pocType !== 2) throw new RangeError('the encoder may reorder frames');
    if (own.sps.profile > sps.profile) throw new RangeError('the profile of the encoder is too high');
    if (own.sps.refFrames > sps.refFrames) throw new RangeError('the encoder uses too many reference frames');
    const pps = movePps(ppsNal, idFor(movePps(ppsNal, 0, sps.id)), sps.id);
    this.added = { sps: [], pps: [pps] };
    this.sets = { sps, pps: parsePps(pps) };
    this.#own = own;
  }

  /**
   * Converts the frames of one stretch in order, and returns only the slices of each.
   * @param beside idr_pic_id of the pictures before and after; the encoder's pictures get other values.
   */
  stretch(beside: readonly number[]): (nals: readonly Uint8Array[]) => Uint8Array[] {
    let [frames, frameNum, idrPicId] = [0, 0, -1];
    return (nals) => {
      const idr = isIdr(nals);
      if (idr) {
        idrPicId = otherThan([...beside, idrPicId]);
        frames = frameNum = 0;
      }
      const slices = nals.filter(isSlice).map((nal) => parseSlice(nal, this.#own));
      const place = {
        ppsId: this.sets.pps.id,
        frameNum,
        idrPicId: idr ? idrPicId : null,
        pocLsb: this.sets.sps.pocType === 0 ? 2 * frames : null,
      };
      frames += 1;
      if (slices.some(({ head }) => ((head >> 5) & 3) !== 0)) frameNum += 1;
      return slices.map((slice) => emitSlice(slice, place, this.sets.sps, this.sets.pps.cabac));
    };
  }
}

/** An idr_pic_id that differs from those of the adjacent pictures (H.264 7.4.3). */
export const otherThan = (taken: readonly number[]): number =>
  [0, 1, 2, 3].find((id) => !taken.includes(id)) ?? 0;
