import type { CaptionEntrance } from '../../../../schema/media/caption-presets.ts';
import type { Letters, SetLine, Typeface } from '../../../model/letters.ts';
import { greatest, least } from '../../../model/numbers/min-max.ts';
import type { Box } from './ass-drawing.ts';
import { hasOwnFile } from './caption-font.ts';
import type { Look } from './presets.ts';
import { directed } from './row-direction.ts';
import type { CaptionPlace } from './safe-area.ts';
import type { CaptionCue } from './segmentation.ts';
import { type CaptionWord, textOf } from './words.ts';

export interface Drawn {
  look: Look;
  place: CaptionPlace;
  /** In pixels. */
  line: number;
  /** Largest height of a caption, in pixels. */
  tallest: number;
  letters: Letters;
  language: string | null;
  entrance: CaptionEntrance;
}

/** A word and where it is in the text of its row. */
export interface LaidWord extends CaptionWord {
  from: number;
  to: number;
}

export interface Row {
  text: string;
  words: LaidWord[];
  set: SetLine;
  /** What its letters cover, in pixels of the picture. */
  box: Box;
  /** Distance of the baseline from the top of the picture. */
  baseline: number;
}

export interface Laid {
  rows: Row[];
  /** Factor that shrinks the text until its widest line and its height fit. */
  scale: number;
  /** Pixels of a line height. */
  line: number;
  /** Pixels between the text and the edge of the picture that it is aligned with. */
  margin: number;
}

/** A line of the document that libass draws. */
export interface CaptionEvent {
  /** Higher layers are drawn on top. */
  layer: number;
  start: number;
  end: number;
  /** Pixels between the text and the edge of the picture. */
  margin: number;
  /** Upper left corner of a drawing, in pixels; null for text, which is aligned. */
  at: Point | null;
  /** Radius in pixels. */
  blur: number;
  /** Tags that move it into its place. */
  moves: string | null;
  text: string;
}

export interface Point {
  x: number;
  y: number;
}

/** An event with a drawing, without its times. */
export const drawingAt = ({ x, y }: Point, layer: number, { margin }: Laid, text: string) => ({
  ...{ layer, margin, at: { x, y }, blur: 0, moves: null, text },
});

export const typefaceOf = ({ look, language }: Pick<Drawn, 'look' | 'language'>): Typeface => ({
  ...{ font: look.font, bold: look.bold, spacing: look.spacing, language },
});

/** How far a box reaches above and below the text, in line heights. */
export const BOX_EDGE = 0.14;

/** Size of the spoken word of `pop`, at its largest. */
export const POP = 1.13;

/** In the letter case of the preset, by the rules of the language: the capital of `i` is `İ` in Turkish. */
export function cased(
  text: string,
  { look: { letterCase }, language }: Pick<Drawn, 'look' | 'language'>,
): string {
  const tag = /^[a-z]{2,3}(?![a-z])/i.exec(language ?? '')?.[0];
  if (letterCase === 'upper') return text.toLocaleUpperCase(tag);
  return letterCase === 'lower' ? text.toLocaleLowerCase(tag) : text;
}

/** The lines of captions as they are typeset. */
export function typeset(cues: readonly CaptionCue[], drawn: Drawn): { text: string; set: SetLine }[] {
  const type = typefaceOf(drawn);
  return cues
    .flatMap(({ lines }) => lines)
    .map((row) => {
      const text = cased(textOf(row), drawn);
      return { text, set: drawn.letters.lineOf(text, type) };
    });
}

/** Smooth edges reach this many pixels further, where letters fill their whole line. */
const smoothing = ({ font }: Look) => (hasOwnFile(font) ? 1 : 0);

/** Widest line, in pixels, that stays inside the margins with all that is drawn around it. */
export function roomIn({ look, place, line }: Pick<Drawn, 'look' | 'place' | 'line'>): number {
  const around = look.background ? 0.68 : 2 * overhang(look);
  return place.picture.width - place.left - place.right - around * line - 2 * smoothing(look);
}

/** How far outline, shadow and marks reach beyond a line's ends, in line heights. */
function overhang({ outline, shadow, softness, effect }: Look): number {
  const edge = outline.width + Math.max(shadow, softness);
  return Math.max(edge, effect === 'pill' ? 0.16 : 0, effect === 'glow' ? 0.26 : 0);
}

