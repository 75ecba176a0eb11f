import type { Span } from './frames.ts';

/** The parts of spans that lie within each of some windows. Both lists are in time order and without overlaps. */
export function partsWithin(windows: readonly Span[], spans: readonly Span[]): Span[][] {
  let passed = 0;
  return windows.map((window) => {
    const parts: Span[] = [];
    while ((spans[passed]?.end ?? Number.POSITIVE_INFINITY) <= window.start) passed++;
    for (let index = passed; ; index++) {
      const span = spans[index];
      if (!span || span.start >= window.end) return parts;
      parts.push({ start: Math.max(window.start, span.start), end: Math.min(window.end, span.end) });
    }
  });
}
