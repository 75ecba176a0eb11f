import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readPulses } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { type Done, operate } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { expectShown } from './shown.ts';

/** Frames of `plain.mp4` from one kept frame to the next, over and over, as screen recordings have them. */
const patterns = { bursts: [1, 1, 1, 16], steps: [3, 6, 2, 1, 7, 3, 1, 1, 6, 4], pairs: [1, 8, 4, 7, 8] };

async function uneven(name: keyof typeof patterns): Promise<string> {
  const path = join(scratch(), `${name}.mp4`);
  const steps = patterns[name];
  const kept: number[] = [];
  for (let frame = 0, at = 0; frame < 180; frame += steps[at++ % steps.length] ?? 1) kept.push(frame);
  const select = `select='${kept.map((frame) => `eq(n,${frame})`).join('+')}'`;
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-vf', select, '-fps_mode', 'vfr'],
    ...['-c:v', 'libx264', '-g', '30', '-c:a', 'copy', path],
  ]);
  return path;
}

const sources = {
  bursts: await uneven('bursts'),
  steps: await uneven('steps'),
  pairs: await uneven('pairs'),
};

/** Every pulse of the source is heard where the time map has it, and no other. A pulse at a joint may be cut. */
async function expectHeard(done: Done, within = 0.002): Promise<void> {
  const edge = 0.015;
  const wanted = done.time_map.flatMap(({ in: [from, to], out: [begin, end] }) =>
    [1, 2, 3, 4, 5]
      .filter((pulse) => pulse > from + edge && pulse < to - edge)
      .map((pulse) => begin + ((pulse - from) * (end - begin)) / (to - from)),
  );
  const joints = done.time_map.flatMap(({ out }) => out);
  const found = (await readPulses(done.path)).filter((pulse) =>
    joints.every((joint) => Math.abs(pulse - joint) > edge),
  );
  expect(found).toHaveLength(wanted.length);
  for (const [at, pulse] of found.entries()) expect(Math.abs(pulse - (wanted[at] ?? 0))).toBeLessThan(within);
}

type Pair = [start: number, end: number];

describe('a recording whose short frames stand between long ones', () => {
  const joined: [keyof typeof sources, Pair, Pair][] = [
    ['bursts', [2.13, 3.13], [2.61, 2.91]],
    ['bursts', [0.86, 1.86], [3.23, 3.93]],
    ['bursts', [3.71, 4.71], [1.21, 1.91]],
    ['bursts', [4.34, 5.34], [1.96, 2.96]],
    ['pairs', [0.9333, 1.02], [2.2, 2.9]],
    ['pairs', [0, 1.233], [1.27, 2.2]],
  ];
  test.each(sampled(joined, 3))(
    'is cut where it is asked to be: %s from %j and %j',
    async (name, ...pairs) => {
      const segments = pairs.map(([start, end]) => ({ start, end }));
      for (const quality of ['match_source', 'high']) {
        const done = await operate('cut', sources[name], { segments, quality });
        await expectShown(done, sources[name]);
        await expectHeard(done);
      }
    },
  );

  const silences: Pair[] = [
    [0.69, 1.65],
    [2.57, 3.97],
    [4.53, 5.04],
  ];
  test.each(sampled(['mute', 'remove', 'speed_up'], 3))('loses its silences: %s', async (mode) => {
    const segments = silences.map(([start, end]) => ({ start, end, action: 'silent' }));
    const done = await operate('silence_process', sources.bursts, { mode, segments, audio_fade_ms: 0 });
    await expectShown(done, sources.bursts);
  });

  test.each(sampled([0.08, 0.05, 0.02], 3))(
    'plays on after %f s of silence at 16 times the speed',
    async (seconds) => {
      const segments = [{ start: 2.03, end: 2.03 + seconds, action: 'silent' }];
      const request = { mode: 'speed_up', silent_speed: 16, segments, audio_fade_ms: 0 };
      const done = await operate('silence_process', sources.steps, request);
      await expectHeard(done);
      await expectShown(done, sources.steps);
    },
  );

  type Range = [...Pair, rate: number];
  const ranges: [keyof typeof sources, Range, Range][] = [
    ['bursts', [2.201, 2.819, 1.5], [3.522, 4.421, 2]],
    ['bursts', [1.041, 2.481, 0.7], [5.05, 5.812, 2]],
    ['bursts', [0.282, 1.752, 0.5], [2.201, 2.819, 1.5]],
    ['bursts', [2.059, 2.944, 1.5], [3.168, 4.554, 4]],
  ];
  test.each(sampled(ranges, 3))(
    'keeps step with its sound where it changes its speed: %s in %j and %j',
    async (name, ...spans) => {
      const request = { ranges: spans.map(([start, end, rate]) => ({ start, end, rate })) };
      const done = await operate('speed', sources[name], request);
      await expectShown(done, sources[name]);
    },
  );

  test.each(sampled([1.0005, 1.001], 3))('may play a little faster: %f times', async (rate) => {
    const done = await operate('speed', sources.bursts, { rate });
    expect(done.duration).toBeCloseTo((done.time_map[0]?.in[1] ?? 0) / rate, 3);
  });
});

test.each(
  sampled(
    [
      ['sound.wav', { audio_url: 'https://media.example.com/sound.wav' }],
      [sources.steps, {}],
    ],
    3,
  ),
)(
  'a sound too short to be stretched is silent, and what follows it stays in its place: %s',
  async (source, field) => {
    const done = await operate('speed', source, { ...field, ranges: [{ start: 1, end: 1.02, rate: 16 }] });
    expect(done.time_map[1]?.out[0]).toBeCloseTo(1, 3);
    expect(done.duration).toBeCloseTo((done.time_map.at(-1)?.in[1] ?? 0) - 0.01875, 3);
    await expectHeard(done, 0.01);
  },
);

describe('ranges joined at keyframes', () => {
  test.each(sampled(['plain.mp4', 'hevc.mp4'], 3))('keep sound and picture together: %s', async (source) => {
    const segments = [0.3, 1.4, 2.2, 0.7, 3.1, 1.2].map((start) => ({ start, end: start + 0.35 }));
    const done = await operate('cut', source, { mode: 'keyframe', segments });
    expect(done.data).toMatchObject({ rendered_seconds: 0 });
    await expectHeard(done);
  });

  test('are copied from far behind the other ranges, too', async () => {
    const segments = [
      { start: 0, end: 0.5 },
      { start: 4.5, end: 4.6 },
    ];
    const done = await operate('cut', 'long-gop.mp4', { mode: 'keyframe', segments });
    await expectHeard(done);
  });

  test('reach to the last frame of a variable rate', async () => {
    const segments = [
      { start: 0, end: 1 },
      { start: 5, end: 6.5 },
    ];
    const done = await operate('cut', sources.bursts, { mode: 'keyframe', segments });
    expect(done.time_map.at(-1)?.in[1]).toBeCloseTo(6, 1);
    await expectShown(done, sources.bursts);
    await expectHeard(done);
  });
});
