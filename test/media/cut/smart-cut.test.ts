import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { LibavFailure } from '../../../transcoder/media/libav/pool.ts';
import type { SpliceRequest } from '../../../transcoder/model/splice.ts';
import { readNumbers, readSound, readTimes } from '../../fixtures/barcode.ts';
import { pictureHashes } from '../../fixtures/decoded.ts';
import { trackTicks } from '../../fixtures/demuxed.ts';
import { fixture } from '../../fixtures/make.ts';
import { complaints } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { signalEach } from '../../signal-each.ts';
import { type Done, libav, operate } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { checkPacketTimes, makeSource, REPEATED, random, type Structure } from './structures.ts';

const aac = ['-c:a', 'aac', '-b:a', '96k'];
const sources: Record<string, Structure> = {
  'no B-frames, GOP 12': { rate: '30', params: 'bframes=0:keyint=12:min-keyint=12', sound: aac },
  'B-pyramid, GOP 48, 23.976': {
    rate: '24000/1001',
    params: 'bframes=4:b-pyramid=normal:ref=4:keyint=48',
    sound: aac,
  },
  'GOP 95, one B-frame, AC-3': {
    ...{ rate: '25', params: 'bframes=1:keyint=95:min-keyint=95:scenecut=0' },
    sound: ['-c:a', 'ac3'],
  },
  'Baseline with CAVLC': {
    ...{ rate: '30', params: 'keyint=40:ref=3', more: ['-profile:v', 'baseline'] },
    sound: aac,
  },
  'Main, MP3 sound': {
    ...{ rate: '30', params: 'bframes=2:keyint=33', more: ['-profile:v', 'main'] },
    sound: ['-c:a', 'libmp3lame', '-b:a', '128k'],
  },
  'High with CAVLC, four slices': { rate: '30', params: 'cabac=0:bframes=3:slices=4:keyint=60', sound: aac },
  'ten bits, 60 fps': {
    rate: '60',
    params: 'bframes=3:keyint=90',
    more: ['-pix_fmt', 'yuv420p10le'],
    sound: aac,
  },
  'a scaling matrix': { rate: '30', params: 'cqm=jvt:bframes=3:keyint=50', sound: aac },
  'ids of its own, full range': {
    rate: '30',
    params: 'sps-id=5:bframes=2:keyint=45',
    more: ['-pix_fmt', 'yuvj420p'],
    sound: aac,
  },
};

/** Samples that the container says the sound has; ffmpeg's decoder itself gives the last packet whole. */
const soundTicks = (path: string) => trackTicks(path, 'a');

/** Largest difference of the sound of a cut from that of its source at the same time, once decoders have settled. */
function distance(cut: Float32Array, source: Float32Array, start: number): number {
  const offset = Math.round(start * 48_000);
  let most = 0;
  for (let at = 0; at < cut.length; at++) {
    most = Math.max(most, Math.abs((cut[at] ?? 0) - (source[at + offset] ?? 0)));
  }
  return most;
}

async function checkCut(done: Done, asked: { start: number; end: number }, source: Reference): Promise<void> {
  const { rate } = source;
  const half = 0.5 / rate;
  const kept = source.hashes
    .map((_, index) => index)
    .filter((index) => index / rate >= asked.start - half - 1e-6 && index / rate < asked.end - half - 1e-6);
  // Picture and sound are cut at the same instants: those of frames.
  const span = { start: (kept[0] ?? 0) / rate, end: ((kept.at(-1) ?? 0) + 1) / rate };
  expect(done.time_map[0]?.in[0]).toBeCloseTo(span.start, 5);
  expect(done.time_map[0]?.in[1]).toBeCloseTo(span.end, 5);
  expect(await readNumbers(done.path)).toEqual(kept.map((index) => index % REPEATED));
  const times = await readTimes(done.path);
  for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / rate, 4);

  const found = await pictureHashes(done.path);
  const different = kept.filter((index, at) => found[at] !== source.hashes[index]).length;
  const { copied_seconds: copied, rendered_seconds: rendered } = done.data as Record<string, number>;
  expect(different).toBeLessThanOrEqual(Math.round((rendered ?? 0) * rate) + 1);
  expect((copied ?? 0) + (rendered ?? 0)).toBeCloseTo(span.end - span.start, 5);

  await checkPacketTimes(done.path);
  expect(await complaints(done.path)).toBe('');

  const samples = Math.round((span.end - span.start) * 48_000);
  expect(Math.abs((await soundTicks(done.path)) - samples)).toBeLessThanOrEqual(1);
  const sound = (await readSound(done.path)).subarray(0, samples);
  expect(sound).toHaveLength(samples);
  expect(distance(sound, source.sound, span.start)).toBeLessThan(0.002);
}

/** What libav is asked for a cut of plain.mp4 that has a head and a tail. */
async function requestFor(file: string): Promise<SpliceRequest> {
  if (!libav) throw new Error('libav cannot be loaded');
  let asked: SpliceRequest | undefined;
  await operate(
    'cut',
    'plain.mp4',
    { start: 0.5, end: 4.3 },
    {
      libav: {
        splice: (request) => {
          asked = request;
          return Promise.reject(new LibavFailure('only asked'));
        },
      },
    },
  );
  if (!asked) throw new Error('libav was not asked');
  return { ...asked, file: join(scratch(), file) };
}

