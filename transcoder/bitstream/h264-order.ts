import { parseAvcc } from './avcc.ts';
import { BitReader } from './bits.ts';
import { nalType, parsePps, parseSps, type Sps, typeOf } from './h264-sets.ts';
import { isSlice, parseSlice, ppsIdOf, type Slice } from './h264-slice.ts';
import { parseVui } from './h264-vui.ts';
import { splitStartCodes } from './nal.ts';
import { PictureOrder } from './picture-order.ts';
import { configurationOf, unitsIn } from './refresh.ts';

/** More bytes than a slice header has. */
const HEADER = 512;
/** memory_management_control_operation that makes counts begin again, as at an IDR picture. */
const RESET = 5;

/** Where a picture is shown: in the sequence that an IDR picture begins, by its count there. */
interface Place {
  packet: number;
  sequence: number;
  count: number;
}

/** A sequence parameter set, and the order of the pictures that use it. */
interface Sequence {
  unit: Uint8Array;
  sps: Sps;
  order: PictureOrder;
  repeats: boolean;
}

/**
 * Follows the packets of H.264 from its first one on, to tell the order in which a decoder outputs their pictures without decoding them.
 * It gives up on counts of type 1 and on what a decoder could treat differently: fields in packets or pictures of their own, resets,
 * missing frames, pictures that are discarded, and damage.
 */
export class H264Order {
  readonly #lengthSize: number | null;
  readonly #sps = new Map<number, Sequence>();
  readonly #pps = new Map<number, Uint8Array>();
  #places: Place[] | null = [];
  #packets = 0;
  #sequence = 0;
  #active: number | null = null;
  #repeats = false;

  /** @param extradata avcC; with anything else, packets are split at start codes. */
  constructor(extradata: Uint8Array) {
    const framed = extradata[0] === 1;
    this.#lengthSize = null;
    try {
      if (framed) {
        const { lengthSize, sps, pps } = parseAvcc(extradata);
        this.#lengthSize = lengthSize;
        this.#learn([...sps, ...pps]);
      } else this.#learn(splitStartCodes(extradata));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#places = null;
    }
  }

  take(packet: Uint8Array): void {
    const index = this.#packets;
    this.#packets += 1;
    if (this.#places === null) return;
    try {
      const place = this.#placeOf(unitsIn(packet, this.#lengthSize));
      if (place) this.#places.push({ packet: index, ...place });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#places = null;
    }
  }

  /**
   * Indices of packets, as their pictures are shown; null if the bitstream does not tell.
   * @param once Whether pictures must not say that they are shown for longer than a frame.
   */
  shown({ once }: { once: boolean }): number[] | null {
    if (this.#places === null || (once && this.#repeats)) return null;
    const places = this.#places.toSorted((a, b) => a.sequence - b.sequence || a.count - b.count);
    const distinct = places.every(({ sequence, count }, at) => {
      const before = places[at - 1];
      return before === undefined || before.sequence !== sequence || before.count !== count;
    });
    return distinct ? places.map(({ packet }) => packet) : null;
  }

  #learn(units: readonly Uint8Array[]): void {
    for (const unit of units) {
      if (typeOf(unit) === nalType.sps) {
        const sps = parseSps(unit);
        if (sameBytes(this.#sps.get(sps.id)?.unit, unit)) continue;
        if (this.#active === sps.id) this.#active = null;
        const order = new PictureOrder(2 ** sps.pocLsbBits);
        const repeats = parseVui(unit, sps)?.repeats === true;
        this.#sps.set(sps.id, { unit: Uint8Array.from(unit), sps, order, repeats });
      } else if (typeOf(unit) === nalType.pps) this.#pps.set(parsePps(unit).id, Uint8Array.from(unit));
    }
  }

  /** Null for a packet without a picture. Throws RangeError for what cannot be followed. */
  #placeOf(units: readonly Uint8Array[]): Omit<Place, 'packet'> | null {
    this.#learn(units);
    if (units.some((unit) => typeOf(unit) === nalType.partition)) throw new RangeError('data partitions');
    const slices = units.filter(isSlice);
    const [nal] = slices;
    if (!nal) return null;
    const set = this.#pps.get(ppsIdOf(nal));
    const known = set && this.#sps.get(parsePps(set).spsId);
    if (!set || !known) throw new RangeError('a slice names a set that is not known');
    const { sps, order, repeats } = known;
    if (sps.pocType === 1) throw new RangeError('counts that follow a cycle are not derived');
    const first = parseSlice(nal.subarray(0, HEADER), { sps, pps: parsePps(set, sps.chromaFormat) });
    if (first.field || sps.gapsInFrameNum) throw new RangeError('fields and missing frames are not followed');
    if (slices.filter(beginsPicture).length !== 1) throw new RangeError('a packet has several pictures');
    if (first.marking?.some(({ operation }) => operation === RESET)) throw new RangeError('a reset');
    this.#repeats ||= repeats;
    if (first.idrPicId !== null) {
      if (this.#active !== null && discardsPrior(first)) throw new RangeError('pictures are discarded');
      this.#active = sps.id;
      this.#sequence += 1;
      return { sequence: this.#sequence, count: order.begin(first) };
    }
    if (this.#active !== sps.id) throw new RangeError('a sequence does not begin with an IDR picture');
    return { sequence: this.#sequence, count: order.of(first) };
  }
}

/** profile_idc of the profile without B-frames. */
const BASELINE = 66;

/**
 * Whether the parameter sets of a stream let pictures be shown in another order than they are coded in, and do not state how far. A
 * picture between two others needs both.
 */
export function leavesOrderOpen(extradata: Uint8Array): boolean {
  const { sets } = configurationOf('h264', extradata);
  return sets.some((unit) => {
    if (typeOf(unit) !== nalType.sps) return false;
    try {
      const sps = parseSps(unit);
      const stated = (parseVui(unit, sps)?.reorder ?? null) !== null;
      return !stated && sps.profile !== BASELINE && sps.pocType === 0 && sps.refFrames > 1;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return false;
    }
  });
}

/** Whether a slice is the first one of its picture, whose first_mb_in_slice is 0. */
const beginsPicture = (nal: Uint8Array): boolean => ((nal[1] ?? 0) & 0x80) !== 0;

/** Whether pictures that are not shown yet are lost at an IDR picture (no_output_of_prior_pics_flag). */
const discardsPrior = ({ rbsp, marked }: Slice): boolean => new BitReader(rbsp, marked[0]).flag();

const sameBytes = (known: Uint8Array | undefined, unit: Uint8Array): boolean =>
  known !== undefined && Buffer.compare(known, unit) === 0;
