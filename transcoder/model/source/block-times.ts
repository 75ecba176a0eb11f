/** A packet of sound: its stated time and its length, in seconds. */
export interface StatedBlock {
  time: number;
  length: number;
}

/** Rounding of times and lengths by a container, in seconds; lengths that differ by less tell nothing. */
const ROUNDING = 0.0025;
/** How many more steps of one kind than of the other decide. */
const ENOUGH = 2;
/** Packets after which the question stays open, for their lengths do not differ. */
const MOST = 500;

/**
 * Tells whether packets of changing length are stated at their starts or, as in Matroska by versions of libavformat before 54,
 * at their ends: then the step to the next packet is as long as that one.
 */
export class BlockTimes {
  #before: StatedBlock | null = null;
  #starts = 0;
  #ends = 0;
  #count = 0;

  take(block: StatedBlock): void {
    const before = this.#before;
    this.#before = block;
    this.#count += 1;
    if (!before || Math.abs(block.length - before.length) <= ROUNDING) return;
    const step = block.time - before.time;
    if (Math.abs(step - before.length) <= ROUNDING) this.#starts += 1;
    else if (Math.abs(step - block.length) <= ROUNDING) this.#ends += 1;
  }

  get decided(): boolean {
    return Math.abs(this.#starts - this.#ends) >= ENOUGH || this.#count >= MOST;
  }

  get areEnds(): boolean {
    return this.#ends > this.#starts;
  }
}
