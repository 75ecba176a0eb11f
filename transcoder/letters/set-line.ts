import bidiFactory from 'bidi-js';
import {
  BROUGHT_FONT,
  type Cluster,
  type FontRun,
  type SetLine,
  type StyledPart,
  type Typeface,
} from '../model/letters.ts';
import { greatest, least } from '../model/numbers/min-max.ts';
import { type Grapheme, graphemesOf } from './clusters.ts';
import type { FaceOf, Faces } from './faces.ts';
import { fallbacks, familyOfScript, hanFamily, opticalSize } from './families.ts';

const bidi = bidiFactory();

/** Em of an emoji relative to that of the letters. */
export const EMOJI = 1.15;

export const emojiSize = (faces: Faces, type: Typeface) => EMOJI * primaryOf(faces, type).em;

/** Height of the capitals of a font, as a share of its line height. */
export function capitals(faces: Faces, type: Pick<Typeface, 'font' | 'bold'>): number {
  const face = primaryOf(faces, type);
  const [glyph] = face.shaped('H', 0, 1, { rightToLeft: false, ligatures: false });
  return Math.max(0, glyph?.above ?? 0) * face.em;
}

interface Weight {
  bold: boolean;
  italic: boolean;
}

interface Placed extends Grapheme, Weight {
  family: string;
  level: number;
}

/** Graphemes of one font and one direction, which are shaped together. */
type Run = [Placed, ...Placed[]];

/** Sets a line as libass does: with each letter in a font that has it, in the order in which it is seen. */
export function setLine(
  faces: Faces,
  text: string,
  type: Typeface,
  parts: readonly StyledPart[] = [],
): SetLine {
  const primary = primaryOf(faces, type);
  const { placed, missing } = withFamilies(faces, text, type, parts);
  const sizes = new Map<string, { face: FaceOf; size: number; scale: number }>();
  const sized = ({ family, bold, italic }: Weight & { family: string }) => {
    const key = `${family}:${bold}:${italic}`;
    const known = sizes.get(key);
    if (known) return known;
    const face = faces.of(family, bold, italic) ?? primary;
    const size = family === type.font ? 1 : (primary.em / face.em) * opticalSize(family);
    const made = { face, size, scale: size * face.em };
    sizes.set(key, made);
    return made;
  };
  const widths = new Map<number, number>();
  const spaceIn = ({ face, scale }: { face: FaceOf; scale: number }) =>
    scale * (face.shaped('\u00A0', 0, 1, { rightToLeft: false, ligatures: false })[0]?.advance ?? 0);
  const inOrder = visualOrder(runsOf(placed));
  // libass goes by the fonts of the letters alone. Fonts of the system are never lower than the others.
  const asked = inOrder.length === 0 || inOrder.some(([run]) => run.emoji || run.family === type.font);
  const em = asked || !primary.overhangs ? primary.em : 0;
  const heights = { ascent: primary.ascent * em, descent: primary.descent * em };
  const ink = { above: heights.ascent, below: heights.descent };
  // The ends of what is drawn, from the left end of the line.
  const edges = { at: 0, left: 0, right: 0 };
  for (const run of inOrder) {
    const [first] = run;
    const last = run.at(-1) ?? first;
    if (first.emoji) {
      for (const { from } of run) widths.set(from, EMOJI * primary.em + type.spacing);
      edges.at += run.length * (EMOJI * primary.em + type.spacing);
      continue;
    }
    const { face, scale } = sized(first);
    heights.ascent = Math.max(heights.ascent, face.ascent * scale);
    heights.descent = Math.max(heights.descent, face.descent * scale);
    const rightToLeft = first.level % 2 === 1;
    const how = { rightToLeft, ligatures: type.spacing === 0 };
    for (const glyph of face.shaped(text, first.from, last.to, how)) {
      const { cluster, advance, above, below } = glyph;
      if (face.overhangs) {
        edges.left = Math.min(edges.left, edges.at + glyph.left * scale);
        edges.right = Math.max(edges.right, edges.at + glyph.right * scale);
      }
      edges.at += advance * scale + type.spacing;
      ink.above = Math.max(ink.above, above * scale);
      ink.below = Math.max(ink.below, below * scale);
      widths.set(cluster, (widths.get(cluster) ?? 0) + advance * scale + type.spacing);
    }
  }
  const { clusters, width } = clustersOf(inOrder, widths, (run) => ({
    space: spaceIn(sized(run)),
  }));
  return {
    ...{ width, ...heights, ink, clusters, missing },
    overhang: Math.max(0, -edges.left, edges.right - width),
    runs: fontRuns(placed, (run) => sized(run).size),
  };
}

/** Throws if no font is installed. */
function primaryOf(faces: Faces, { font, bold }: Pick<Typeface, 'font' | 'bold'>): FaceOf {
  for (const family of [font, ...fallbacks]) {
    const face = faces.of(family, bold);
    if (face) return face;
  }
  throw new Error(`the font ${font} is not installed, nor any that could take its place`);
}

