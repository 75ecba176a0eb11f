import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Film of 15 pictures per second at 30, interlaced with one field late, as broadcasters send it: every frame has fields of two. */
async function shared(phase: 't' | 'b'): Promise<string> {
  const path = join(scratch(), `shared-${phase}.mp4`);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=15:duration=4'],
    ...['-vf', `fps=30,phase=mode=${phase},setfield=tff`, '-c:v', 'libx264', '-g', '15'],
    ...['-flags', '+ilme+ildct', '-x264-params', 'tff=1', path],
  ]);
  return path;
}

test.each(sampled(['t', 'b'] as const, 3))(
  'film whose frames share fields is deinterlaced and proven (%s)',
  async (phase) => {
    const source = await shared(phase);
    const whole = await operate('transcode', source, { quality: 'high' });
    expect(whole.warnings).toContainEqual(expect.objectContaining({ code: 'source_interlaced' }));
    await operate('crop', source, { x: 40, y: 20, width: 200, height: 100 });
    await operate('cut', source, { start: 1.3, end: 2.7 });
  },
  60_000,
);
