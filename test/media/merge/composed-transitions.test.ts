import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isComposed, type TransitionName, transitionNames } from '../../../schema/media/transitions.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { graphText } from '../../../transcoder/model/filter-text.ts';
import { frameRate } from '../../../transcoder/operations/plan/frame-rate.ts';
import { drawingOf, jointChains } from '../../../transcoder/operations/plan/transitions.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-composed-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const names = transitionNames.filter(isComposed);
/** They move the pictures, and leave their light as it is. */
const moving = names.filter((name) => /^(whip|spin|zoom)/.test(name));

/** A grey picture: the level, 0–255, at a place from 0 to 1. */
type Picture = (x: number, y: number) => number;
type Frame = Float32Array;

const black: Picture = () => 0;
const white: Picture = () => 255;
/** Two that are like no shifted, turned or enlarged part of each other. */
const town: Picture = (x, y) => 128 + 60 * Math.sin(19 * x + 5 * y * y) + 50 * Math.cos(13 * y + 8 * x * x);
const woods: Picture = (x, y) => 110 + 70 * Math.sin(7 * x - 23 * y) + 40 * Math.cos(31 * x * (1 - y));
const disc =
  (atX: number, atY: number): Picture =>
  (x, y) =>
    Math.hypot((x - atX) * 16, (y - atY) * 9) < 1 ? 255 : 0;

interface Shown {
  a: Picture;
  b: Picture;
  size?: readonly [number, number];
  frames?: number;
  rate?: number;
  pixelFormat?: string;
}

let files = 0;

/** Luma of each frame, as 8 bits have it: of the clips alone, and of the transition between them. */
async function draw(name: TransitionName, shown: Shown): Promise<{ a: Frame; b: Frame; v: Frame[] }> {
  const { size: [width, height] = [192, 108], frames = 24, rate = 24, pixelFormat = 'yuv420p' } = shown;
  const path = (kind: string) => join(directory, `${files++}.${kind}`);
  const written = async (picture: Picture) => {
    const levels = Array.from({ length: width * height }, (_, at) =>
      Math.round(picture(((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height)),
    );
    const file = path('pgm');
    await writeFile(file, Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), Buffer.from(levels)]));
    return file;
  };
  const deep = pixelFormat.includes('10');
  const color = { space: null, range: null };
  const still = (input: number, to: string) =>
    `[${input}:v]format=${pixelFormat},setsar=1,loop=-1:1,settb=1/${rate},setpts=N,fps=${rate},trim=end_frame=${frames}[${to}]`;
  const drawing = drawingOf(name, frames, new Set(['fade']), { width, height });
  const joint = { drawing, frames, size: { width, height }, rate: frameRate(rate), pixelFormat, color };
  const levels = `format=${deep ? 'gray10le' : 'gray'}`;
  const graph = [still(0, 'a'), still(1, 'b'), graphText(jointChains(joint, '')), `[v]${levels}[o]`].join(
    ';',
  );
  const inputs = [await written(shown.a), await written(shown.b)].flatMap((file) => ['-i', file]);
  const raw = ['-vsync', '0', '-f', 'rawvideo'];
  const [between, ...alone] = [path('raw'), path('raw'), path('raw')];
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', ...inputs, '-filter_complex', graph, '-map', '[o]', ...raw, between],
    ...alone.flatMap((file, input) => [
      ...['-map', `${input}:v`, '-vf', `format=${pixelFormat},${levels}`, '-frames:v', '1', ...raw, file],
    ]),
  ]);
  const framesIn = async (file: string): Promise<Frame[]> => {
    const bytes = await readFile(file);
    const all = deep
      ? Float32Array.from(
          new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2),
          (level) => level / 4,
        )
      : Float32Array.from(bytes);
    const area = width * height;
    return Array.from({ length: all.length / area }, (_, at) => all.subarray(at * area, (at + 1) * area));
  };
  const [[a] = [], [b] = [], v] = await Promise.all([...alone, between].map(framesIn));
  if (!a || !b || !v) throw new Error('ffmpeg has drawn nothing');
  expect(v).toHaveLength(frames);
  return { a, b, v };
}

