import type { Entrance } from './codec.ts';
import { CopiedReferences } from './h264-references.ts';
import { typeOf } from './h264-sets.ts';
import { emitSlice, isSlice, parseSlice, ppsIdOf, type Sets, type Slice } from './h264-slice.ts';
import { isIdr, otherThan, type Splice } from './h264-splice.ts';
import { joinLengths, splitLengths } from './nal.ts';
import { PictureOrder } from './picture-order.ts';
import { recoveryPoint } from './refresh.ts';

const I = 2;
/** NAL units of scalable and stereo streams (H.264 annexes G and H), which repeat what kind of picture they belong to. */
const extended: readonly number[] = [14, 15, 20, 21];
/** Operations of an entry that an IDR picture makes unnecessary: it removes all pictures before it. */
const removing: readonly number[] = [1, 2, 4];

/**
 * Whether everything shown after an access unit decodes correctly from there: an intra frame with a recovery point of no frames, in a
 * stream that does not code fields as pictures of their own. Damaged ones are no entries.
 */
export function isOpenEntry(nals: readonly Uint8Array[], splice: Splice): boolean {
  if (nals.some((nal) => extended.includes(typeOf(nal)))) return false;
  const { frameMbsOnly, adaptiveFields } = splice.sps;
  if (!frameMbsOnly && !adaptiveFields) return false;
  try {
    if (recoveryPoint(nals)?.frames !== 0) return false;
    const slices = slicesOf(nals, splice);
    return slices.length > 0 && slices.every(canEnter);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

const canEnter = ({ type, head, marking, field }: Slice): boolean =>
  type % 5 === I &&
  field === null &&
  ((head >> 5) & 3) !== 0 &&
  (marking ?? []).every(({ operation }) => removing.includes(operation));

/**
 * Turns an open entry into an IDR picture, and the pictures after it up to the next IDR picture into ones that follow it: frame
 * numbers and picture order counts begin at 0, and no command names a picture from before it. Of what an IDR picture begins, only its
 * idr_pic_id may change: two IDR pictures in a row need different ones (H.264 7.4.3).
 */
export class H264Entrance implements Entrance {
  passed = false;
  #splice: Splice;
  /** idr_pic_id of the picture before the entry; null if it has none. */
  #before: number | null;
  /** idr_pic_id of the entry, where it gets another one. */
  #id: number;
  /** Whether the entry is an IDR picture that got another idr_pic_id. */
  #renamed = false;
  /** Null before the entry. */
  #references: CopiedReferences | null = null;
  #order: PictureOrder;
  /** Pictures after the entry, leading ones included. */
  #count = 0;

  /** @param before idr_pic_id of the picture before the entry; null if it has none. */
  constructor(splice: Splice, before: number | null) {
    this.#splice = splice;
    this.#before = before;
    // Encoders count in 0 and 1, or upwards: the picture after the entry may be an IDR picture, too.
    this.#id = otherThan([0, 1, ...(before === null ? [] : [before, before + 1])]);
    this.#order = new PictureOrder(2 ** splice.sps.pocLsbBits);
  }

  packet(packet: Uint8Array, leading: boolean): Uint8Array | null {
    if (this.passed) return packet;
    const { lengthSize } = this.#splice.avcc;
    const nals = splitLengths(packet, lengthSize);
    if (isIdr(nals)) return this.#idr(packet, nals);
    if (this.#renamed) {
      this.passed = true;
      return packet;
    }
    const slices = slicesOf(nals, this.#splice);
    const [slice] = slices;
    if (!slice) throw new RangeError('a packet has no picture');
    if (slice.field) throw new RangeError('references between fields are not followed');
    const rewritten = this.#references
      ? this.#followed(this.#references, slice, slices, leading)
      : this.#begun(slice, slices, recoveryPoint(nals)?.exact === true);
    if (!rewritten) return null;
    return this.#withSlices(nals, rewritten);
  }

  #idr(packet: Uint8Array, nals: readonly Uint8Array[]): Uint8Array {
    const follows = this.#renamed || (this.#references !== null && this.#count === 0);
    if (follows && idsOf(nals, this.#splice).includes(this.#id)) {
      throw new RangeError('the next IDR picture has the id of the entry');
    }
    const first = !follows && !this.#references;
    if (!first || this.#before === null || !this.#isAlike(nals, this.#before)) {
      this.passed = true;
      return packet;
    }
    this.#renamed = true;
    const renamed = slicesOf(nals, this.#splice).map((slice) => {
      const { sps, pps } = setsOf(slice.ppsId, this.#splice);
      return emitSlice(
        slice,
        { ...slice, idrPicId: slice.idrPicId === null ? null : this.#id },
        sps,
        pps.cabac,
      );
    });
    return this.#withSlices(nals, renamed);
  }

  /** Whether an IDR picture has this id, and all that carries the id can be written again. */
  #isAlike(nals: readonly Uint8Array[], id: number): boolean {
    if (nals.some((nal) => extended.includes(typeOf(nal)))) return false;
    try {
      return idsOf(nals, this.#splice).includes(id);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return false;
    }
  }

  #withSlices(nals: readonly Uint8Array[], slices: readonly Uint8Array[]): Uint8Array {
    const made = slices.values();
    return joinLengths(
      nals.map((nal) => (isSlice(nal) ? (made.next().value ?? nal) : nal)),
      this.#splice.avcc.lengthSize,
    );
  }

  /** @param exact Whether the stream promises that pictures after the entry do not use any before it. */
  #begun(slice: Slice, slices: readonly Slice[], exact: boolean): Uint8Array[] {
    const { frameNumBits, refFrames } = this.#splice.sps;
    const entry = { frameNum: slice.frameNum, order: this.#order.begin(slice) };
    const limits = { wrap: 2 ** frameNumBits, most: Math.max(1, refFrames) };
    this.#references = new CopiedReferences(entry, limits, !exact);
    return slices.map((each) => this.#emitted(each, { frameNum: 0, idrPicId: this.#id }));
  }

  #followed(
    references: CopiedReferences,
    slice: Slice,
    slices: readonly Slice[],
    leading: boolean,
  ): Uint8Array[] | null {
    this.#count += 1;
    const picture = { frameNum: slice.frameNum, order: this.#order.of(slice), slices };
    if (leading) {
      references.leave(picture);
      return null;
    }
    const kept = references.keep(picture);
    return slices.map((each, index) => {
      const own = kept.references[index];
      const place = { frameNum: kept.frameNum, idrPicId: null };
      return this.#emitted(each, own ? { ...place, references: own } : place);
    });
  }

  #emitted(
    slice: Slice,
    place: Pick<Parameters<typeof emitSlice>[1], 'frameNum' | 'idrPicId' | 'references'>,
  ) {
    const { sps, pps } = setsOf(slice.ppsId, this.#splice);
    const pocLsb = slice.pocLsb === null ? null : this.#order.moved(slice.pocLsb);
    return emitSlice(slice, { ppsId: slice.ppsId, pocLsb, ...place }, sps, pps.cabac);
  }
}

const idsOf = (nals: readonly Uint8Array[], splice: Splice): (number | null)[] =>
  slicesOf(nals, splice).map(({ idrPicId }) => idrPicId);

const slicesOf = (nals: readonly Uint8Array[], splice: Splice): Slice[] =>
  nals.filter(isSlice).map((nal) => parseSlice(nal, setsOf(ppsIdOf(nal), splice)));

function setsOf(id: number, { sps, pps }: Splice): Sets {
  const set = pps.find((each) => each.id === id);
  if (!set) throw new RangeError(`there is no PPS ${id}`);
  return { sps, pps: set };
}