export function laidOut({ lines }: CaptionCue, drawn: Drawn): Laid {
  const { look, place, letters } = drawn;
  const type = typefaceOf(drawn);
  const wordsOfRows = lines.map((row) => row.map((word) => ({ ...word, text: cased(word.text, drawn) })));
  const texts = directed(wordsOfRows.map(textOf));
  const set = wordsOfRows.map((words, row) => {
    const text = texts[row] ?? '';
    const laid = withOffsets(words, text.length);
    const parts = laid.filter(({ bold, italic }) => bold !== undefined || italic === true);
    const set = letters.lineOf(
      text,
      type,
      parts.map(({ from, to, bold, italic }) => ({ from, to, bold, italic })),
    );
    return { text, words: laid, set };
  });
  const widest = greatest(set.map((row) => row.set.width + grownBy(row, look) + 2 * row.set.overhang));
  const beyond = drawnBeyond(set[0]?.set, set.at(-1)?.set, drawn);
  const high = set.reduce((sum, row) => sum + row.set.ascent + row.set.descent, 0);
  // A caption in the middle reaches equally far up and down from there.
  const tall = high + 2 * Math.max(beyond.top, beyond.bottom);
  const scale = Math.min(1, roomIn(drawn) / (widest * drawn.line), drawn.tallest / (tall * drawn.line));
  const line = drawn.line * scale;
  const { picture, left, right, top, bottom } = place;
  const heights = set.map((row) => (row.set.ascent + row.set.descent) * line);
  const block = heights.reduce((sum, height) => sum + height, 0);
  const margins = { top: top + beyond.top * line, bottom: bottom + beyond.bottom * line, middle: 0 };
  // libass places lines on whole pixels.
  const margin = Math.ceil(margins[place.vertical]) + 1 + smoothing(look);
  let y = { top: margin, middle: (picture.height - block) / 2, bottom: picture.height - margin - block }[
    place.vertical
  ];
  const room = picture.width - left - right;
  const rows = set.map((row, index): Row => {
    const width = row.set.width * line;
    const x = { left, center: left + (room - width) / 2, right: left + room - width }[place.horizontal];
    const baseline = y + row.set.ascent * line;
    y += heights[index] ?? 0;
    const { above, below } = row.set.ink;
    return {
      ...{ ...row, baseline },
      box: { x, y: baseline - above * line, width, height: (above + below) * line },
    };
  });
  return { rows, scale, line, margin };
}

/** How far slanted letters reach out of their line, in line heights at both ends. */
const SLANT = 0.3;

/** How much slanted letters and the spoken word of `pop` widen a line. */
function grownBy({ words, set }: Pick<Row, 'words' | 'set'>, { effect }: Look): number {
  const slanted = words.some(({ italic }) => italic) ? SLANT : 0;
  if (effect !== 'pop') return slanted;
  const widths = words.map(({ from, to }) => {
    const inside = set.clusters.filter((cluster) => cluster.from >= from && cluster.from < to);
    return inside.reduce((sum, { width }) => sum + width, 0);
  });
  return slanted + (POP - 1) * greatest(widths);
}

/** How far what is drawn reaches beyond the first and the last line, in line heights. */
function drawnBeyond(first: SetLine | undefined, last: SetLine | undefined, { look }: Drawn) {
  const edge = look.background ? BOX_EDGE : overhang(look);
  return {
    top: Math.max(0, (first ? first.ink.above - first.ascent : 0) + edge),
    bottom: Math.max(0, (last ? last.ink.below - last.descent : 0) + edge),
  };
}

/** @param end Of the row, which may begin with a mark. */
function withOffsets(words: readonly CaptionWord[], end: number): LaidWord[] {
  let at = end - textOf(words).length;
  return words.map((word, index) => {
    const from = at + (index === 0 || word.glued ? 0 : 1);
    at = from + word.text.length;
    return { ...word, from, to: at };
  });
}

/** Left and right end of part of a row, in pixels of the picture. */
export function extentOf({ set, box }: Row, from: number, to: number, line: number): [number, number] {
  const inside = set.clusters.filter((cluster) => cluster.from < to && cluster.to > from);
  if (inside.length === 0) return [box.x, box.x];
  const left = least(inside.map(({ x }) => x));
  const right = greatest(inside.map(({ x, width }) => x + width));
  return [box.x + left * line, box.x + right * line];
}
