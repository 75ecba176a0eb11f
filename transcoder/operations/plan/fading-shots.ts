import type { Fades } from './filters.ts';
import type { Span } from './frame-selection.ts';

/** A part of a span, whether it is inside a fade, and where it begins in the output. */
interface Shot {
  span: Span;
  out: number;
  faded: boolean;
}

/** Splits spans one frame outside each fade. All in seconds. */
export function shotsOf(spans: readonly Span[], fades: Fades, frame: number): Shot[] {
  const total = spans.reduce((sum, { start, end }) => sum + end - start, 0);
  const [clearFrom, clearTo] = [
    fades.in > 0 ? fades.in + frame : 0,
    fades.out > 0 ? total - fades.out - frame : total,
  ];
  const cuts = clearFrom < clearTo ? [clearFrom, clearTo] : [];
  let out = 0;
  return spans.flatMap(({ start, end }) => {
    const begin = out;
    out += end - start;
    const inside = cuts.filter((cut) => cut > begin + frame / 2 && cut < out - frame / 2);
    const edges = [begin, ...inside, out];
    return inside.concat(out).map((to, index) => {
      const from = edges[index] ?? begin;
      const middle = (from + to) / 2;
      const faded = (fades.in > 0 || fades.out > 0) && !(middle > clearFrom && middle < clearTo);
      return { span: { start: start + from - begin, end: start + to - begin }, out: from, faded };
    });
  });
}
