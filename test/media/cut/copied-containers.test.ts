import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

test.each(['mxf', 'avi'])('H.264 in %s is copied where no keyframe is cut off', async (container) => {
  const path = join(scratch(), `h264.${container}`);
  const coded = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0', '-g', '30', '-c:a', 'pcm_s16le'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('plain.mp4'), ...coded, path]);
  const done = await operate('cut', path, { start: 0.5, end: 4 });
  expect(await readNumbers(done.path)).toEqual(range(15, 120));
  expect(Number(done.data.copied_seconds)).toBeGreaterThan(2.5);
});
