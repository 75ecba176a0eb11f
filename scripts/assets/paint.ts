/** Levels from 0 to 255. */
export type Color = readonly [number, number, number];
export type Point = readonly [number, number];
interface Size {
  width: number;
  height: number;
}

/** Antialiased coverage (0 to 1) from the depth inside an edge, in pixels. */
export const inside = (depth: number) => Math.min(1, Math.max(0, depth + 0.5));

export const mixed = (from: Color, to: Color, share: number): Color => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

/** A picture as binary PPM. @param colorAt Called with the center of each pixel. */
export function painted({ width, height }: Size, colorAt: (x: number, y: number) => Color): Buffer {
  const head = Buffer.from(`P6\n${width} ${height}\n255\n`, 'latin1');
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = colorAt(x + 0.5, y + 0.5);
      for (let plane = 0; plane < 3; plane++) {
        pixels[(y * width + x) * 3 + plane] = Math.round(color[plane] ?? 0);
      }
    }
  }
  return Buffer.concat([head, pixels]);
}
