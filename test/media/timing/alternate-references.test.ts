import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** VP8 of two passes: each group has a frame that is not shown, in a packet with the time of the next one. */
const source = join(scratch(), 'two-passes.webm');
for (const pass of ['1', '2'])
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('no-sound.mp4'), ...VP8, '-b:v', '400k'],
    ...['-auto-alt-ref', '1', '-lag-in-frames', '25', '-g', '90', '-pass', pass],
    ...['-passlogfile', join(scratch(), 'passes'), source],
  ]);

test('frames that are only referred to are not counted', async () => {
  const packets = ['-select_streams', 'v', '-show_entries', 'packet=pts', '-of', 'csv=p=0', source];
  const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', ...packets]);
  expect(stdout.trim().split('\n').length).toBeGreaterThan(180);

  const cut = await operate('cut', source, { start: 0.5, end: 5.5 });
  expect(await readNumbers(cut.path)).toEqual(Array.from({ length: 150 }, (_, at) => at + 15));
  const { files } = await operate('frame', source, { timestamps: [0.04, 3.02, 5.99], format: 'png' });
  const found = await Promise.all(files.map(({ path }) => readNumbers(path)));
  expect(found).toEqual([[1], [90], [179]]);
});
