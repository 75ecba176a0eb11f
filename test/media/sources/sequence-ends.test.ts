import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const FRAMES = 24;

test('The end of a sequence of VC-2, which has a packet of its own in a transport stream, counts as no frame', async () => {
  const source = join(scratch(), 'vc2.ts');
  const picture = ['-frames:v', `${FRAMES}`, '-vf', 'scale=160:90', '-pix_fmt', 'yuv422p', '-c:v', 'vc2'];
  const input = ['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-an'];
  await run(programs, 'ffmpeg', [...input, ...picture, '-strict', '-2', source]);
  const probed = await operate('probe', source, {});
  const { streams } = JSON.parse(await readFile(probed.path, 'utf8'));
  expect(streams[0]).toMatchObject({ codec: 'dirac', frames: FRAMES });
  const made = await operate('cut', source, { start: 0, end: FRAMES / 30 });
  expect(await readNumbers(made.path)).toEqual(Array.from({ length: FRAMES }, (_, index) => index));
});
