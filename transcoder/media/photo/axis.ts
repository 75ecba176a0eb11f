/** Samples of the picture that each sample of a frame is weighed from, along one axis. */
export const TAPS = 8;
/** What the weights of a sample add up to. */
export const ONE = 1 << 14;
/** Samples of margin around a picture; positions need no check. */
export const MARGIN = TAPS;
/** Parameter of the cubic kernel: −0.5 is Catmull-Rom; lower values are sharper. */
const SHARPNESS = -0.6;

/**
 * Weighs the samples along one axis of a view, for a frame that is enlarged to the size of its picture and then reduced: both
 * with a cubic kernel, combined into one. Enlarging first keeps the sharpness equal wherever the view is.
 */
export class Axis {
  /** Samples of the picture, and of the enlarged frame. */
  readonly #length: number;
  readonly #starts: Uint32Array;
  readonly #weights: Int16Array;
  /** Samples of the enlarged frame for each sample of the frame: the first one, and shares that add up to 1. */
  readonly #reach: number;
  readonly #firsts: Int32Array;
  readonly #shares: Float64Array;
  /** For each sample of the enlarged frame: the first of four samples of the picture, and their weights. */
  readonly #places: Int32Array;
  readonly #cubics: Float64Array;

  /**
   * @param length Samples of the picture.
   * @param starts Receives the first sample for each sample of the frame, counted from the beginning of the margin.
   * @param weights Receives TAPS weights for each of them.
   */
  constructor(length: number, starts: Uint32Array, weights: Int16Array) {
    const count = starts.length;
    const step = length / count;
    const wide = Math.max(1, step);
    const reach = Math.round(4 * wide);
    this.#length = length;
    this.#starts = starts;
    this.#weights = weights;
    this.#reach = reach;
    this.#firsts = new Int32Array(count);
    this.#shares = new Float64Array(count * reach);
    // The first and last samples of the frame reach over its edges.
    this.#places = new Int32Array(length + 2 * reach);
    this.#cubics = new Float64Array(4 * (length + 2 * reach));
    for (let index = 0; index < count; index++) {
      const center = (index + 0.5) * step - 0.5;
      const first = Math.ceil(center - reach / 2);
      const shares = Array.from({ length: reach }, (_, at) => cubic((first + at - center) / wide));
      const sum = shares.reduce((all, share) => all + share, 0);
      this.#firsts[index] = first;
      for (const [at, share] of shares.entries()) this.#shares[index * reach + at] = share / sum;
    }
  }

  /** Weighs a view that begins at `start` and is `span` long, as shares of the picture. */
  show(start: number, span: number): void {
    this.#enlarge(start, span);
    const [length, reach, places, cubics] = [this.#length, this.#reach, this.#places, this.#cubics];
    const [starts, firsts, shares] = [this.#starts, this.#firsts, this.#shares];
    const sums = new Float64Array(TAPS);
    for (let index = 0; index < starts.length; index++) {
      const center = (start + ((index + 0.5) / starts.length) * span) * length - 0.5;
      const begin = Math.floor(center) - (TAPS / 2 - 1);
      const first = (firsts[index] ?? 0) + reach;
      sums.fill(0);
      for (let at = 0; at < reach; at++) {
        const share = shares[index * reach + at] ?? 0;
        const place = (places[first + at] ?? 0) - begin;
        // What lies outside of the taps is too small to matter.
        for (let tap = Math.max(0, -place); tap < Math.min(4, TAPS - place); tap++) {
          sums[place + tap] = (sums[place + tap] ?? 0) + share * (cubics[4 * (first + at) + tap] ?? 0);
        }
      }
      centered(sums, center - begin);
      this.#round(sums, index * TAPS);
      starts[index] = Math.min(length, Math.max(-MARGIN, begin)) + MARGIN;
    }
  }

  #enlarge(start: number, span: number): void {
    const [length, reach, places, cubics] = [this.#length, this.#reach, this.#places, this.#cubics];
    for (let index = 0; index < places.length; index++) {
      const place = start * length + (index - reach + 0.5) * span - 0.5;
      const before = Math.floor(place) - 1;
      places[index] = before;
      for (let tap = 0; tap < 4; tap++) cubics[4 * index + tap] = cubic(before + tap - place);
    }
  }

  /** Carries what rounding leaves over to the next weight, which keeps the sum exact. */
  #round(sums: Float64Array, at: number): void {
    let left = 0;
    for (let tap = 0; tap < TAPS; tap++) {
      const exact = (sums[tap] ?? 0) * ONE + left;
      const rounded = Math.round(exact);
      this.#weights[at + tap] = rounded;
      left = exact - rounded;
    }
  }
}

/**
 * Makes weights add up to 1 and have their center at `place`, in the middle of the taps. Of a cubic kernel only Catmull-Rom has it
 * there; others are off by up to 0.03 samples, and what moves slowly would tremble.
 */
function centered(weights: Float64Array, place: number): void {
  let [sum, moment] = [0, 0];
  for (let tap = 0; tap < TAPS; tap++) {
    sum += weights[tap] ?? 0;
    moment += tap * (weights[tap] ?? 0);
  }
  const shift = (moment / sum - place) / 4;
  for (let tap = 0; tap < TAPS; tap++) {
    const side = tap === 2 || tap === 3 ? shift : tap === 4 || tap === 5 ? -shift : 0;
    weights[tap] = (weights[tap] ?? 0) / sum + side;
  }
}

/** Keys' cubic convolution. https://doi.org/10.1109/TASSP.1981.1163711 */
function cubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return ((SHARPNESS + 2) * x - (SHARPNESS + 3)) * x * x + 1;
  return x < 2 ? SHARPNESS * (((x - 5) * x + 8) * x - 4) : 0;
}
