/** How much longer twice the text may take, and how much that is at most for what counts as linear. */
export const MOST_GROWTH = 2.6;

/** Milliseconds, of a text of some hundred characters. A plan of captions takes 40 for any text, and twice that where another thread has the core, too. */
const TOO_LONG = 100;
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

/** Milliseconds by the clock: never less than the CPU time, and read at once. */
function elapsed(work: () => unknown): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** CPU time of this thread in microseconds. The kernel brings it up to date when the thread waits, else only every few milliseconds. */
function threadTime(): number {
  Atomics.wait(nothing, 0, 0, 0.01);
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** CPU time in milliseconds: that of this thread, for other threads collect garbage of other tests. */
function cost(work: () => unknown): number {
  const before = threadTime();
  work();
  return (threadTime() - before) / 1000;
}

/** The cheapest of several runs, or null as soon as one takes less than that. */
function atLeast(milliseconds: number, work: () => unknown): number | null {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    cheapest = Math.min(cheapest, cost(work));
    if (cheapest < milliseconds) return null;
  }
  return cheapest;
}

/** The CPU time in milliseconds of the cheapest of several runs: whatever else the machine does only adds to it. */
export const least = (runs: number, work: () => unknown) =>
  Math.min(...Array.from({ length: runs }, () => cost(work)));

/** Exponential growth shows on texts of this many units; longer ones have at most this part of the full length. */
const SHORT = { units: 28, part: 8 };

/** From this part of the full length on, the full one is next: quadratic growth takes at most four times as long for it. */
const NEARLY_WHOLE = 0.5;

export interface Screening {
  /** Characters of the text that the whole search begins with. */
  characters: number;
  /** What takes fewer milliseconds at that length cannot be quadratic; what takes longer can be measured. */
  quick: number;
}

/**
 * How many times as long `run` takes for twice the text; null where it is too quick to be more than linear. Short texts come first, on
 * which exponential growth shows before it takes hours.
 */
export function growth(run: (text: string) => unknown, shape: Shape, screening: Screening): number | null {
  const { characters, quick } = screening;
  for (const units of [16, 20, 24, 28, 36, 48, 64, 512]) {
    if (units > SHORT.units && units * shape.unit.length > characters / SHORT.part) break;
    const text = textOf(shape, units);
    const once = () => run(text);
    if (elapsed(once) > TOO_LONG && atLeast(TOO_LONG, once) !== null) return Number.POSITIVE_INFINITY;
  }
  let units = 0;
  let known: number | null = null;
  // Up to the length in steps, so that what is far too slow for it is measured before.
  for (let part = 1 / 36; ; ) {
    units = Math.ceil((characters * part) / shape.unit.length);
    const text = textOf(shape, units);
    const taken = elapsed(() => run(text));
    known = taken >= quick ? atLeast(quick, () => run(text)) : null;
    if (known !== null) break;
    if (part === 1) return null;
    // As far as quadratic growth would take twice as long as counts as quick.
    part *= Math.max(2, Math.sqrt((2 * quick) / taken));
    if (part >= NEARLY_WHOLE) part = 1;
  }
  for (;;) {
    const [text, twice] = [textOf(shape, units), textOf(shape, 2 * units)];
    const before: number = known ?? least(RUNS, () => run(text));
    known = null;
    if (before < quick && text.length > LONGEST) return null;
    if (before < quick) {
      units *= 2;
      continue;
    }
    // The shorter one is measured on both sides: before the longer ones it may not have been compiled yet.
    let two = cost(() => run(twice));
    let one = Math.min(
      before,
      cost(() => run(text)),
    );
    if (two / one <= MOST_GROWTH) return two / one;
    two = Math.min(
      two,
      least(RUNS - 1, () => run(twice)),
    );
    one = Math.min(
      one,
      least(RUNS - 1, () => run(text)),
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
    for (let again = 1; again < RUNS && found > MOST_GROWTH && found < Number.POSITIVE_INFINITY; again++)
      found = Math.min(found, growth(run, shape, screening) ?? 0);
    worst = Math.max(worst, found);
    if (found > MOST_GROWTH) return { shapes: index + 1, worst, culprit: shape };
  }
  return { shapes: shapes.length, worst, culprit: null };
}
