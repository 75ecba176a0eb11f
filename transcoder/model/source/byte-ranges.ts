/** A byte range; `to` is exclusive. */
export type Span = [from: number, to: number];

/** The bytes of a file that are available. */
export class Spans {
  /** Sorted; no two of them touch. */
  #spans: Span[] = [];

  constructor(spans: readonly Span[] = []) {
    for (const span of spans) this.add(span);
  }

  add([from, to]: Span): void {
    if (to <= from) return;
    const first = this.#spans.findIndex((span) => span[1] >= from);
    if (first < 0) {
      this.#spans.push([from, to]);
      return;
    }
    const after = this.#spans.findIndex((span) => span[0] > to);
    const touched = this.#spans.slice(first, after < 0 ? undefined : after);
    const low = Math.min(from, touched[0]?.[0] ?? from);
    const high = Math.max(to, touched.at(-1)?.[1] ?? to);
    this.#spans.splice(first, touched.length, [low, high]);
  }

  /** The missing parts of a span, in ascending order. */
  missing([from, to]: Span): Span[] {
    const holes: Span[] = [];
    let at = from;
    for (const [low, high] of this.#spans) {
      if (high <= at) continue;
      if (low >= to) break;
      if (low > at) holes.push([at, low]);
      at = high;
    }
    if (at < to) holes.push([at, to]);
    return holes;
  }

  /** The available span around a byte; null if that byte is missing. */
  around(at: number): Span | null {
    const found = this.#spans.find(([from, to]) => from <= at && at < to);
    return found ? [...found] : null;
  }

  list(): Span[] {
    return this.#spans.map(([from, to]) => [from, to]);
  }

  /** Number of available bytes. */
  get size(): number {
    return this.#spans.reduce((sum, [from, to]) => sum + to - from, 0);
  }
}
