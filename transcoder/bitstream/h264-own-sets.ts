import { greatest } from '../model/numbers/min-max.ts';
import type { Avcc } from './avcc.ts';
import { nalType, parsePps, parseSps, typeOf } from './h264-sets.ts';
import { emitSlice, isSlice, parseSlice, type Sets } from './h264-slice.ts';
import { isIdr, otherThan } from './h264-splice.ts';

/** An SEI message that says which field of a frame is shown first (H.264 D.1.3). */
const PICTURE_TIMING = 1;
const isPictureTiming = (nal: Uint8Array) => typeOf(nal) === nalType.sei && nal[1] === PICTURE_TIMING;

/** Frames that keep their encoder's parameter sets, under ids that the source does not use. */
export class OwnSets {
  /** Parameter sets to add to the file's configuration. */
  readonly added: { sps: Uint8Array[]; pps: Uint8Array[] };
  readonly sets: Sets;

  /** @param sets SPS and PPS of the encoder. Throws RangeError unless there is exactly one of each. */
  constructor(sets: readonly Uint8Array[]) {
    const sps = sets.filter((nal) => typeOf(nal) === nalType.sps);
    const pps = sets.filter((nal) => typeOf(nal) === nalType.pps);
    const [spsNal, ppsNal] = [sps[0], pps[0]];
    if (!spsNal || !ppsNal || sps.length + pps.length > 2)
      throw new RangeError('not exactly one SPS and one PPS');
    this.added = { sps, pps };
    this.sets = { sps: parseSps(spsNal), pps: parsePps(ppsNal) };
  }

  /** As Splicer.stretch, but changes nothing in the slices except idr_pic_id, and keeps the order of fields. */
  stretch(beside: readonly number[]): (nals: readonly Uint8Array[]) => Uint8Array[] {
    let idrPicId = -1;
    return (nals) => {
      const kept = nals.filter((nal) => isSlice(nal) || isPictureTiming(nal));
      if (!isIdr(nals)) return kept;
      idrPicId = otherThan([...beside, idrPicId]);
      return kept.map((nal) => {
        if (!isSlice(nal)) return nal;
        const slice = parseSlice(nal, this.sets);
        return emitSlice(slice, { ...slice, idrPicId }, this.sets.sps, this.sets.pps.cabac);
      });
    };
  }
}

/**
 * Adds parameter sets to a configuration and raises its profile and level to the highest among them. Throws RangeError if
 * different sets share an id.
 */
export function withSets(avcc: Avcc, added: readonly { sps: Uint8Array[]; pps: Uint8Array[] }[]): Avcc {
  const sps = distinct([...avcc.sps, ...added.flatMap((sets) => sets.sps)]);
  const pps = distinct([...avcc.pps, ...added.flatMap((sets) => sets.pps)]);
  const parsed = sps.map(parseSps);
  if (new Set(parsed.map(({ id }) => id)).size < sps.length) throw new RangeError('two sets share an id');
  if (new Set(pps.map((nal) => parsePps(nal).id)).size < pps.length)
    throw new RangeError('two sets share an id');
  if (sps.length === avcc.sps.length) return { ...avcc, pps };
  const profile = greatest(parsed.map((set) => set.profile));
  const [first] = parsed;
  const depth = (first?.bitDepthLuma ?? 8) - 8;
  const high = Uint8Array.of(0xfc | (first?.chromaFormat ?? 1), 0xf8 | depth, 0xf8 | depth, 0);
  return {
    ...avcc,
    profile,
    compatibility: parsed.reduce((common, set) => common & set.constraints, 0xff),
    level: greatest(parsed.map(({ level }) => level)),
    ...{ sps, pps },
    extension: profile >= 100 && avcc.extension.length === 0 ? high : avcc.extension,
  };
}

function distinct(nals: readonly Uint8Array[]): Uint8Array[] {
  return nals.filter((nal, index) => nals.findIndex((other) => Buffer.compare(other, nal) === 0) === index);
}
