import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationData } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { LibavFailure } from '../../../transcoder/media/libav/pool.ts';
import { lagOf, pulsesIn, readNumbers, readSound, readTimes, streamOf } from '../../fixtures/barcode.ts';
import { pauses } from '../../fixtures/bursts.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints, packetHashes } from '../../fixtures/packets.ts';
import { thorough } from '../../sampled.ts';
import { type Done, operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

type Data = OperationData<'silence_process'>;
const dataOf = (done: Done) => done.data as Data;
const source = fixture('pauses.mp4');
const { count, frames, frame } = pauses;
const found = { min_silence: 0.3, padding_before: 0.1, padding_after: 0.05 };

const silence = (request: Record<string, unknown>) => operate('silence_process', source, request);

/** The pauses are removed once for all tests: with what is copied, and without libav, where edges stay as they were found. */
const removal = once(() => silence({ ...found, export: ['csv'] }));
const exactRemoval = once(() => operate('silence_process', source, found, { libav: null }));

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The first pauses of the source alone: each one that plays faster starts programs of its own. */
function makeFew(path: string, pausesOfIt: number): Promise<unknown> {
  const length = ['-frames:v', `${pausesOfIt * frames}`, '-t', `${pausesOfIt * frames * frame}`];
  const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '60'];
  const args = ['-v', 'error', '-nostdin', '-i', source, ...length, ...video, '-c:a', 'aac', '-b:a', '96k'];
  return run(programs, 'ffmpeg', [...args, path]);
}

/** Frames that begin in the spans which are kept. */
const keptIn = ({ segments }: Data) =>
  segments
    .filter(({ action }) => action === 'keep')
    .flatMap(({ start, end }) => range(Math.round(start / frame), Math.round(end / frame)));

async function expectCopied(done: Done, from = source) {
  const known = new Set(await packetHashes(from));
  const taken = (await packetHashes(done.path)).filter((hash) => known.has(hash)).length;
  const { copied_seconds, rendered_seconds } = dataOf(done);
  expect(taken * frame).toBeCloseTo(copied_seconds, 3);
  expect(copied_seconds + rendered_seconds).toBeCloseTo(done.duration ?? 0, 5);
  expect(await complaints(done.path)).toBe('');
}

/** The pulse of every pause is heard when the frame is shown that it began with. */
async function expectInStep(done: Done, pulsesOfSource = count) {
  const numbers = await readNumbers(done.path);
  const times = await readTimes(done.path);
  const pulses = pulsesIn(await readSound(done.path));
  expect(pulses).toHaveLength(pulsesOfSource);
  for (const [index, pulse] of pulses.entries()) {
    const at = numbers.indexOf(index * frames + pauses.pulse);
    expect(at).toBeGreaterThanOrEqual(0);
    expect(Math.abs(pulse - (times[at] ?? 0))).toBeLessThan(0.001);
  }
  const [video, audio] = [await streamOf(done.path, 'v'), await streamOf(done.path, 'a')];
  expect(Math.abs(Number(video.duration) - Number(audio.duration))).toBeLessThan(0.002);
}

describe('packets of what is kept', () => {
  thorough('are copied in 108 spans, of which none loses a frame or drifts', async () => {
    const done = await removal();
    expect(await readNumbers(done.path)).toEqual(keptIn(dataOf(done)));
    expect(dataOf(done).copied_seconds).toBeGreaterThan(0.2 * (done.duration ?? 0));
    await expectCopied(done);
    await expectInStep(done);
  });

  test('stand beside what plays faster', async () => {
    const [few, pausesOfIt] = [join(scratch(), 'few.mp4'), 27];
    await makeFew(few, pausesOfIt);
    const done = await operate('silence_process', few, { ...found, mode: 'speed_up', silent_speed: 4 });
    const numbers = await readNumbers(done.path);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const kept = new Set(numbers);
    expect(keptIn(dataOf(done)).every((number) => kept.has(number))).toBe(true);
    for (const [index, time] of (await readTimes(done.path)).entries()) {
      expect(Math.abs(time - index * frame)).toBeLessThan(0.001);
    }
    expect(dataOf(done).copied_seconds).toBeGreaterThan(0);
    await expectCopied(done, few);
    await expectInStep(done, pausesOfIt);
  });
});

test('where libav dies when the sound is made already, everything is rendered, and heard once', async () => {
  const splice = async () => Promise.reject(new LibavFailure('the worker process ended: SIGSEGV'));
  const segments = [
    { start: 0, end: 2, action: 'keep' },
    { start: 2, end: 3, action: 'silent' },
    { start: 3, end: 4.5, action: 'keep' },
  ];
  const whole = await operate('silence_process', 'plain.mp4', { segments });
  const done = await operate('silence_process', 'plain.mp4', { segments }, { libav: { splice } });
  expect(dataOf(whole).copied_seconds).toBeGreaterThan(0);
  expect(dataOf(done).copied_seconds).toBe(0);
  expect(await readNumbers(done.path)).toEqual(await readNumbers(whole.path));
  expect(lagOf(await readSound(done.path), await readSound(whole.path))).toBe(0);
});

describe('edges that were found', () => {
  test('lie where little is rendered, and every list of them says the same', async () => {
    const [removed, listed] = [await removal(), await silence({ ...found, mode: 'detect', export: ['csv'] })];
    expect(dataOf(listed).segments).toEqual(dataOf(removed).segments);
    const [one, other] = await Promise.all(
      [removed, listed].map(({ files }) =>
        readFile(files.find(({ role }) => role === 'csv')?.path ?? '', 'utf8'),
      ),
    );
    expect(one).toBe(other);
    const kept = dataOf(removed).segments.filter(({ action }) => action === 'keep');
    expect(removed.time_map.map((span) => span.in)).toEqual(kept.map(({ start, end }) => [start, end]));
    const exact = await exactRemoval();
    const moved = kept.filter(({ start }, index) => {
      const asked = dataOf(exact).segments.filter(({ action }) => action === 'keep')[index]?.start ?? 0;
      expect(start).toBeGreaterThan(asked - 0.301);
      expect(start).toBeLessThan(asked + 0.051);
      return Math.abs(start - asked) > 0.001;
    });
    expect(moved.length).toBeGreaterThan(3);
  });

  thorough('that the caller gives are left where they are', async () => {
    const exact = await exactRemoval();
    const { segments } = dataOf(exact);
    const done = await silence({ segments });
    expect(dataOf(done).segments).toEqual(segments);
    expect(await readNumbers(done.path)).toEqual(keptIn(dataOf(exact)));
    await expectCopied(done);
  });
});
