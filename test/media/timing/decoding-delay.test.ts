import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const RATE = 30;

/** Each P-frame is decoded before the two B-frames that are shown before it. */
const picture = join(scratch(), 'picture.mp4');
await run(programs, 'ffmpeg', [
  ...['-v', 'error', '-nostdin', '-y', '-i', fixture('no-sound.mp4'), '-t', '4'],
  ...[
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-x264-params',
    'bframes=2:b-adapt=0:b-pyramid=none',
    picture,
  ],
]);

/** A transport stream whose picture begins after its sound, and is decoded earlier than it needs to be. Both in seconds. */
async function streamOf(late: number, early: number): Promise<string> {
  const path = join(scratch(), `${late}-${early}.ts`);
  const sound = fixture('plain.mp4');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', sound, '-itsoffset', `${late}`, '-i', picture, '-t', '4'],
    ...[
      '-map',
      '0:a',
      '-map',
      '1:v',
      '-c',
      'copy',
      '-bsf:v',
      `setts=pts=PTS:dts=DTS-${Math.round(early * 90_000)}`,
      path,
    ],
  ]);
  return path;
}

/** Seconds from the first sound to the first picture. */
async function lateness(path: string): Promise<number> {
  const entries = ['-show_entries', 'stream=codec_type,start_time', '-of', 'csv=p=0', path];
  const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', ...entries]);
  const start = (type: string) => Number(new RegExp(`^${type},([\\d.]+)`, 'm').exec(stdout)?.[1]);
  return start('video') - start('audio');
}

test.each(
  sampled(
    [
      [0, 0.1],
      [0.01, 0.3],
      [0.09, 0.1],
      [0.5, 0.3],
    ],
    3,
  ),
)(
  'a picture %d s after its sound stays there, decoded %d s earlier than it needs to be',
  async (late, early) => {
    const source = await streamOf(late, early);
    const wanted = await lateness(source);
    const { path, time_map } = await operate('cut', source, { start: 0, end: 2 });
    const [{ in: [from] = [0], out: [begin] = [0] } = {}] = time_map;
    const [numbers, times] = [await readNumbers(path), await readTimes(path)];
    for (const [at, number] of numbers.entries())
      expect(Math.abs(from + (times[at] ?? 0) - begin - wanted - number / RATE)).toBeLessThan(0.004);
  },
);
