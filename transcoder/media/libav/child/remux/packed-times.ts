import { least } from '../../../../model/numbers/min-max.ts';

/** Packets whose times are looked at before the first frame is placed. */
const KNOWN = 8;

/** What a decoder made of one packet. */
interface Made<Frame> {
  frames: readonly Frame[];
  /** Sample at which the packet says that its first frame begins; null if it does not say. */
  stated: number | null;
}

/**
 * Says when the frames begin of sound whose packets hold many of them, and parts of them. The first packet does not tell: decoders
 * leave out some of its frames. The others state when their first frame begins, or, where they begin within a frame, a later time.
 */
export class PackedTimes<Frame> {
  readonly #jitter: number;
  readonly #rounding: number;
  readonly #lengthOf: (frame: Frame) => number;
  #made: Made<Frame>[] | null = [];
  #packets = 0;
  #last: number | null = null;
  /** Whether the decoder gives the frames of each packet with the next one. */
  #isLate = false;
  readonly #canBeLate: boolean;

  /**
   * In samples, `jitter` is by how much a stated time may be off, and `rounding` by how much two times that are alike may differ.
   * @param canBeLate Whether a decoder that gives nothing for the first packet gives its frames with the next one, and so on.
   * @param lengthOf Samples in a frame.
   */
  constructor(
    { jitter, rounding, canBeLate }: { jitter: number; rounding: number; canBeLate: boolean },
    lengthOf: (frame: Frame) => number,
  ) {
    this.#jitter = jitter;
    this.#rounding = rounding;
    this.#canBeLate = canBeLate;
    this.#lengthOf = lengthOf;
  }

  /** @returns what is ready to be placed. `stated`: of a packet; null behind the last one. */
  take(stated: number | null, frames: readonly Frame[]): Made<Frame>[] {
    this.#packets += 1;
    if (this.#packets === 1) this.#isLate = this.#canBeLate && frames.length === 0;
    const own = this.#isLate && stated !== null ? this.#last : stated;
    this.#last = stated;
    if (frames.length === 0) return [];
    const made = { frames, stated: own };
    if (!this.#made) return [made];
    this.#made.push(made);
    return this.#made.length > KNOWN ? this.end() : [];
  }

  /** @returns what is not placed yet. */
  end(): Made<Frame>[] {
    const made = this.#made ?? [];
    this.#made = null;
    const [first] = made;
    if (first) first.stated = this.#start(made);
    return made;
  }

  #start(made: readonly Made<Frame>[]): number | null {
    const first = made[0]?.stated ?? null;
    if (this.#isLate) return first;
    const starts: number[] = [];
    let row = 0;
    for (const [index, { frames, stated }] of made.entries()) {
      if (index > 0 && stated !== null) {
        const start = stated - row;
        if (Math.abs(start - (starts[0] ?? first ?? start)) > this.#jitter) break;
        starts.push(start);
      }
      row += frames.reduce((sum, frame) => sum + this.#lengthOf(frame), 0);
    }
    const earliest = least(starts);
    const alike = starts.filter((start) => start - earliest <= this.#rounding);
    return starts.length === 0 ? first : alike.reduce((sum, start) => sum + start, 0) / alike.length;
  }
}
