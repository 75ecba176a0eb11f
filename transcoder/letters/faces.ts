import { readFileSync } from 'node:fs';
import { Blob, Direction, Face, Feature, Font, Buffer as Shaping, shape } from 'harfbuzzjs';
import type { InstalledFonts } from './installed-fonts.ts';

/** A glyph, in shares of the em, in the order from left to right. */
export interface Glyph {
  id: number;
  /** Offset in the text of the first character that it stands for. */
  cluster: number;
  advance: number;
  /** Ink above and below the baseline; negative below if all of it is above. */
  above: number;
  below: number;
  /** Ends of its ink, from where it begins. */
  left: number;
  right: number;
}

/** A font of a family; lengths in shares of its em. */
export interface FaceOf {
  font: Font;
  /** Em of the font size that ASS gives: libass fits the ascender and descender of the OS/2 table into it. */
  em: number;
  ascent: number;
  descent: number;
  /** Whether its letters may reach beyond the ends of a line. */
  overhangs: boolean;
  has: (text: string) => boolean;
  shaped: (
    text: string,
    from: number,
    to: number,
    how: { rightToLeft: boolean; ligatures: boolean },
  ) => Glyph[];
}

/** Characters around a run that its shape can depend on. */
const CONTEXT = 8;

/** The fonts of this machine, each loaded when it is needed first. */
export class Faces {
  readonly #fonts: InstalledFonts;
  readonly #blobs = new Map<string, Blob>();
  readonly #faces = new Map<string, FaceOf | null>();

  constructor(fonts: InstalledFonts) {
    this.#fonts = fonts;
  }

  /** Null if the family is not installed. Without an italic font libass slants the upright one, which is as wide. */
  of(family: string, bold: boolean, italic = false): FaceOf | null {
    const key = `${family}:${bold}:${italic}`;
    const known = this.#faces.get(key);
    if (known !== undefined) return known;
    const files = this.#fonts.get(family) ?? [];
    const upright = files.filter((each) => !each.italic);
    const file =
      files.find((each) => each.bold === bold && each.italic === italic) ??
      upright.find((each) => each.bold === bold) ??
      upright[0];
    const face = file ? faceOf(new Face(this.#blob(file.path), file.index), file.overhangs) : null;
    this.#faces.set(key, face);
    return face;
  }

  #blob(path: string): Blob {
    const known = this.#blobs.get(path);
    if (known) return known;
    const blob = blobOf(readFileSync(path));
    this.#blobs.set(path, blob);
    return blob;
  }
}

/** Copies the bytes alone: small files are read into a larger buffer. */
export const blobOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Blob =>
  new Blob(buffer.slice(byteOffset, byteOffset + byteLength));

export function faceOf(face: Face, overhangs = false): FaceOf {
  const font = new Font(face);
  const { upem } = face;
  const [ascent, descent] = heightsOf(face, font);
  const unseen = /\p{Default_Ignorable_Code_Point}|\p{Cc}/u;
  return {
    font,
    em: upem / (ascent + descent),
    ...{ ascent: ascent / upem, descent: descent / upem, overhangs },
    has: (text) =>
      [...text].every((one) => unseen.test(one) || Boolean(font.nominalGlyph(one.codePointAt(0) ?? 0))),
    shaped: (text, from, to, { rightToLeft, ligatures }) => {
      const buffer = new Shaping();
      // Letters join with their neighbours of another run.
      const begin = Math.max(0, from - CONTEXT);
      buffer.addText(text.slice(begin, to + CONTEXT), from - begin, to - from);
      buffer.guessSegmentProperties();
      buffer.setDirection(rightToLeft ? Direction.RTL : Direction.LTR);
      shape(font, buffer, ligatures ? [] : [new Feature('liga', 0), new Feature('clig', 0)]);
      return buffer
        .getGlyphInfosAndPositions()
        .map(({ codepoint, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }) => {
          const extents = font.glyphExtents(codepoint);
          const { xBearing = 0, width = 0, yBearing = 0, height = 0 } = extents ?? {};
          const [above, below] = [(yBearing + yOffset) / upem, -(yBearing + yOffset + height) / upem];
          const [left, right] = [(xBearing + xOffset) / upem, (xBearing + xOffset + width) / upem];
          return {
            id: codepoint,
            cluster: cluster + begin,
            advance: xAdvance / upem,
            above,
            below,
            left,
            right,
          };
        });
    },
  };
}

/** Above and below the baseline in font units: `usWinAscent` and `usWinDescent`, as in libass, otherwise from `hhea`. */
function heightsOf(face: Face, font: Font): [ascent: number, descent: number] {
  const table = face.referenceTable('OS/2');
  if (table && table.byteLength >= 78) {
    const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
    const [ascent, descent] = [view.getUint16(74), view.getUint16(76)];
    if (ascent + descent > 0) return [ascent, descent];
  }
  const { ascender, descender } = font.hExtents();
  return [ascender, -descender];
}
