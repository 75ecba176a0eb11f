import type { EmojiLayer, Point } from '../../../model/letters.ts';
import { assColor } from './ass-color.ts';
import { drawing, hundredth } from './ass-drawing.ts';
import { type CaptionEvent, type Drawn, drawingAt, type Laid, type LaidWord, typefaceOf } from './layout.ts';

/** Above the text. */
const LAYER = 3;

/** The emoji of a caption, over the spaces that its text leaves for them. @param from When a word's emoji appear. */
export function emojiEvents(
  laid: Laid,
  drawn: Drawn,
  end: number,
  from: (word: LaidWord | undefined) => number,
): CaptionEvent[] {
  const size = drawn.letters.emojiSize(typefaceOf(drawn)) * laid.line;
  return laid.rows.flatMap((row) =>
    row.set.clusters
      .filter(({ emoji }) => emoji !== null)
      .flatMap((cluster) => {
        const word = row.words.find(({ to }) => to > cluster.from);
        const at = { x: row.box.x + cluster.x * laid.line, y: row.baseline };
        const layers = drawn.letters.emoji(row.text.slice(cluster.from, cluster.to));
        return emojiDrawn(layers, size, at, laid).map((each) => ({ ...each, start: from(word), end }));
      }),
  );
}

/** The layers of an emoji, without their times. @param size Of its em, in pixels. @param at Where its baseline begins. */
export const emojiDrawn = (
  layers: readonly EmojiLayer[],
  size: number,
  at: { x: number; y: number },
  laid: Laid,
) =>
  layers.map((layer) =>
    drawingAt(at, LAYER, laid, drawing(pathOf(layer, size), assColor(layer.color, layer.opacity))),
  );

function pathOf({ contours }: EmojiLayer, size: number): string {
  const point = ([x, y]: Point) => `${hundredth(x * size)} ${hundredth(y * size)}`;
  return contours
    .map(({ start, curves }) => {
      const each = curves.map((points) => points.map(point).join(' '));
      return `m ${point(start)}${each.length > 0 ? ` b ${each.join(' ')}` : ''}`;
    })
    .join(' ');
}
