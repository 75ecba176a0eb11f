import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readColor } from '../../fixtures/barcode.ts';
import { profileOf, profiles, withProfile } from '../../fixtures/color-profile.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operateOn } from '../operate.ts';

const url = 'https://media.example.com/a';
const names = Object.keys(profiles) as (keyof typeof profiles)[];
/** What the numbers 189, 124 and 72 mean in sRGB, as LittleCMS 2 converts. */
const meant = {
  srgb: { r: 189, g: 124, b: 72 },
  'display-p3': { r: 200, g: 120, b: 60 },
  'adobe-rgb': { r: 210, g: 125, b: 67 },
  prophoto: { r: 250, g: 124, b: 76 },
  'a table of 1.8': { r: 219, g: 143, b: 87 },
};

let directory: string;
const made = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-colors-'));
  const color = `color=0xbd7c48:s=160x90,format=gbrp`;
  const still = ['-f', 'lavfi', '-i', color, '-frames:v', '1', '-pix_fmt', 'yuvj444p', '-q:v', '1'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...still, made('plain.jpg')]);
  for (const name of names) {
    await writeFile(made(`${name}.jpg`), withProfile(await readFile(made('plain.jpg')), profileOf(name)));
  }
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const whole = { x: 0, y: 0, width: 1, height: 1 };
const middle = { x: 0.45, y: 0.45, width: 0.1, height: 0.1 };

describe.each(sampled(names, 3))('a photo in %s', (profile) => {
  const expectColor = (found: Record<'r' | 'g' | 'b', number>) => {
    for (const channel of ['r', 'g', 'b'] as const)
      expect(Math.abs(found[channel] - meant[profile][channel])).toBeLessThan(5);
  };

  test('is animated in its own colors', async () => {
    const request = { photo_urls: [url], duration: 1, width: 160, height: 90 };
    const done = await operateOn('photo_animate', [made(`${profile}.jpg`)], request);
    expectColor(await readColor(done.path, whole));
  });

  test('is the background of a visualizer in its own colors', async () => {
    const request = { audio_url: url, image_url: url, width: 160, height: 160, position: 'bottom' };
    const done = await operateOn('visualize', [fixture('sound.mp3'), made(`${profile}.jpg`)], request);
    expectColor(await readColor(done.path, middle));
  });
});