interface Reference {
  rate: number;
  hashes: string[];
  sound: Float32Array;
}

describe('a smart cut', () => {
  test.each(sampled(Object.entries(sources), 3))('is exact: %s', async (name, options) => {
    const path = await makeSource(name, options);
    const [numerator = 30, denominator = 1] = options.rate.split('/').map(Number);
    const source = {
      rate: numerator / denominator,
      hashes: await pictureHashes(path),
      sound: await readSound(path),
    };
    const next = random(name.length);
    for (let count = 0; count < 2; count++) {
      const start = Math.round(next() * 3000) / 1000;
      const end = Math.round((start + 4 + next() * 8.5) * 1000) / 1000;
      const done = await operate('cut', path, { start, end });
      expect(done.data.copied_seconds, `${start} … ${end}`).toBeGreaterThan(0);
      await checkCut(done, { start, end }, source);
    }
  });
});

describe('what libav does not do is rendered', () => {
  const span = { start: 0.5, end: 4.3 };
  const all = { copied_seconds: 0, rendered_seconds: 3.8 };
  const kept = Array.from({ length: 114 }, (_, index) => 15 + index);

  test('with the same frames where libav cannot be loaded', async () => {
    const done = await operate('cut', 'plain.mp4', span, { libav: null });
    expect(done.data.rendered_seconds).toBeCloseTo(all.rendered_seconds, 6);
    expect(await readNumbers(done.path)).toEqual(kept);
  });

  test('where its process dies, and progress never falls', async () => {
    if (!libav) throw new Error('libav cannot be loaded');
    const splice = (
      _: SpliceRequest,
      options: { onProgress?: ((fraction: number) => void) | undefined } = {},
    ) => {
      options.onProgress?.(0.4);
      return Promise.reject(new LibavFailure('the worker process ended: SIGSEGV'));
    };
    const seen: number[] = [];
    const options = { libav: { splice }, onProgress: (fraction: number) => seen.push(fraction) };
    const done = await operate('cut', 'plain.mp4', span, options);
    expect(done.data.copied_seconds).toBe(0);
    expect(await readNumbers(done.path)).toEqual(kept);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(done.time_map).toEqual([{ source: 0, in: [0.5, 4.3], out: [0, 3.8] }]);
  });

  test.each(
    sampled(
      [
        ['another quality', 'plain.mp4', { quality: 'high' }],
        ['another codec', 'plain.mp4', { codec: 'hevc' }],
        ['4:4:4', 'odd-444.mp4', {}],
      ],
      3,
    ),
  )('%s', async (_, source, more) => {
    const done = await operate('cut', source, { start: 1, end: 4.3, ...more });
    expect(done.data.copied_seconds).toBe(0);
  });
});

describe('libav', () => {
  test('takes another process where one is killed at work', async () => {
    if (!libav) throw new Error('libav cannot be loaded');
    const request = await requestFor('killed.mp4');
    const work = libav.ask(request);
    const killed = [...libav.pids];
    signalEach(killed, 'SIGKILL');
    await expect(work).rejects.toThrow(LibavFailure);
    // The end of an idle one may be noticed later.
    await expect.poll(() => libav?.pids.filter((pid) => killed.includes(pid))).toEqual([]);
    expect(await libav.ask(request)).toEqual({ frames: 114 });
  });

  test('ends the process of work that is given up, and gives the reason', async () => {
    if (!libav) throw new Error('libav cannot be loaded');
    const request = await requestFor('given-up.mp4');
    const control = new AbortController();
    const work = libav.ask(request, { signal: control.signal });
    const reason = new Error('given up');
    control.abort(reason);
    await expect(work).rejects.toBe(reason);
    expect(await libav.ask(request)).toEqual({ frames: 114 });
  });

  test('refuses a file that is not what was surveyed', async () => {
    if (!libav) throw new Error('libav cannot be loaded');
    const request = await requestFor('other.mp4');
    const other = await completeSource({ path: fixture('long-gop.mp4'), format: 'mov' });
    const inputs = request.inputs.map((input) => ({ ...input, source: other.parts() }));
    await expect(libav.ask({ ...request, inputs })).rejects.toThrow(LibavFailure);
  });

  test('knows nothing of the environment', async () => {
    if (!libav) throw new Error('libav cannot be loaded');
    await libav.ask(await requestFor('environment.mp4'));
    // One that was killed may be listed until its end is noticed; the one that has just worked lives.
    const read = await Promise.allSettled(libav.pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8')));
    const environment = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])).at(-1) ?? '';
    const names = environment.split('\0').flatMap((entry) => entry.split('=')[0] || []);
    expect(names.filter((name) => !/^NODE_(CHANNEL|COMPILE_CACHE)/.test(name)).sort()).toEqual([
      'HOME',
      'LANG',
      'MALLOC_MMAP_THRESHOLD_',
      'MALLOC_TRIM_THRESHOLD_',
      'PATH',
      'SVT_LOG',
    ]);
  });
});