const at = (frames: readonly Frame[], index: number): Frame => frames.at(index) ?? new Float32Array();
const mean = (frame: Frame) => frame.reduce((sum, level) => sum + level, 0) / frame.length;
const spread = (frame: Frame) => {
  const middle = mean(frame);
  return Math.sqrt(frame.reduce((sum, level) => sum + (level - middle) ** 2, 0) / frame.length);
};
const psnr = (one: Frame, other: Frame) => {
  const error = one.reduce((sum, level, index) => sum + (level - (other[index] ?? 0)) ** 2, 0) / one.length;
  return 10 * Math.log10(255 ** 2 / error);
};

/** Where the light of a frame is, and how far it is spread from the middle, in shares of the picture. */
function lightOf(frame: Frame, width = 192) {
  const height = frame.length / width;
  let [sum, x, y, far] = [0, 0, 0, 0];
  for (const [index, level] of frame.entries()) {
    const light = Math.max(0, level - 20);
    const [u, v] = [(index % width) / width, Math.floor(index / width) / height];
    sum += light;
    x += light * u;
    y += light * v;
    far += light * Math.hypot((u - 0.5) * width, (v - 0.5) * height);
  }
  return { x: x / sum, y: y / sum, far: far / sum };
}

const canvases = [
  ['wide', 'yuv420p', [192, 108], 24],
  ['upright, in 10 bits', 'yuv420p10le', [90, 160], 24],
  ['four times as wide as high, at 60 frames a second', 'yuv420p', [256, 64], 60],
] as const;

describe.each(
  sampled(
    names.map((name, index) => [name, index] as const),
    3,
  ),
)('%s', (name, index) => {
  test.each(sampled(canvases, 6, index))(
    'begins as the one clip and ends as the other: %s',
    async (_, pixelFormat, size, rate) => {
      const shown = { a: town, b: woods, size, pixelFormat, rate, frames: rate };
      const { a, b, v } = await draw(name, shown);
      expect(psnr(at(v, 0), a)).toBeGreaterThan(34);
      expect(psnr(at(v, -1), b)).toBeGreaterThan(34);
      // A jump would be a frame that is as far from the one before as the clips are from each other.
      expect(psnr(at(v, 1), at(v, 0))).toBeGreaterThan(18);
      expect(psnr(at(v, -2), at(v, -1))).toBeGreaterThan(18);
      const middle = at(v, Math.floor(rate / 2));
      expect(Math.min(psnr(middle, a), psnr(middle, b)), 'the middle is no copy of a clip').toBeLessThan(20);
      expect(mean(middle)).toBeGreaterThan(60);
      if (name !== 'flash') expect(spread(middle)).toBeGreaterThan(5);
    },
  );

  test.each(
    sampled(
      [
        [16, 64],
        [64, 16],
        [16, 16],
        [64, 2],
        [2, 64],
      ] as const,
      5,
      index,
    ),
  )('is drawn in a picture of %d × %d pixels', async (width, height) => {
    const { a, b, v } = await draw(name, { a: town, b: woods, size: [width, height] });
    expect(psnr(at(v, 0), a)).toBeGreaterThan(20);
    expect(psnr(at(v, -1), b)).toBeGreaterThan(20);
  });

  test.each(sampled([1, 2, 5], 3))('is drawn in %d frames, the same each time', async (frames) => {
    const [one, two] = await Promise.all([1, 2].map(() => draw(name, { a: town, b: woods, frames })));
    expect(two?.v).toEqual(one?.v);
  });
});

