import { graphemes } from '../../model/graphemes.ts';

/** Typeset text. */
export interface Lines {
  lines: string[];
  /** Font size in pixels. */
  size: number;
}

const MOST_LINES = 2;
/** A text that is too wide is scaled down to this factor before it is wrapped. */
const SMALLEST = 0.72;

/** Character widths relative to the font size: ideographs, capitals and digits, lower-case letters. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const flag = /\p{Regional_Indicator}/u;
const narrow = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Width of a letter with its marks, or of an emoji: that of its first character. */
function widthOf(grapheme: string): number {
  const character = String.fromCodePoint(grapheme.codePointAt(0) ?? 0x20);
  if (wide.test(character) || flag.test(character)) return 1;
  if (narrow.test(character)) return 0;
  return /[\p{Lu}\d@%&—]/u.test(character) ? 0.68 : /[ilj.,:;'!|() ]/.test(character) ? 0.32 : 0.56;
}

const measured = (text: string) => graphemes(text).reduce((sum, letter) => sum + widthOf(letter), 0);

/** Fits a text into a width in pixels: on one line, smaller, or on two lines, the second cut short if necessary. */
export function linesOf(text: string, size: number, room: number): Lines {
  // Names of files come with their letters in parts from some systems.
  const one = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const share = room / (measured(one) * size);
  if (share >= SMALLEST) return { lines: [one], size: Math.round(size * Math.min(1, share)) };
  const smaller = Math.round(size * SMALLEST);
  const lines = broken(one, room / smaller);
  if (lines.length <= MOST_LINES) return { lines, size: smaller };
  const kept = lines.slice(0, MOST_LINES);
  kept[MOST_LINES - 1] = `${shortened(kept[MOST_LINES - 1] ?? '', room / smaller - 1)}…`;
  return { lines: kept, size: smaller };
}

interface Piece {
  text: string;
  width: number;
  /** Width without the trailing space. */
  bare: number;
}

/**
 * Units between which a line may break: words with their trailing space, ideographs, and parts of words that are too
 * long.
 */
function piecesOf(text: string, room: number): Piece[] {
  const pieces: Piece[] = [];
  let [closed, hasWide] = [true, false];
  for (const character of graphemes(text)) {
    const width = widthOf(character);
    const last = pieces.at(-1);
    const isWide = wide.test(character);
    if (!last || closed || isWide || hasWide || last.width + width > room) {
      pieces.push({ text: character, width, bare: character === ' ' ? 0 : width });
    } else {
      last.text += character;
      last.width += width;
      if (character !== ' ') last.bare = last.width;
    }
    [closed, hasWide] = [character === ' ', isWide];
  }
  return pieces;
}

/** Fills lines up to `room`. One more line than is kept means that text is left over. */
function broken(text: string, room: number): string[] {
  const lines = [''];
  let width = 0;
  for (const piece of piecesOf(text, room)) {
    if (width > 0 && piece.bare > 0 && width + piece.bare > room) {
      if (lines.length > MOST_LINES) break;
      lines.push('');
      width = 0;
    }
    lines[lines.length - 1] += piece.text;
    width += piece.width;
  }
  return lines.map((line) => line.trim());
}

function shortened(line: string, room: number): string {
  const characters = graphemes(line);
  let width = measured(line);
  while (characters.length > 1 && width > room) width -= widthOf(characters.pop() ?? '');
  return characters.join('').trimEnd();
}
