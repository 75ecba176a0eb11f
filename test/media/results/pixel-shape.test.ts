import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** H.264 whose frames state a pixel shape, or none, in a container that states another. */
async function shaped(name: string, stated: string, own: string): Promise<string> {
  const [coded, path] = [join(scratch(), `coded-${name}.mp4`), join(scratch(), name)];
  const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-y', ...args]);
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', '-bf', '0', '-an', '-t', '4'];
  await ffmpeg('-i', fixture('plain.mp4'), '-vf', `setsar=${own}`, ...encode, coded);
  await ffmpeg('-i', coded, '-c', 'copy', '-aspect', stated, path);
  return path;
}

test.each(
  sampled(
    ['mp4', 'mov', 'mkv', 'avi'].flatMap((from) =>
      ['0', '4/3'].flatMap((own) => ['mp4', 'mov', 'mkv'].map((format) => [from, own, format] as const)),
    ),
    3,
  ),
)(
  'the pixel shape that %s states over that of the frames (%s) is that of a cut in %s',
  async (from, own, format) => {
    const source = await shaped(`${own.replace('/', '-')}.${from}`, '4:3', own);
    const { sample_aspect_ratio: shape } = await streamOf(source, 'v');
    const done = await operate('cut', source, { start: 0.5, end: 3.5, format });
    expect(Number(done.data.copied_seconds)).toBeGreaterThan(1);
    expect(await streamOf(done.path, 'v')).toMatchObject({ sample_aspect_ratio: shape });
    expect(await readNumbers(done.path)).toEqual(range(15, 105));
  },
);
