import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readSound } from '../../fixtures/barcode.ts';
import { operateOn } from '../operate.ts';
import { ffmpeg } from '../results/tracked.ts';
import { scratch } from '../scratch.ts';

const url = 'https://media.example.com/clip';
const made = (name: string) => join(scratch(), name);

beforeAll(() => {
  const picture = ['-f', 'lavfi', '-i', 'color=gray:s=64x36:r=25'];
  const sound = ['-f', 'lavfi', '-i', 'sine=440:r=48000,volume=4'];
  const coded = ['-t', '3', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', '128k'];
  ffmpeg(...picture, ...sound, ...coded, '-ac', '1', made('mono.mp4'));
  ffmpeg(...picture, ...sound, '-af', 'pan=stereo|c0=c0|c1=c0', ...coded, made('stereo.mp4'));
  ffmpeg(...picture, '-t', '6', '-c:v', 'libx264', '-preset', 'ultrafast', made('silent.mp4'));
});

function peakOf(sound: Float32Array, from: number, to: number): number {
  return sound
    .subarray(from * 48_000, to * 48_000)
    .reduce((most, level) => Math.max(most, Math.abs(level)), 0);
}

test.each([
  ['before', ['mono.mp4', 'stereo.mp4'], {}],
  ['behind', ['stereo.mp4', 'mono.mp4'], {}],
  ['before, and both are normalized,', ['mono.mp4', 'stereo.mp4'], { normalize_audio: true }],
])('mono %s stereo is merged as loud as it was', async (_, names, more) => {
  const { path } = await operateOn('merge_urls', names.map(made), { urls: [{ url }, { url }], ...more });
  for (const channel of [0, 1]) {
    const sound = await readSound(path, channel);
    expect(peakOf(sound, 0.5, 2.5) / peakOf(sound, 3.5, 5.5)).toBeCloseTo(1, 1);
  }
});

test('music in mono under stereo is as loud as it was', async () => {
  const music = { background_audio_url: url, background_volume_db: 0, duck: false };
  const files = [made('stereo.mp4'), made('silent.mp4'), made('mono.mp4')];
  const { path } = await operateOn('merge_urls', files, { urls: [{ url }, { url }], ...music });
  const sound = await readSound(path);
  expect(peakOf(sound, 4, 5) / peakOf(await readSound(made('mono.mp4')), 0.5, 2.5)).toBeCloseTo(1, 1);
});
