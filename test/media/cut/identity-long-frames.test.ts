import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { identityProblem } from '../../../transcoder/media/verify/identity.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx, operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** A screen on which nothing moves from second 2 to 6: one frame is shown for as long. */
const screen = join(scratch(), 'still-for-four-seconds.mp4');
await run(programs, 'ffmpeg', [
  ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30:duration=8'],
  ...['-vf', "select='lt(t,2.01)+gte(t,6)'", '-fps_mode', 'passthrough', '-c:v', 'libx264', '-g', '60'],
  screen,
]);
const source = await completeSource({ path: screen, format: 'mov' });
const sources = [{ ...source, probe: await probeMedia(ctx, source) }];

test.each(
  sampled(
    [
      ['that begins within a long frame', { start: 3, end: 7.5 }, 'lt(t,1)'],
      ['with a long frame in its middle', { start: 0.5, end: 7.5 }, 'between(t,1.4,5)'],
      ['that ends within a long frame', { start: 0.5, end: 5 }, 'gte(t,1.4)'],
    ],
    3,
  ),
)(
  'a cut %s is proven, and refused if that frame shows something else',
  async (_, part, when) => {
    const done = await operate('cut', screen, part);
    const [expected] = done.expect.media;
    if (!expected) throw new Error('nothing is expected');
    const other = join(dirname(done.path), 'other.mp4');
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-i', done.path, '-vf', `hflip=enable='${when}'`],
      ...['-fps_mode', 'passthrough', '-c:v', 'libx264', '-g', '60', other],
    ]);
    const problemOf = (path: string) =>
      identityProblem(ctx, expected, { path, time_map: done.time_map }, sources, undefined);
    expect(await problemOf(done.path)).toBeNull();
    expect(await problemOf(other)).toMatch(/shows|show|mirrored/);
  },
  60_000,
);
