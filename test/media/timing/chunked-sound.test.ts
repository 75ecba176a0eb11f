import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readPulses } from '../../fixtures/barcode.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { makeSource } from './distance.ts';

const SECONDS = 5.9;
const avi = { container: 'avi' as const, rate: '25', picture: ['-c:v', 'mpeg4', '-g', '12'] };
const phone = ['-ar', '8000', '-ac', '1'];

/** Sounds that ffmpeg writes into AVI with a tick for each chunk. Of all but the last two, blocks are smaller than chunks. */
const sounds: Record<string, readonly string[]> = {
  DTS: ['-c:a', 'dca', '-strict', '-2'],
  'E-AC-3': ['-c:a', 'eac3'],
  Speex: ['-c:a', 'libspeex', ...phone],
  'G.722': ['-c:a', 'adpcm_g722', '-ar', '16000', '-ac', '1'],
  'G.726': ['-c:a', 'g726', ...phone],
  MP3: ['-c:a', 'libmp3lame'],
  PCM: ['-c:a', 'pcm_s16le'],
};

test.each(sampled(Object.entries(sounds), 3))('%s in AVI lasts as long as it sounds', async (name, sound) => {
  const source = await makeSource(`chunked-${name}`, { ...avi, sound: [...sound] });
  const probed = await operate('probe', source, {});
  const { duration, streams } = JSON.parse(await readFile(probed.path, 'utf8'));
  expect(Math.abs(duration - SECONDS)).toBeLessThan(0.3);
  for (const stream of streams) expect(Math.abs(stream.duration - SECONDS)).toBeLessThan(0.3);
  // Speex does not keep pulses.
  if (name === 'Speex') return;
  const { path } = await operate('cut', source, { start: 1.6, end: 4.6 });
  const pulses = await readPulses(path);
  expect(pulses.length).toBe(3);
  for (const [index, at] of pulses.entries()) expect(Math.abs(at - (0.4 + index))).toBeLessThan(0.03);
});
