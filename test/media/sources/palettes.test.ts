import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';

let directory: string;
const at = (name: string) => join(directory, name);
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-palettes-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Numbered pictures in colors of a palette, which the header of the container has. */
async function painted(codec: string, container: string): Promise<string> {
  const name = at(`${codec}.${container}`);
  const colors = '[a]palettegen=max_colors=16[p];[b][p]paletteuse=dither=none';
  const filter = `[0:v]trim=duration=3,fps=10,format=rgb24,split[a][b];${colors}`;
  await ffmpeg(
    ...['-i', fixture('plain.mp4'), '-filter_complex', filter],
    ...['-c:v', codec, '-pix_fmt', 'pal8', '-g', '10', '-an', name],
  );
  return name;
}

describe.each(
  sampled(
    [
      ['smc', 'mov'],
      ['rawvideo', 'mov'],
      ['rawvideo', 'avi'],
    ],
    3,
  ),
)('%s with a palette in %s', (codec, container) => {
  let source: string;
  let numbers: number[];
  beforeAll(async () => {
    source = await painted(codec, container);
    numbers = await readNumbers(source);
  });

  test('a frame in the middle has its colors', async () => {
    const made = await operate('frame', source, { timestamps: [2.45], format: 'png' });
    expect(await readNumbers(made.path)).toEqual([numbers[24]]);
  });

  test('a cut that begins in the middle is completed', async () => {
    const made = await operate('cut', source, { segments: [{ start: 1.5, end: 2.5 }] });
    expect(await readNumbers(made.path)).toEqual(numbers.slice(15, 25));
  });

  test('it is listed as it is coded', async () => {
    expect((await streamOf(source, 'v')).codec_name).toBe(codec);
    const { data } = await operate('probe', source, {});
    expect(data.streams).toContainEqual(expect.objectContaining({ codec, pixel_format: 'pal8' }));
    expect(data.keyframe_interval).toMatchObject({ count: codec === 'smc' ? 3 : 30 });
  });
});
