import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readPulses } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { expectShown } from '../timing/shown.ts';

/** Sound that breaks off from 1.5 s to 2.1 s, in the middle of the track: the container says nothing of it. */
async function gapped(): Promise<string> {
  const path = join(scratch(), 'gapped.mkv');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4')],
    ...['-c:v', 'copy', '-af', "aselect='lt(t,1.5)+gt(t,2.1)'", '-c:a', 'flac', path],
  ]);
  return path;
}

const kept = [
  [0.9, 1.2],
  [1.7, 1.9],
  [2.8, 3.3],
] as const;

test.each(sampled(['match_source', 'high'], 3))(
  'a range within a gap of the sound is silent: %s',
  async (quality) => {
    const source = await gapped();
    const edges = [0, ...kept.flat(), 6];
    const segments = edges.slice(1).map((end, index) => ({
      ...{ start: edges[index], end, action: index % 2 === 0 ? 'silent' : 'keep' },
    }));
    const done = await operate('silence_process', source, { segments, quality, mode: 'remove' });
    await expectShown(done, source);
    // Of the ranges, the first has the pulse at 1 s, and the last has the one at 3 s.
    const pulses = await readPulses(done.path);
    expect(pulses).toHaveLength(2);
    for (const [index, at] of [0.1, 0.7].entries()) expect(pulses[index]).toBeCloseTo(at, 2);
    expect(done.duration).toBeCloseTo(1, 1);
  },
);
