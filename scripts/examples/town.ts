import { type Color, inside, mixed, painted } from '../assets/paint.ts';

/** A town by the water at nightfall: the photo of the examples, with many small details that make movement visible. */
const size = { width: 1600, height: 900 };
/** Size of one output pixel in the units of `size`. */
const PIXEL = 1.25;

const SHORE = 640;
const [low, high]: [Color, Color] = [
  [250, 158, 92],
  [28, 32, 84],
];
const dusk: Color = [122, 62, 118];
const moon = { x: 1180, y: 190, radius: 74, color: [255, 240, 208] as Color };
const lamp: Color = [255, 214, 122];

/** Hashes three integers to a number from 0 to below 1; identical in every run. */
function random(a: number, b: number, c: number): number {
  let state =
    Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^
    Math.imul(b ^ 0x7f4a7c15, 0xc2b2ae35) ^
    Math.imul(c ^ 0x165667b1, 0x27d4eb2f);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
  return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32;
}

interface House {
  left: number;
  width: number;
  top: number;
  gable: boolean;
  color: Color;
  seed: number;
}

interface Row {
  houses: House[];
  window: { wide: number; high: number; stepX: number; stepY: number; lit: number };
}

function row(
  seed: number,
  widths: [number, number],
  tops: [number, number],
  wall: Color,
  window: Row['window'],
) {
  const houses: House[] = [];
  for (let left = -20, index = 0; left < size.width; index++) {
    const between = ([from, to]: [number, number], which: number) =>
      from + (to - from) * random(seed, index, which);
    const width = Math.round(between(widths, 1));
    const shade = 0.75 + 0.5 * random(seed, index, 2);
    const color: Color = [wall[0] * shade, wall[1] * shade, wall[2] * (0.9 + shade / 10)];
    const gable = random(seed, index, 3) < 0.45;
    houses.push({ left, width, top: Math.round(between(tops, 4)), gable, color, seed: seed + index * 7 });
    left += width;
  }
  return { houses, window };
}

/** From back to front. */
const rows: Row[] = [
  row(11, [46, 92], [330, 520], [74, 52, 106], { wide: 5, high: 8, stepX: 13, stepY: 20, lit: 0.3 }),
  row(29, [80, 150], [430, 580], [40, 32, 76], { wide: 10, high: 15, stepX: 24, stepY: 34, lit: 0.5 }),
];

function sky(x: number, y: number): Color {
  const height = y / SHORE;
  let color = height < 0.55 ? mixed(high, dusk, height / 0.55) : mixed(dusk, low, (height - 0.55) / 0.45);
  const [cellX, cellY] = [Math.floor(x / 34), Math.floor(y / 34)];
  const star = {
    x: (cellX + 0.2 + 0.6 * random(cellX, cellY, 1)) * 34,
    y: (cellY + 0.2 + 0.6 * random(cellX, cellY, 3)) * 34,
  };
  const bright = random(cellX, cellY, 2) * (1 - height * 1.6);
  if (bright > 0.15)
    color = mixed(color, [255, 255, 255], bright * inside(1.2 - Math.hypot(x - star.x, y - star.y)));
  const away = Math.hypot(x - moon.x, y - moon.y);
  color = mixed(color, moon.color, 0.35 * Math.exp(-Math.max(0, away - moon.radius) / 90));
  color = mixed(color, moon.color, inside(moon.radius - away));
  for (const [dx, dy, radius] of [
    [-22, -18, 15],
    [20, 12, 20],
    [-14, 30, 10],
  ] as const) {
    const crater = inside(radius - Math.hypot(x - moon.x - dx, y - moon.y - dy));
    color = mixed(color, [232, 208, 176], crater * 0.6);
  }
  const hills = 470 + 46 * Math.sin(x / 190) + 22 * Math.sin(x / 71 + 1);
  return mixed(color, [96, 58, 118], inside(y - hills));
}

function houses({ houses: list, window }: Row, x: number, y: number, behind: Color): Color {
  const house = list.findLast(({ left }) => left <= x);
  if (!house) return behind;
  const across = x - house.left;
  const slope = house.gable ? Math.abs(across - house.width / 2) * 0.7 : 0;
  const roof = house.top + slope;
  const covered = inside(y - roof);
  if (covered === 0) return behind;
  let wall = mixed(house.color, [16, 14, 40], Math.min(1, Math.max(0, (y - roof) / 420)));
  wall = mixed(wall, [255, 180, 140], 0.22 * inside(4 - (y - roof)));
  const margin = ((house.width - window.wide) % window.stepX) / 2;
  const [column, line] = [
    Math.floor((across - margin) / window.stepX),
    Math.floor((y - house.top - 40) / window.stepY),
  ];
  const [inX, inY] = [across - margin - column * window.stepX, y - house.top - 40 - line * window.stepY];
  const pane = line >= 0 && column >= 0 && inX < window.wide && inY < window.high && across < house.width - 4;
  if (pane) {
    const lit = random(house.seed, column, line) < window.lit;
    wall = lit ? mixed(lamp, [255, 150, 80], random(house.seed, line, column)) : mixed(wall, [8, 8, 30], 0.5);
  }
  return mixed(behind, wall, covered);
}

function land(x: number, y: number): Color {
  let color = sky(x, y);
  for (const each of rows) color = houses(each, x, y, color);
  return color;
}

function water(x: number, y: number): Color {
  const depth = (y - SHORE) / (size.height - SHORE);
  const ripple = Math.sin(y / (1.6 + 7 * depth) + 2 * Math.sin(x / 140)) * (1.5 + 16 * depth);
  const mirror = land(Math.min(size.width, Math.max(0, x + ripple)), SHORE - (y - SHORE) * 1.5);
  return mixed(
    mixed(mirror, [20, 24, 66], 0.35 + 0.4 * depth),
    [255, 220, 190],
    ripple > 9 * (0.4 + depth) ? 0.07 : 0,
  );
}

const posts = { every: 118, high: 62 };

/** Lamps along the shore, and the area that they light. */
function shore(x: number, y: number, behind: Color): Color {
  const post = (Math.round(x / posts.every) + 0.02) * posts.every;
  const bulb = Math.hypot(x - post, y - (SHORE - posts.high));
  let color = mixed(
    behind,
    [12, 12, 34],
    inside(2 - Math.abs(x - post)) * inside(y - SHORE + posts.high) * inside(SHORE + 10 - y),
  );
  color = mixed(color, [18, 16, 44], inside(5 - Math.abs(y - SHORE - 5)));
  color = mixed(color, lamp, 0.45 * Math.exp(-bulb / 14));
  return mixed(color, [255, 250, 226], inside(6 - bulb));
}

/** The picture as binary PPM, 1280×720. */
export const town = (): Buffer =>
  painted({ width: size.width / PIXEL, height: size.height / PIXEL }, (pixelX, pixelY) => {
    const [x, y] = [pixelX * PIXEL, pixelY * PIXEL];
    return shore(x, y, y < SHORE ? land(x, y) : water(x, y));
  });