describe.each(sampled(moving, 3))('%s', (name) => {
  test.each(
    sampled(
      [
        [192, 108],
        [90, 160],
        [34, 160],
        [64, 64],
      ],
      3,
    ),
  )('shows nothing but the clips, at %dx%d', async (...size) => {
    for (const pixelFormat of ['yuv420p', 'yuv420p10le']) {
      const { a, v } = await draw(name, { a: white, b: white, size, pixelFormat });
      const least = Math.min(...v.map((frame) => frame.reduce((low, level) => Math.min(low, level), 255)));
      expect(least).toBeGreaterThan(mean(a) - 3);
    }
  });

  test('goes from the one clip to the other, and never back', async () => {
    const { a, b, v } = await draw(name, { a: black, b: white });
    const means = v.map(mean);
    for (const [index, level] of means.entries()) {
      expect(level).toBeGreaterThan((means[index - 1] ?? mean(a)) - 1);
    }
    expect(means.at(0)).toBeLessThan(mean(a) + 2);
    expect(means.at(-1)).toBeGreaterThan(mean(b) - 2);
  });
});

describe('a light', () => {
  const frames = 24;
  const still = { a: () => 90, b: () => 90, frames };

  test('of a flash is white once, in the joint, and rises and falls', async () => {
    const { v } = await draw('flash', still);
    const means = v.map(mean);
    const peak = means.indexOf(Math.max(...means));
    expect(peak).toBeGreaterThan(6);
    expect(peak).toBeLessThan(13);
    expect(means[peak]).toBeGreaterThan(234);
    for (const [index, level] of means.entries()) {
      if (index === 0) continue;
      const before = means[index - 1] ?? 0;
      if (index <= peak) expect(level).toBeGreaterThanOrEqual(before);
      else expect(level).toBeLessThanOrEqual(before);
    }
  });

  test('of a leak passes from left to right, and never fills the picture', async () => {
    const { a, v } = await draw('lightleak', still);
    const dark = mean(a) - 20;
    const places = [6, 12, 18].map((index) => lightOf(at(v, index).map((level) => level - dark)).x);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(at(v, 12).reduce((low, level) => Math.min(low, level), 255)).toBeLessThan(150);
  });
});

test('of a glitch, large parts of the picture change once', async () => {
  const { v } = await draw('glitch', { a: black, b: white, frames: 48 });
  const means = v.map(mean);
  const jumps = means.filter(
    (level, index) => index > 0 && Math.abs(level - (means[index - 1] ?? 0)) > 220 / 4,
  );
  expect(jumps).toHaveLength(1);
});

test.each(
  sampled(
    [
      ['whipleft', (from: Light, to: Light) => from.x - to.x],
      ['whipright', (from: Light, to: Light) => to.x - from.x],
      ['whipup', (from: Light, to: Light) => from.y - to.y],
      ['whipdown', (from: Light, to: Light) => to.y - from.y],
    ] as const,
    3,
  ),
)('%s moves the picture where it says', async (name, moved) => {
  const { v } = await draw(name, { a: disc(0.5, 0.5), b: black });
  expect(moved(lightOf(at(v, 0)), lightOf(at(v, 4)))).toBeGreaterThan(0.03);
});
type Light = ReturnType<typeof lightOf>;

test.each(
  sampled(
    [
      ['spin', 1],
      ['spinccw', -1],
    ] as const,
    3,
  ),
)('%s turns the picture as the hands of a clock go, or against them', async (name, direction) => {
  const { v } = await draw(name, { a: disc(0.75, 0.5), b: black });
  const [from, to] = [0, 4].map((index) => lightOf(at(v, index)));
  expect(((to?.y ?? 0) - (from?.y ?? 0)) * direction).toBeGreaterThan(0.02);
});

test.each(
  sampled(
    [
      ['zoomblurin', 1],
      ['zoomblurout', -1],
    ] as const,
    3,
  ),
)('%s moves towards the picture, or away from it', async (name, direction) => {
  const { v } = await draw(name, { a: disc(0.75, 0.5), b: black });
  const [from, to] = [0, 6].map((index) => lightOf(at(v, index)));
  expect(((to?.far ?? 0) - (from?.far ?? 0)) * direction).toBeGreaterThan(1.5);
});
