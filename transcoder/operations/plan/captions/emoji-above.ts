import type { EmojiLayer, Point } from '../../../model/letters.ts';
import { greatest, least } from '../../../model/numbers/min-max.ts';
import { emojiDrawn } from './emoji-events.ts';
import { BOX_EDGE, type CaptionEvent, type Drawn, extentOf, type Laid } from './layout.ts';
import type { CaptionCue } from './segmentation.ts';

/** In line heights: of an emoji, and between it and the text. */
const SIZE = 1.5;
const GAP = 0.22;
/** Smaller ones are left out. */
const LEAST = 0.5;

/** Seconds after a word begins, and the size of its emoji from then on. */
const pop: readonly (readonly [after: number, scale: number])[] = [
  [0, 0.6],
  [0.04, 1.12],
  [0.1, 1],
];
const LARGEST = 1.12;

/** The emoji of words, each over its word from when that is said until the next one; below captions at the top. */
export function emojiAbove({ start, end }: CaptionCue, laid: Laid, drawn: Drawn): CaptionEvent[] {
  const shown = laid.rows.flatMap((row) =>
    row.words.flatMap((word) => (word.emoji === undefined ? [] : [{ row, word, emoji: word.emoji }])),
  );
  const { place, look } = drawn;
  const { line, rows } = laid;
  const edge = (look.background ? BOX_EDGE : 0) + GAP;
  const above = least(rows.map(({ box }) => box.y)) - edge * line;
  const below = greatest(rows.map(({ box }) => box.y + box.height)) + edge * line;
  const under = place.vertical === 'top';
  const room = under ? place.picture.height - place.bottom - below : above - place.top;
  const size = Math.min(SIZE * line, room / LARGEST);
  if (size < LEAST * line) return [];
  return shown.flatMap(({ row, word, emoji }, index) => {
    const layers = drawn.letters.emoji(emoji);
    if (layers.length === 0) return [];
    const from = Math.max(start, word.start);
    const until = Math.min(end, shown[index + 1]?.word.start ?? end);
    const [left, right] = extentOf(row, word.from, word.to, line);
    const half = (LARGEST * size) / 2;
    const x = Math.min(
      Math.max((left + right) / 2, place.left + half),
      place.picture.width - place.right - half,
    );
    const center = { x, y: under ? below + half : above - half };
    return pop.flatMap(([after, scale], at): CaptionEvent[] => {
      const begin = from + after;
      const finish = Math.min(until, from + (pop[at + 1]?.[0] ?? Number.POSITIVE_INFINITY));
      if (finish <= begin) return [];
      const { em, corner } = fitted(layers, center, scale * size);
      return emojiDrawn(layers, em, corner, laid).map((each) => ({ ...each, start: begin, end: finish }));
    });
  });
}

/** The em of an emoji of this size, and where its baseline begins if its middle is at a point. */
function fitted(layers: readonly EmojiLayer[], center: { x: number; y: number }, size: number) {
  const points = layers.flatMap(({ contours }) =>
    contours.flatMap(({ start, curves }): Point[] => [start, ...curves.map(([, , to]) => to)]),
  );
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right, top, bottom] = [least(xs), greatest(xs), least(ys), greatest(ys)];
  const em = size / Math.max(right - left, bottom - top);
  return {
    em,
    corner: { x: center.x - (em * (left + right)) / 2, y: center.y - (em * (top + bottom)) / 2 },
  };
}
