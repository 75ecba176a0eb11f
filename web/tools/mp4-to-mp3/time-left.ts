/** A computer that slept says nothing for longer than this, and that time was not spent working. */
const LONGEST_STEP = 2000;
/** Before this, a pace says nothing. */
const ENOUGH = 500;

/** Estimates what is left from the pace so far, without the time that the computer slept. */
export class TimeLeft {
  #last: number;
  #worked = 0;

  constructor(now: number) {
    this.#last = now;
  }

  /** @returns seconds; null as long as there is nothing to go by */
  after(fraction: number, now: number): number | null {
    this.#worked += Math.min(Math.max(now - this.#last, 0), LONGEST_STEP);
    this.#last = now;
    if (this.#worked < ENOUGH || fraction <= 0) return null;
    return ((this.#worked / fraction) * (1 - fraction)) / 1000;
  }
}
