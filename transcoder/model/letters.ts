import type { CaptionFont } from '../../schema/media/caption-presets.ts';

/** The family of a font that the caller brings. */
export const BROUGHT_FONT = 'Caption Font';
/** A font of the caller in the directory of its task. */
export const BROUGHT_FONT_FILE = 'brought-font';
/** Directory of the fonts of a task that are not the system's. */
export const FONTS = 'fonts';

export type FontFamily = CaptionFont | typeof BROUGHT_FONT;

/** Not the marks that Chinese has as well, such as 。, which are among the script extensions of kana. */
export const kana = /[\p{sc=Hira}\p{sc=Kana}]/u;
export const hangul = /\p{sc=Hangul}/u;
export const han = /\p{sc=Han}/u;

/** How a text is set. */
export interface Typeface {
  font: FontFamily;
  bold: boolean;
  /** Added after each letter, as a share of the line height. */
  spacing: number;
  /** BCP 47 tag; chooses between the Chinese, Japanese and Korean forms of Han characters. */
  language: string | null;
}

/** A letter with its marks, or whatever else cannot be divided. */
export interface Cluster {
  /** Offsets in the text. */
  from: number;
  to: number;
  /** Distance from the left end of the line. */
  x: number;
  width: number;
  /** Null for letters. An emoji is drawn as a picture over a no-break space, which is as wide as this by itself. */
  emoji: { space: number } | null;
}

/** A part of a text that is bold or italic unlike the rest. */
export interface StyledPart {
  from: number;
  to: number;
  bold?: boolean | undefined;
  italic?: boolean | undefined;
}

/** Neighbouring letters, in the order of the text, that one font draws. */
export interface FontRun {
  from: number;
  to: number;
  family: string;
  bold: boolean;
  italic: boolean;
  /** Font size of ASS. */
  size: number;
}

/** A line as libass sets it. Lengths are shares of the line height of the font that was asked for. */
export interface SetLine {
  width: number;
  /** Height above and below the baseline that the line takes. */
  ascent: number;
  descent: number;
  /** Heights that cover the letters of the font that was asked for and all others that are drawn. */
  ink: { above: number; below: number };
  /** How far letters reach beyond either end of the line; 0 for fonts of the system, whose letters hardly do. */
  overhang: number;
  /** By their offsets. */
  clusters: Cluster[];
  runs: FontRun[];
  /** Characters that no font has. */
  missing: string[];
}

/** One color of an emoji. */
export interface EmojiLayer {
  /** `#rrggbb`. */
  color: string;
  opacity: number;
  /** Closed contours of cubic Bézier curves, in shares of the em, y downwards from the baseline. */
  contours: Contour[];
}

export interface Contour {
  start: Point;
  curves: [Point, Point, Point][];
}

export type Point = readonly [x: number, y: number];

/** Sets text with the fonts that draw it. */
export interface Letters {
  lineOf(text: string, type: Typeface, parts?: readonly StyledPart[]): SetLine;
  /** Layers of an emoji, the lowest first; its em is `size` of its line. */
  emoji(cluster: string): readonly EmojiLayer[];
  /** Size of the em of an emoji among the letters of a font. */
  emojiSize(type: Typeface): number;
  /** Height of the capitals of a font, as a share of its line height. */
  capitals(type: Pick<Typeface, 'font' | 'bold'>): number;
}

/** Sets text with a font of the caller, which only a confined process opens. */
export interface BroughtLetters extends Letters {
  /** Whether the font has several styles, of which the default one is drawn. */
  variable: boolean;
  /**
   * Sets the texts that `lineOf` could only estimate so far; false if there were none. A plan that was made with estimates has to be
   * made again. Throws `font_invalid`.
   */
  settle(): Promise<boolean>;
  close(): void;
}
