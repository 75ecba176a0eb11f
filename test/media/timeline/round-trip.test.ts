import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readNumbers, readPulses, readSound, readTimes } from '../../fixtures/barcode.ts';
import { fixture } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { type Done, operate, operateOn } from '../operate.ts';
import { ffmpeg } from '../results/tracked.ts';
import { scratch } from '../scratch.ts';

/** The timeline that an edit was exported as, rendered. */
async function imported(edit: Done, source: string, request: Record<string, unknown> = {}): Promise<Done> {
  const exported = edit.files.find(({ role }) => role === 'otio');
  if (!exported) throw new Error('no timeline was exported');
  const otio = JSON.parse(await readFile(exported.path, 'utf8'));
  const media = { source: 'https://media.example.com/source' };
  return operateOn('timeline', [source], { otio, media, ...request });
}

const SAMPLE_RATE = 48_000;

/** The greatest difference of two samples; 2 is the whole range. */
async function difference(one: string, other: string): Promise<number> {
  const [found, wanted] = [await readSound(one), await readSound(other)];
  expect(Math.abs(found.length - wanted.length) / SAMPLE_RATE).toBeLessThan(0.05);
  const shared = found.subarray(0, wanted.length);
  return shared.reduce((most, level, at) => Math.max(most, Math.abs(level - (wanted[at] ?? 0))), 0);
}

/** The pulses in the parts that play at rate 1: above 2, the shortest sounds are lost in one way of stretching or the other. */
async function pulsesKept({ path, time_map }: Done): Promise<number[]> {
  const kept = time_map.filter(
    ({ in: [from, to], out: [begin, end] }) => Math.abs(to - from - end + begin) < 0.01,
  );
  const pulses = await readPulses(path);
  return pulses.filter((time) =>
    kept.some(({ out: [begin, end] }) => time > begin + 0.03 && time < end - 0.03),
  );
}

async function expectSamePulses(one: Done, other: Done): Promise<void> {
  const [found, wanted] = [await pulsesKept(one), await pulsesKept(other)];
  expect(found.length).toBeGreaterThan(1);
  expect(found).toHaveLength(wanted.length);
  for (const [index, time] of found.entries()) {
    expect(Math.abs(time - (wanted[index] ?? 0)), `pulse ${index}`).toBeLessThan(0.002);
  }
}

/** Silence in the middle, where neither a keyframe nor a pulse is, and at the end. */
const segments = [
  { start: 0, end: 1.37, action: 'keep' },
  { start: 1.37, end: 2.62, action: 'silent' },
  { start: 2.62, end: 4.21, action: 'keep' },
  { start: 4.21, end: 4.7, action: 'silent' },
];

const sources = [
  ...['plain.mp4', 'ntsc-film.mp4', 'vfr.mkv', 'plain.mkv', 'slides.mp4', 'vfr.mp4'],
  ...['late-sound.mp4', 'short-sound.mp4'],
];

describe.each(sampled(sources, 4))('what /silence_process exports of %s comes back', (source) => {
  test.each([
    ['remove', {}],
    ['speed_up', { silent_speed: 4 }],
    ['mute', {}],
  ] as const)('unchanged by %s %o', async (mode, more) => {
    // The ramps of /timeline, to compare samples.
    const ramps = { audio_fade_ms: 3, export: ['otio'] };
    const edit = await operate('silence_process', source, { mode, segments, ...ramps, ...more });
    const done = await imported(edit, source);
    expect(await readNumbers(done.path)).toEqual(await readNumbers(edit.path));
    const [times, before] = [await readTimes(done.path), await readTimes(edit.path)];
    for (const [index, time] of times.entries()) {
      expect(Math.abs(time - (before[index] ?? 0)), `frame ${index}`).toBeLessThan(0.0011);
    }
    if (mode === 'speed_up') await expectSamePulses(done, edit);
    else expect(await difference(done.path, edit.path)).toBeLessThan(0.02);
    expect(done.duration).toBeCloseTo(edit.duration ?? 0, 1);
    expect(done.data.copied_seconds).toBeCloseTo(edit.data.copied_seconds as number, 1);
  });
});

test.each(['mov', 'mkv'])(
  'an export of %s counts from the timecode that the source states, and comes back',
  async (container) => {
    const source = join(scratch(), `timecode.${container}`);
    ffmpeg('-i', fixture('plain.mp4'), '-c', 'copy', '-timecode', '10:00:00:15', source);
    const request = { mode: 'remove', segments, export: ['otio', 'edl'] };
    const edit = await operate('silence_process', source, request);
    const edl = edit.files.find(({ role }) => role === 'edl');
    expect(await readFile(edl?.path ?? '', 'utf8')).toContain(' C        10:00:00:15 ');
    const done = await imported(edit, source);
    expect(await readNumbers(done.path)).toEqual(await readNumbers(edit.path));
  },
);
