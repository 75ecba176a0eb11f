/** How much longer twice the text may take, and how much that is at most for what counts as linear. */
export const MOST_GROWTH = 2.6;

/** Milliseconds. */
const MEASURABLE = 10;
/** Of a text of some hundred characters. */
const TOO_LONG = 50;
/** Characters; what is not measurable by then costs less than a look at each. */
const LONGEST = 1_000_000;
const RUNS = 3;

/** A hostile text of any length: a head, a unit again and again, and a tail. */
export interface Shape {
  head: string;
  unit: string;
  tail: string;
}

export const textOf = ({ head, unit, tail }: Shape, units: number) => head + unit.repeat(units) + tail;

/** CPU time in milliseconds: that of this thread, for other threads collect garbage of other tests. */
function cost(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const least = (runs: number, work: () => unknown) =>
  Math.min(...Array.from({ length: runs }, () => cost(work)));

export interface Screening {
  /** Characters of the text that the whole search begins with. */
  characters: number;
  /** What takes less than so many milliseconds at that length cannot be quadratic. */
  quick: number;
}

/**
 * How many times as long `run` takes for twice the text; null where it is too quick to be more than linear. Short texts come first, on
 * which exponential growth shows before it takes hours.
 */
export function growth(run: (text: string) => unknown, shape: Shape, screening: Screening): number | null {
  for (const units of [16, 20, 24, 28, 32, 40, 48, 64, 512]) {
    const text = textOf(shape, units);
    if (cost(() => run(text)) > TOO_LONG && least(RUNS, () => run(text)) > TOO_LONG)
      return Number.POSITIVE_INFINITY;
  }
  let units = 0;
  // Up to the length in steps, so that what is far too slow for it is measured before.
  for (const part of [1 / 36, 1 / 6, 1]) {
    units = Math.ceil((screening.characters * part) / shape.unit.length);
    const text = textOf(shape, units);
    const enough = part === 1 ? screening.quick : MEASURABLE;
    if (cost(() => run(text)) >= enough && least(RUNS, () => run(text)) >= enough) break;
    if (part === 1) return null;
  }
  for (;;) {
    const [text, twice] = [textOf(shape, units), textOf(shape, 2 * units)];
    const before = least(RUNS, () => run(text));
    if (before < MEASURABLE && text.length > LONGEST) return null;
    if (before < MEASURABLE) {
      units *= 2;
      continue;
    }
    // The shorter one is measured on both sides: before the longer ones it may not have been compiled yet.
    const two = least(RUNS, () => run(twice));
    const one = Math.min(
      before,
      least(RUNS, () => run(text)),
    );
    if (two / one <= MOST_GROWTH) return two / one;
    // Garbage of the test itself may have made it so; what is quadratic is so at four times the length too.
    return Math.min(two / one, cost(() => run(textOf(shape, 4 * units))) / two);
  }
}

export interface Found {
  /** Shapes tried. */
  shapes: number;
  /** The most that any of them grew by; 0 where all were too quick to measure. */
  worst: number;
  /** The first that grew by more than is allowed. */
  culprit: Shape | null;
}

/** Tries shapes one after another, up to the first that is more than linear. */
export function tried(run: (text: string) => unknown, shapes: readonly Shape[], screening: Screening): Found {
  let worst = 0;
  for (const [index, shape] of shapes.entries()) {
    let found = growth(run, shape, screening) ?? 0;
    // A collection of garbage may fall into one measurement; what is more than linear is so in all of them.
    for (let again = 1; again < RUNS && found > MOST_GROWTH; again++)
      found = Math.min(found, growth(run, shape, screening) ?? 0);
    worst = Math.max(worst, found);
    if (found > MOST_GROWTH) return { shapes: index + 1, worst, culprit: shape };
  }
  return { shapes: shapes.length, worst, culprit: null };
}
