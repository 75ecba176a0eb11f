/**
 * Makes repeated ticks distinct: each becomes the first one at or after it that is still free. Ticks that are taken in a row point to the
 * end of the row, with their paths shortened, and so the work stays nearly linear however many are alike.
 */
export class DistinctTicks {
  /** For each tick that is taken, one behind it that may be free. */
  readonly #behind = new Map<number, number>();

  take(tick: number): number {
    const passed: number[] = [];
    let free = tick;
    for (let next = this.#behind.get(free); next !== undefined; next = this.#behind.get(free)) {
      passed.push(free);
      free = next;
    }
    for (const each of passed) this.#behind.set(each, free + 1);
    this.#behind.set(free, free + 1);
    return free;
  }
}
