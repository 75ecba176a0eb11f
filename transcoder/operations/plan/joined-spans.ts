import type { Span } from './frames.ts';

/** Spans, given in the order of their starts, of which none begins within `gap` seconds after another. */
export function joinedSpans(spans: readonly Span[], gap = 0): Span[] {
  const joined: Span[] = [];
  for (const { start, end } of spans) {
    const last = joined.at(-1);
    if (last && start <= last.end + gap) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** The gaps between spans in time order, which do not overlap, from 0 to `duration`. */
export function gapsBetween(spans: readonly Span[], duration: number): Span[] {
  const edges = [0, ...spans.flatMap(({ start, end }) => [start, end]), duration];
  return edges.flatMap((start, index) => {
    const end = edges[index + 1];
    return index % 2 === 0 && end !== undefined && end > start ? [{ start, end }] : [];
  });
}
