import { graphemes } from '../../model/graphemes.ts';
import type { Typeface } from '../../model/letters.ts';

/** Typeset text. */
export interface Lines {
  lines: string[];
  /** Font size in pixels. */
  size: number;
}

export type TitleKind = 'title' | 'subtitle';

/** Letters that the font does not have come from the fonts of their scripts. */
export const typefaceOf = (kind: TitleKind): Typeface => ({
  ...{ font: 'Inter', bold: kind === 'title', spacing: 0, language: null },
});

/** Width of a line, relative to its font size. */
export type Measure = (text: string) => number;

const MOST_LINES = 2;
/** A text that is too wide is scaled down to this factor before it is wrapped. */
const SMALLEST = 0.72;

/** Between these, lines may break without a space. */
const ideograph =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** Fits a text into a width in pixels: on one line, smaller, or on two lines, the second cut short if necessary. */
export function linesOf(text: string, size: number, room: number, widthOf: Measure): Lines {
  // Names of files come with their letters in parts from some systems.
  const one = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const whole = Math.round(size);
  const share = room / (widthOf(one) * whole);
  if (share >= 1) return { lines: [one], size: whole };
  if (share >= SMALLEST) return { lines: [one], size: Math.floor(whole * share) };
  const smaller = Math.round(size * SMALLEST);
  const fits = (line: string) => widthOf(line.trim()) * smaller <= room;
  const lines = broken(one, fits);
  if (lines.length <= MOST_LINES) return { lines, size: smaller };
  const kept = lines.slice(0, MOST_LINES);
  kept[MOST_LINES - 1] = shortened(kept[MOST_LINES - 1] ?? '', fits);
  return { lines: kept, size: smaller };
}

type Fits = (line: string) => boolean;

/**
 * Units between which a line may break: words with their trailing space, ideographs, and parts of words that are too
 * long.
 */
function* piecesOf(text: string, fits: Fits): Generator<string> {
  let piece = '';
  let [closed, isWide] = [false, false];
  for (const character of graphemes(text)) {
    const wide = ideograph.test(character);
    if (piece !== '' && (closed || wide || isWide || !fits(piece + character))) {
      yield piece;
      piece = '';
    }
    piece += character;
    [closed, isWide] = [character === ' ', wide];
  }
  yield piece;
}

/** Fills lines with what fits. One more line than is kept means that text is left over. */
function broken(text: string, fits: Fits): string[] {
  const lines = [''];
  for (const piece of piecesOf(text, fits)) {
    const last = lines.at(-1) ?? '';
    if (last === '' || piece === ' ' || fits(last + piece)) {
      lines[lines.length - 1] = last + piece;
      continue;
    }
    if (lines.length > MOST_LINES) break;
    lines.push(piece);
  }
  return lines.map((line) => line.trim());
}

function shortened(line: string, fits: Fits): string {
  const characters = graphemes(line);
  const cut = () => `${characters.join('').trimEnd()}…`;
  while (characters.length > 1 && !fits(cut())) characters.pop();
  return cut();
}
