import type { Span } from '../../plan/frames.ts';
import { joinedSpans } from '../../plan/joined-spans.ts';
import { partsWithin } from '../../plan/parts-within.ts';
import type { TimedText } from './choose-words.ts';

interface Words {
  words: readonly TimedText[];
  /** Whether each of them is removed. */
  removed: readonly boolean[];
  /** Further spans to remove, as far as no word that stays lies in them. */
  ranges: readonly Span[];
  padding: number;
  /** Length of the source. */
  duration: number;
}

/** The spans to cut out, in order: from gap to gap between words that stay. */
export function cutSpans({ words, removed, ranges, padding, duration }: Words): Span[] {
  const stays = words.filter((_, index) => !removed[index]);
  /** The gaps between words that stay, with the ends of the source. */
  const edges = mergedEdges(stays, duration);
  const spans: Span[] = [];
  const further = partsWithin(edges, united(ranges));
  let at = 0;
  for (const [edge, { start, end }] of edges.entries()) {
    const inside: Span[] = [];
    for (; at < words.length && (words[at]?.start ?? 0) < start; at++) {
      const word = words[at];
      // What a word that stays does not cover of one that overlaps it.
      if (word && removed[at] && word.end > start) inside.push({ start, end: Math.min(word.end, end) });
    }
    for (let index = at; index < words.length && (words[index]?.start ?? 0) < end; index++) {
      const word = words[index];
      if (word && removed[index]) inside.push({ start: word.start, end: Math.min(word.end, end) });
    }
    const [first, last] = [inside[0], inside.at(-1)];
    const cut = first && last ? [around({ start, end }, first.start, last.end, padding, duration)] : [];
    for (const span of united([...cut, ...(further[edge] ?? [])])) spans.push(span);
  }
  return united(spans);
}

/** The whole gap, less the padding next to words that stay; at least the words that are removed. */
function around(gap: Span, from: number, to: number, padding: number, duration: number): Span {
  return {
    start: Math.min(from, gap.start + (gap.start === 0 ? 0 : padding)),
    end: Math.max(to, gap.end - (gap.end === duration ? 0 : padding)),
  };
}

function mergedEdges(stays: readonly TimedText[], duration: number): Span[] {
  const gaps: Span[] = [];
  let at = 0;
  for (const { start, end } of stays) {
    if (start > at) gaps.push({ start: at, end: start });
    at = Math.max(at, end);
  }
  if (duration > at) gaps.push({ start: at, end: duration });
  return gaps;
}

const united = (spans: readonly Span[]): Span[] => joinedSpans(spans.toSorted((a, b) => a.start - b.start));
