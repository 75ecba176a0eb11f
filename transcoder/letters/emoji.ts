import { Face } from 'harfbuzzjs';
import type { Contour, EmojiLayer, Point } from '../model/letters.ts';
import { blobOf, type FaceOf, faceOf } from './faces.ts';

const black = { red: 0, green: 0, blue: 0, alpha: 255 };
const hex = (value: number) => value.toString(16).padStart(2, '0');

/**
 * Emoji as outlines of flat colors, from a font with a `COLR` table of version 0. libass draws outlines, but no colored
 * glyphs. https://learn.microsoft.com/typography/opentype/spec/colr
 */
export class Emoji {
  readonly #face: Face;
  readonly #of: FaceOf;
  readonly #colors: { red: number; green: number; blue: number; alpha: number }[];
  readonly #layers = new Map<string, EmojiLayer[]>();

  /** @param bytes Of a TrueType font. */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#face = new Face(blobOf(bytes));
    this.#of = faceOf(this.#face);
    this.#colors = this.#face.getColorPalettes()[0]?.colors ?? [];
  }

  layersOf(cluster: string): readonly EmojiLayer[] {
    const known = this.#layers.get(cluster);
    if (known) return known;
    // Not all sequences are one glyph: what follows the first one modifies it in ways that the font does not know.
    const [glyph] = this.#of.shaped(cluster, 0, cluster.length, { rightToLeft: false, ligatures: true });
    const layers = glyph ? this.#face.getGlyphColorLayers(glyph.id) : [];
    const made = layers.map(({ glyph: id, colorIndex }): EmojiLayer => {
      // Without an index it has the color of the text, which no emoji of this font has.
      const { red, green, blue, alpha } = this.#colors[colorIndex ?? -1] ?? black;
      return {
        color: `#${hex(red)}${hex(green)}${hex(blue)}`,
        opacity: alpha / 255,
        contours: this.#contours(id),
      };
    });
    this.#layers.set(cluster, made);
    return made;
  }

  /** Quadratic curves as cubic ones, which are all that ASS has. */
  #contours(glyph: number): Contour[] {
    const { upem } = this.#face;
    const contours: Contour[] = [];
    let at: Point = [0, 0];
    for (const { type, values } of this.#of.font.glyphToJson(glyph)) {
      const points = pairs(values.map((value) => value / upem));
      const [one, two, three] = points;
      const curves = contours.at(-1)?.curves;
      if (type === 'M' && one) contours.push({ start: one, curves: [] });
      else if (type === 'L' && one) curves?.push([between(at, one, 1 / 3), between(at, one, 2 / 3), one]);
      else if (type === 'Q' && one && two)
        curves?.push([between(at, one, 2 / 3), between(two, one, 2 / 3), two]);
      else if (type === 'C' && one && two && three) curves?.push([one, two, three]);
      at = points.at(-1) ?? at;
    }
    return contours;
  }
}

const between = ([x, y]: Point, [toX, toY]: Point, share: number): Point => [
  x + (toX - x) * share,
  y + (toY - y) * share,
];

/** With the y axis downwards. */
function pairs(values: readonly number[]): Point[] {
  return Array.from(
    { length: Math.floor(values.length / 2) },
    (_, index): Point => [values[2 * index] ?? 0, -(values[2 * index + 1] ?? 0)],
  );
}
