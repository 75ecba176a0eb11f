import { type Color, inside, mixed, type Point, painted } from '../assets/paint.ts';

/** The two pictures of a preview, drawn without a font or a file: an evening (A) and a night (B). */
export type Letter = 'A' | 'B';

export const size = { width: 320, height: 180 };

interface Scene {
  sky: readonly [Color, Color];
  disc: { at: Point; radius: number; color: Color };
  hills: readonly { color: Color; height: (x: number) => number }[];
}

const scenes: Record<Letter, Scene> = {
  A: {
    sky: [
      [122, 44, 108],
      [250, 168, 84],
    ],
    disc: { at: [236, 92], radius: 34, color: [255, 226, 150] },
    hills: [
      { color: [176, 72, 92], height: (x) => 122 + 14 * Math.sin(x / 46) },
      { color: [112, 40, 76], height: (x) => 146 + 10 * Math.sin(x / 33 + 2) },
    ],
  },
  B: {
    sky: [
      [10, 22, 58],
      [34, 122, 140],
    ],
    disc: { at: [74, 48], radius: 20, color: [226, 240, 236] },
    hills: [
      { color: [22, 84, 112], height: (x) => 84 + Math.abs(((x + 40) % 150) - 75) * 0.9 },
      { color: [10, 46, 74], height: (x) => 112 + Math.abs(((x + 110) % 128) - 64) * 0.8 },
    ],
  },
};

const half = (center: Point, radius: number): Point[] =>
  Array.from({ length: 13 }, (_, step) => {
    const angle = ((step - 6) / 12) * Math.PI;
    return [center[0] + radius * 1.15 * Math.cos(angle), center[1] + radius * Math.sin(angle)];
  });

/** Strokes of each letter as polylines, in pixels from the center of the picture. */
const strokes: Record<Letter, readonly (readonly Point[])[]> = {
  A: [
    [
      [-32, 44],
      [0, -44],
      [32, 44],
    ],
    [
      [-19, 14],
      [19, 14],
    ],
  ],
  B: [
    [[-24, 44], [-24, -44], [-4, -44], ...half([-4, -23], 21), [-4, -2], ...half([-4, 21], 23), [-24, 44]],
    [
      [-24, -2],
      [-4, -2],
    ],
  ],
};
const STROKE = 7;

/** The picture as binary PPM. */
export const pictureOf = (letter: Letter): Buffer => painted(size, (x, y) => colorAt(letter, x, y));

function colorAt(letter: Letter, x: number, y: number): Color {
  const { sky, disc, hills } = scenes[letter];
  let color = mixed(sky[0], sky[1], y / size.height);
  color = mixed(color, disc.color, inside(disc.radius - Math.hypot(x - disc.at[0], y - disc.at[1])));
  for (const hill of hills) color = mixed(color, hill.color, inside(y - hill.height(x)));
  const away = distance(letter, [x - size.width / 2, y - size.height / 2]);
  return mixed(color, [255, 255, 255], inside(STROKE - away));
}

/** Distance in pixels from a point to the nearest stroke of a letter. */
function distance(letter: Letter, [x, y]: Point): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const line of strokes[letter]) {
    for (const [index, from] of line.entries()) {
      const to = line[index + 1] ?? from;
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const length = dx * dx + dy * dy;
      const along =
        length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from[0]) * dx + (y - from[1]) * dy) / length));
      nearest = Math.min(nearest, Math.hypot(x - from[0] - along * dx, y - from[1] - along * dy));
    }
  }
  return nearest;
}