function withFamilies(
  faces: Faces,
  text: string,
  type: Typeface,
  parts: readonly StyledPart[],
): { placed: Placed[]; missing: string[] } {
  const graphemes = graphemesOf(text);
  // A picture is a neutral character among letters of two directions, whatever it is made of.
  const neutral = graphemes.map((one) => (one.emoji ? '\uFFFC'.repeat(one.to - one.from) : one.text));
  const { levels } = bidi.getEmbeddingLevels(neutral.join(''), 'auto');
  const ofHan = hanFamily(text, type.language);
  const missing: string[] = [];
  let before: string = type.font;
  const placed = graphemes.map((grapheme): Placed => {
    const level = levels[grapheme.from] ?? 0;
    const part = parts.find(({ from, to }) => from <= grapheme.from && grapheme.from < to);
    const weight = { bold: part?.bold ?? type.bold, italic: part?.italic ?? false };
    if (grapheme.emoji) return { ...grapheme, ...weight, family: before, level };
    const able = (family: string) =>
      faces.of(family, weight.bold, weight.italic)?.has(grapheme.text) === true;
    const script = familyOfScript(grapheme.text, ofHan);
    // Spaces and punctuation stay in the font of what they follow.
    const common = script === null && !/[\p{L}\p{N}]/u.test(grapheme.text);
    // A font that the caller has brought comes first for whatever letters it has.
    const own = type.font === BROUGHT_FONT && !common && able(type.font) ? type.font : script;
    const first = own ?? (common ? before : type.font);
    const family = [first, type.font, ...fallbacks].find(able);
    if (family === undefined) missing.push(grapheme.text);
    before = family ?? type.font;
    return { ...grapheme, ...weight, family: before, level };
  });
  return { placed, missing };
}

const isSameFont = (one: Weight & { family: string }, other: Weight & { family: string }) =>
  one.family === other.family && one.bold === other.bold && one.italic === other.italic;

function runsOf(placed: readonly Placed[]): Run[] {
  const runs: Run[] = [];
  for (const grapheme of placed) {
    const last = runs.at(-1);
    const [first] = last ?? [];
    const same =
      first !== undefined &&
      isSameFont(first, grapheme) &&
      first.level === grapheme.level &&
      first.emoji === grapheme.emoji;
    if (last && same) last.push(grapheme);
    else runs.push([grapheme]);
  }
  return runs;
}

/** From left to right: rule L2 of the Unicode Bidirectional Algorithm (UAX #9). */
function visualOrder(runs: readonly Run[]): Run[] {
  const order = [...runs];
  const levels = runs.map(([{ level }]) => level);
  const highest = Math.max(0, greatest(levels));
  const lowest = Math.min(highest + 1, least(levels.filter((level) => level % 2 === 1)));
  for (let level = highest; level >= lowest; level--) {
    for (let from = 0; from < order.length; ) {
      let to = from;
      while ((order[to]?.[0].level ?? -1) >= level) to++;
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = to + 1;
    }
  }
  return order;
}

/** Where each letter is; letters that one glyph stands for share its width. */
function clustersOf(
  inOrder: readonly Run[],
  widths: ReadonlyMap<number, number>,
  emojiIn: (run: Placed) => Cluster['emoji'],
) {
  const clusters: Cluster[] = [];
  let x = 0;
  for (const run of inOrder) {
    const leftToRight = run[0].level % 2 === 1 ? run.toReversed() : run;
    const wide = leftToRight.map((grapheme) => widthIn(grapheme, widths));
    for (const [index, width] of shared(run, leftToRight, wide).entries()) {
      const { from, to, emoji } = leftToRight[index] ?? run[0];
      clusters.push({ from, to, x, width, emoji: emoji ? emojiIn(run[0]) : null });
      x += width;
    }
  }
  return { clusters: clusters.sort((a, b) => a.from - b.from), width: x };
}

/** Width of the glyphs that begin inside a letter; null if it has none because it is part of a ligature. */
function widthIn({ from, to }: Grapheme, widths: ReadonlyMap<number, number>): number | null {
  let width: number | null = null;
  for (let at = from; at < to; at++) {
    const own = widths.get(at);
    if (own !== undefined) width = (width ?? 0) + own;
  }
  return width;
}

/** Divides the width of a ligature among its letters. @param wide From left to right, as the result. */
function shared(run: Run, leftToRight: readonly Placed[], wide: readonly (number | null)[]): number[] {
  const byOffset = new Map(leftToRight.map(({ from }, index) => [from, wide[index] ?? null]));
  const result = new Map<number, number>();
  for (let at = 0; at < run.length; ) {
    const whole = byOffset.get(run[at]?.from ?? 0) ?? 0;
    let to = at + 1;
    while (to < run.length && byOffset.get(run[to]?.from ?? 0) === null) to++;
    for (const { from } of run.slice(at, to)) result.set(from, whole / (to - at));
    at = to;
  }
  return leftToRight.map(({ from }) => result.get(from) ?? 0);
}

function fontRuns(placed: readonly Placed[], sizeOf: (run: Placed) => number): FontRun[] {
  const runs: FontRun[] = [];
  for (const one of placed) {
    const { from, to, family, bold, italic, emoji } = one;
    const last = runs.at(-1);
    if (last && (isSameFont(last, one) || emoji)) last.to = to;
    else runs.push({ from, to, family, bold, italic, size: sizeOf(one) });
  }
  return runs;
}
