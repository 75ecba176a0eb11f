import type { Span } from '../../plan/frames.ts';
import { gapsBetween, joinedSpans } from '../../plan/joined-spans.ts';
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
  const edges = gapsBetween(united(stays), duration);
  const spans: Span[] = [];
  const further = partsWithin(edges, united(ranges));
  let at = 0;
  /** Where the last of the removed words so far ends. */
  let reached = 0;
  for (const [edge, { start, end }] of edges.entries()) {
    for (; at < words.length && (words[at]?.start ?? 0) < start; at++) {
      if (removed[at]) reached = Math.max(reached, words[at]?.end ?? 0);
    }
    // What words that stay do not cover of one that overlaps them.
    let first = reached > start ? start : null;
    for (; at < words.length && (words[at]?.start ?? 0) < end; at++) {
      if (!removed[at]) continue;
      first ??= words[at]?.start ?? start;
      reached = Math.max(reached, words[at]?.end ?? 0);
    }
    const last = Math.min(reached, end);
    const cut = first === null ? [] : [around({ start, end }, first, last, padding, duration)];
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

const united = (spans: readonly Span[]): Span[] => joinedSpans(spans.toSorted((a, b) => a.start - b.start));
