import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MapShape } from '../../model/map-shape.ts';
import type { WriteMap } from '../../model/steps.ts';
import type { StepRunner } from './step-runner.ts';

interface Point {
  /** 0–1, left to right and top to bottom. */
  u: number;
  v: number;
  /** Relative to the center, in picture heights. */
  x: number;
  y: number;
  /** Distance from the center. */
  r: number;
  /** Angle, clockwise from the top, 0–1. */
  turn: number;
  column: number;
  row: number;
}

const TURN = 2 * Math.PI;
const fraction = (value: number) => value - Math.floor(value);
const triangle = (value: number) => Math.abs(2 * fraction(value) - 1);

/** A deterministic pseudo-random number, 0–1. */
function scatter(a: number, b = 0): number {
  return fraction(Math.sin(a * 12.9898 + b * 78.233 + 1.7) * 43_758.5453);
}

/** Smooth noise, interpolated between lattice points. */
function smoothNoise(x: number, y: number): number {
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const ease = (t: number) => t * t * (3 - 2 * t);
  const [s, t] = [ease(x - i), ease(y - j)];
  const across = (row: number) => scatter(i, row) * (1 - s) + scatter(i + 1, row) * s;
  return across(j) * (1 - t) + across(j + 1) * t;
}

/** A spiral of five turns; `out` runs from 0 at its start to 1 at its end. */
function spiral(out: number, turn: number): number {
  return Math.ceil(out * 5 - turn) + turn;
}

/** Distance from the center, scaled to a five-pointed star. */
function star({ r, turn }: Point): number {
  const inner = 0.45;
  const [x, y] = [inner * Math.cos(Math.PI / 5), inner * Math.sin(Math.PI / 5)];
  const angle = Math.abs(fraction(turn * 5 + 0.5) - 0.5) * (TURN / 5);
  return (r * (Math.cos(angle) * y - Math.sin(angle) * (x - 1))) / y;
}

function heart({ x, y, r }: Point): number {
  return Math.hypot(x, -y - 0.75 * Math.sqrt(Math.abs(x) * r));
}

function keyhole({ x, y }: Point): number {
  const below = y + 0.15;
  const skirt = below < 0 ? Number.POSITIVE_INFINITY : Math.max(2.6 * Math.abs(x) - 0.6 * below, 0.8 * below);
  return Math.min(1.5 * Math.hypot(x, below), skirt);
}

function bricks({ u, v }: Point): number {
  const row = Math.floor(v * 10);
  const brick = Math.floor(u * 8 + (row % 2) / 2);
  return 0.7 * (1 - row / 10) + 0.3 * scatter(brick, row);
}

function dots({ u, x, y }: Point): number {
  return Math.hypot(fraction(x * 7) - 0.5, fraction(y * 7) - 0.5) + 0.5 * u;
}

/** When a pixel switches to the new picture, in any unit; the map is normalized to 0–1 afterwards. */
const moments: Record<MapShape, (at: Point) => number> = {
  clock: ({ turn }) => turn,
  clockccw: ({ turn }) => 1 - turn,
  clockdouble: ({ turn }) => fraction(2 * turn),
  fan: ({ turn }) => Math.min(turn, 1 - turn),
  pinwheel: ({ turn }) => fraction(6 * turn),
  spiralin: ({ r, turn }) => -spiral(r, 1 - turn),
  spiralout: ({ r, turn }) => spiral(r, turn),
  star,
  heart,
  diamond: ({ x, y }) => Math.abs(x) + Math.abs(y),
  plus: ({ u, v }) => Math.min(Math.abs(2 * u - 1), Math.abs(2 * v - 1)),
  hexagon: ({ x, y }) => Math.max(0.866 * Math.abs(x) + 0.5 * Math.abs(y), Math.abs(y)),
  ringsin: ({ r }) => -Math.floor(r * 6) - 4 * fraction(r * 6),
  ringsout: ({ r }) => Math.floor(r * 6) + 4 * fraction(r * 6),
  corners: ({ u, v }) => Math.hypot(Math.min(u, 1 - u), Math.min(v, 1 - v)),
  keyhole,
  blindsh: ({ v }) => fraction(v * 8),
  blindsv: ({ u }) => fraction(u * 10),
  blindsdiag: ({ x, y }) => fraction((x + y) * 5),
  zigzagh: ({ u, v }) => u + 0.12 * triangle(v * 6),
  zigzagv: ({ u, v }) => v + 0.12 * triangle(u * 8),
  wavesh: ({ u, v }) => u + 0.07 * Math.sin(TURN * 3 * v),
  wavesv: ({ u, v }) => v + 0.07 * Math.sin(TURN * 4 * u),
  checker: ({ u, v }) => ((Math.floor(u * 8) + Math.floor(v * 6)) % 2) + fraction(u * 8),
  randomsquares: ({ x, y }) => scatter(Math.floor(x * 9), Math.floor(y * 9)),
  noise: ({ x, y }) => scatter(Math.floor(x * 180), Math.floor(y * 180)),
  clouds: ({ x, y }) =>
    4 * smoothNoise(x * 4, y * 4) + 2 * smoothNoise(x * 9, y * 9) + smoothNoise(x * 19, y * 19),
  polkadots: dots,
  bricks,
  matrixrain: ({ u, v }) => v + scatter(Math.floor(u * 48)),
  hlwind: ({ u, row }) => (1 - u) * 0.8 + 0.2 * scatter(0, row),
  hrwind: ({ u, row }) => u * 0.8 + 0.2 * scatter(0, row),
  vuwind: ({ v, column }) => (1 - v) * 0.8 + 0.2 * scatter(column),
  vdwind: ({ v, column }) => v * 0.8 + 0.2 * scatter(column),
};

/** The map as a PGM. */
export function mapPicture(shape: MapShape, width: number, height: number): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), greyMap(shape, width, height)]);
}

/**
 * One byte per pixel, row by row: 255 · (0.25 + 0.5 · (1 − m)), where m is the moment 0–1 at which the pixel switches. This
 * range lets `eq` move a threshold across the whole map within its limits.
 */
export function greyMap(shape: MapShape, width: number, height: number): Buffer {
  const moment = moments[shape];
  const values = new Float64Array(width * height);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [u, v] = [(column + 0.5) / width, (row + 0.5) / height];
      const [x, y] = [((u - 0.5) * width) / height, v - 0.5];
      const turn = fraction(Math.atan2(x, -y) / TURN);
      const value = moment({ u, v, x, y, r: Math.hypot(x, y), turn, column, row });
      values[row * width + column] = value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const picture = Buffer.alloc(values.length);
  const reach = high - low || 1;
  for (const [index, value] of values.entries()) {
    picture[index] = Math.round(255 * (0.25 + 0.5 * (1 - (value - low) / reach)));
  }
  return picture;
}

export const map: StepRunner<WriteMap> = {
  reads: () => [],
  writes: ({ file }) => [file],
  run: async (_, { file, shape, width, height }, { directory }) => {
    await writeFile(join(directory, file), mapPicture(shape, width, height));
    return undefined;
  },
};
