import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readSound } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Less than half a step of 16 bits, which is 1/65536. */
const LOUD = 0.000_012;

/** Two seconds of a tone that 24 bits hold, and 16 bits do not. */
async function quiet(name: string, picture: string[], codec: string): Promise<string> {
  const path = join(scratch(), name);
  const inputs = ['-f', 'lavfi', '-i', `aevalsrc=${LOUD}*sin(2765*t):s=48000:d=2`];
  const pictures = picture.length > 0 ? ['-t', '2', '-i', fixture('plain.mp4'), ...picture] : [];
  const sound = ['-map', '0:a', '-c:a', codec, '-sample_fmt', 's32', '-bits_per_raw_sample', '24'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...inputs, ...pictures, ...sound, path]);
  return path;
}

/** The loudest sample, as a share of that of the tone. */
async function loudness(path: string): Promise<number> {
  const sound = await readSound(path);
  expect(sound.length).toBeGreaterThan(48_000);
  return sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) / LOUD;
}

test.each(
  sampled(
    [
      ['a Blu-ray', 'disc.m2ts', ['-map', '1:v', '-c:v', 'copy'], 'pcm_bluray'],
      ['a DVD', 'disc.vob', ['-map', '1:v', '-c:v', 'mpeg2video'], 'pcm_dvd'],
    ] as const,
    3,
  ),
)('sound of 24 bits on %s keeps what 16 bits cannot hold', async (_, name, picture, codec) => {
  const source = await quiet(name, [...picture], codec);
  const made = await operate('transcode', source, { audio_only: true, format: 'wav' });
  expect(await loudness(made.path)).toBeCloseTo(1, 1);
});

test('sound of 24 bits in chained Ogg keeps what 16 bits cannot hold', async () => {
  const recording = await readFile(await quiet('recording.ogg', [], 'flac'));
  const source = join(scratch(), 'chained.ogg');
  await writeFile(source, Buffer.concat([recording, recording]));
  const made = await operate('transcode', source, { audio_only: true, format: 'flac' });
  expect(await loudness(made.path)).toBeCloseTo(1, 1);
});
