import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { operate } from '../operate.ts';

const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

test('frames that a browser recorded at one time are all in a cut around them', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'spool-repeated-'));
  try {
    const [plain, source] = [join(directory, 'plain.webm'), join(directory, 'source.webm')];
    const encode = ['-t', '3', '-an', ...VP8, '-deadline', 'realtime', '-auto-alt-ref', '0'];
    await ffmpeg('-i', fixture('plain.mp4'), ...encode, '-g', '30', plain);
    const repeated = "setts=ts='if(between(N,40,42),1334,TS)'";
    await ffmpeg('-i', plain, '-c', 'copy', '-bsf:v', repeated, source);
    const numbers = await readNumbers(source);
    const made = await operate('cut', source, { segments: [{ start: 1.2, end: 1.6 }] });
    expect(await readNumbers(made.path)).toEqual(numbers.slice(36, 48));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
