import type { Slice } from './h264-slice.ts';

/** Picture order counts of the source (H.264 8.2.1.1), and of the same pictures after an entry that counts as 0. */
export class PictureOrder {
  /** One more than the greatest pic_order_cnt_lsb. */
  #wrap: number;
  #base = 0;
  /** Of the last reference picture. */
  #last = 0;
  #count = 0;

  constructor(wrap: number) {
    this.#wrap = wrap;
  }

  /** The lesser of the two fields of an IDR picture counts as 0. */
  begin(entry: Slice): number {
    this.#last = entry.pocLsb ?? 0;
    this.#base = this.#last - Math.max(0, -entry.bottomDelta);
    return this.of(entry);
  }

  of({ pocLsb, bottomDelta, head }: Slice): number {
    if (pocLsb === null) return this.#count++;
    const half = this.#wrap / 2;
    const ahead = (((pocLsb - this.#last) % this.#wrap) + this.#wrap) % this.#wrap;
    const top = this.#last + (ahead <= half ? ahead : ahead - this.#wrap);
    if (((head >> 5) & 3) !== 0) this.#last = top;
    return top + Math.min(0, bottomDelta);
  }

  moved(pocLsb: number): number {
    return (((pocLsb - this.#base) % this.#wrap) + this.#wrap) % this.#wrap;
  }
}
