/** Samples of the picture that each sample of a frame is weighed from, along one axis. */
export const TAPS = 8;
/** What the weights of a sample add up to. */
export const ONE = 1 << 14;
/** Samples of margin around a picture, so that no position needs a check. */
export const MARGIN = TAPS;
/** Parameter of the cubic kernel: −0.5 is Catmull-Rom; lower values are sharper. */
const SHARPNESS = -0.6;

/**
 * Weighs the samples along one axis of a view, for a frame that is enlarged to the size of its picture and then reduced: both
 * with a cubic kernel, combined into one. Enlarging first keeps the sharpness equal wherever the view is.
 */
export class Axis {
  readonly #length: number;
  readonly #starts: Uint32Array;
  readonly #weights: Int16Array;
  /** Samples of the enlarged frame for each sample of the frame: the first one, and weights that add up to 1. */
  readonly #reach: number;
  readonly #firsts: Int32Array;
  readonly #shares: Float64Array;
  /** For each sample of the enlarged frame: the first of four samples of the picture, and their weights. */
  readonly #places: Int32Array;
  readonly #cubics: Float64Array;

  /**
   * @param length Samples of the picture.
   * @param starts Receives the first sample for each sample of the frame, counted from the margin's begin.
   * @param weights Receives TAPS weights for each of them.
   */
  constructor(length: number, starts: Uint32Array, weights: Int16Array) {
    const count = starts.length;
    const step = length / count;
    const wide = Math.max(1, step);
    this.#length = length;
    this.#starts = starts;
    this.#weights = weights;
    this.#reach = Math.round(4 * wide);
    this.#firsts = new Int32Array(count);
    this.#shares = new Float64Array(count * this.#reach);
    this.#places = new Int32Array(length);
    this.#cubics = new Float64Array(length * 4);
    for (let index = 0; index < count; index++) {
      const centre = (index + 0.5) * step - 0.5;
      const first = Math.ceil(centre - this.#reach / 2);
      const shares = Array.from({ length: this.#reach }, (_, at) => cubic((first + at - centre) / wide));
      const sum = shares.reduce((all, share) => all + share, 0);
      this.#firsts[index] = first;
      this.#shares.set(
        shares.map((share) => share / sum),
        index * this.#reach,
      );
    }
  }

  /** Weighs a view that begins at `start` and is `span` long, as shares of the picture. */
  show(start: number, span: number): void {
    this.#enlarge(start, span);
    const [length, reach, places, cubics] = [this.#length, this.#reach, this.#places, this.#cubics];
    const [starts, firsts, shares] = [this.#starts, this.#firsts, this.#shares];
    const sums = new Float64Array(TAPS);
    for (let index = 0; index < starts.length; index++) {
      const centre = (start + ((index + 0.5) / starts.length) * span) * length - 0.5;
      const begin = Math.floor(centre) - (TAPS / 2 - 1);
      const first = firsts[index] ?? 0;
      sums.fill(0);
      for (let at = 0; at < reach; at++) {
        const enlarged = Math.min(length - 1, Math.max(0, first + at));
        const share = shares[index * reach + at] ?? 0;
        const place = (places[enlarged] ?? 0) - begin;
        // What lies outside of the taps is too small to matter.
        for (let tap = Math.max(0, -place); tap < Math.min(4, TAPS - place); tap++) {
          sums[place + tap] = (sums[place + tap] ?? 0) + share * (cubics[4 * enlarged + tap] ?? 0);
        }
      }
      starts[index] = Math.min(length, Math.max(-MARGIN, begin)) + MARGIN;
      this.#round(sums, index * TAPS);
    }
  }

  #enlarge(start: number, span: number): void {
    const [length, places, cubics] = [this.#length, this.#places, this.#cubics];
    for (let index = 0; index < length; index++) {
      const place = start * length + (index + 0.5) * span - 0.5;
      const before = Math.floor(place) - 1;
      places[index] = before;
      for (let tap = 0; tap < 4; tap++) cubics[4 * index + tap] = cubic(before + tap - place);
    }
  }

  /** Carries what rounding leaves over to the next weight, which keeps the sum exact. */
  #round(sums: Float64Array, at: number): void {
    let all = 0;
    for (let tap = 0; tap < TAPS; tap++) all += sums[tap] ?? 0;
    let left = 0;
    for (let tap = 0; tap < TAPS; tap++) {
      const exact = ((sums[tap] ?? 0) / all) * ONE + left;
      const rounded = Math.round(exact);
      this.#weights[at + tap] = rounded;
      left = exact - rounded;
    }
  }
}

/** Keys' cubic convolution. https://doi.org/10.1109/TASSP.1981.1163711 */
function cubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return ((SHARPNESS + 2) * x - (SHARPNESS + 3)) * x * x + 1;
  return x < 2 ? SHARPNESS * (((x - 5) * x + 8) * x - 4) : 0;
}
