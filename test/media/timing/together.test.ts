import { describe, expect, test } from 'vitest';
import { sampled } from '../../sampled.ts';
import { random } from '../cut/structures.ts';
import { type Done, operate, operateOn } from '../operate.ts';
import { drift, type Measured, makeSource, measure, type Shape } from './distance.ts';

/** Milliseconds: what Matroska rounds the times of two tracks by. */
const APART = 1;

const opus = ['-c:a', 'libopus', '-b:a', '96k'];
const pcm = ['-c:a', 'pcm_s16le'];
const vp9 = [
  ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '300k'],
  ...['-g', '24', '-pix_fmt', 'yuv420p'],
];
const mpeg4 = ['-c:v', 'mpeg4', '-q:v', '4', '-g', '24'];

const shapes: Record<string, Case> = {
  'mp4 with ticks of a frame': { container: 'mp4', rate: '30', timescale: 30 },
  'mp4 with ticks of a 24th': { container: 'mp4', rate: '24', timescale: 24, late: -80 },
  'mp4 at 29.97': { container: 'mp4', rate: '30000/1001', timescale: 30_000, late: 200 },
  'mp4 with sound 22 ms ahead': { container: 'mp4', rate: '25', timescale: 90_000, late: 22 },
  'mp4 with milliseconds, sound 150 ms late': { container: 'mp4', rate: '30', timescale: 1000, late: -150 },
  'mov at 23.976 with PCM 40 ms ahead': {
    container: 'mov',
    rate: '24000/1001',
    sound: pcm,
    late: 40,
    timescale: 12_800,
  },
  'mkv with AAC': { container: 'mkv', rate: '30' },
  'mkv with a gap of 12 ms in PCM': { container: 'mkv', rate: '25', sound: pcm, gap: 0.012 },
  'webm with Opus': { container: 'webm', rate: '25', picture: vp9, sound: opus, unsure: 1 },
  'ts from 700 s': { container: 'ts', rate: '25', origin: 700, late: 80 },
  avi: { container: 'avi', rate: '30', picture: mpeg4, sound: pcm },
  'mp4 whose rate varies': {
    ...{ container: 'mp4', rate: '30', timescale: 15_360 },
    select: 'not(between(mod(n,40),20,33))+eq(mod(n,7),3)',
  },
};

const lags: number[] = [];

/** That picture and sound are as far apart as they were, wherever a pulse is heard. */
function expectTogether(source: Measured, found: Measured, what: string): void {
  const apart = drift(source, found);
  expect(apart.length, what).toBeGreaterThan(0);
  for (const each of apart)
    expect(Math.abs(each), `${what}: ${apart.map((one) => one.toFixed(2))}`).toBeLessThanOrEqual(
      APART + 0.01,
    );
  lags.push(...apart.map(Math.abs));
}

/** The numbers of the frames from the one nearest to a time up to the one nearest to another; a long frame is shown from a time within it. */
function wanted({ frames, origin }: Measured, start: number, end: number): number[] {
  const near = (time: number) =>
    frames.reduce(
      (best, { time: one }, index) =>
        Math.abs(one - origin - time) < Math.abs((frames[best]?.time ?? 0) - origin - time) ? index : best,
      0,
    );
  return frames.slice(near(start), near(end)).map(({ number }) => number);
}

/** That every frame is where the time map says it is. A long frame that is on when a span begins may have begun before. */
function expectMapped(
  done: Done,
  source: Measured,
  found: Measured,
  { unsure = 0 }: Case,
  what: string,
): void {
  const at = new Map(source.frames.map(({ number, time }) => [number, time - source.origin]));
  const begin = (found.frames[0]?.time ?? 0) - (done.time_map[0]?.out[0] ?? 0);
  const first = Math.max(at.get(found.frames[0]?.number ?? -1) ?? 0, done.time_map[0]?.in[0] ?? 0);
  const late = first - (done.time_map[0]?.in[0] ?? 0);
  // At a higher rate each is shown several times in a row, of which the first counts.
  const shown = found.frames.filter(({ number }, index) => number !== found.frames[index - 1]?.number);
  for (const { number, time } of shown) {
    const here = at.get(number) ?? Number.NaN;
    const off = done.time_map.map(({ in: [from, to], out: [out] }) => {
      const early = here < from && here > from - 1 && here < to;
      const place = out + (early ? 0 : here - from);
      return Math.abs(place - late - (time - begin)) * 1000;
    });
    expect(Math.min(...off), `${what}: frame ${number} at ${time}`).toBeLessThanOrEqual(
      APART + unsure + 0.01,
    );
  }
}

interface Case extends Shape {
  /** Milliseconds by which decoders differ on the first sample of Opus in Matroska. */
  unsure?: number;
}

type Span = { start: number; end: number };

const request = (next: () => number): Span => {
  const start = 0.3 + next() * 1.5;
  return { start, end: start + 1.2 + next() * 1.5 };
};

async function merged(path: string, spans: readonly Partial<Span>[]): Promise<{ done: Done }> {
  const clips = spans.map((span) => ({ url: 'https://media.example.com/a', ...span }));
  return { done: await operateOn('merge_urls', [path, path], { urls: clips, transition: 'none' }) };
}

/** What is done with each source beside a cut and a merge; each of them meets every third source. */
const others: ((path: string, next: () => number, fps: number) => Promise<{ done: Done; spans?: Span[] }>)[] =
  [
    async (path, next) => {
      const span = request(next);
      return { done: await operate('cut', path, { ...span, quality: 'high' }), spans: [span] };
    },
    async (path, next) => {
      const segments = [request(next), request(next)].reverse();
      return { done: await operate('cut', path, { segments }), spans: segments };
    },
    async (path, next) => {
      const segments = [request(next), request(next)];
      return {
        done: await operate('cut', path, { segments, quality: 'high', format: 'mkv' }),
        spans: segments,
      };
    },
    async (path) => ({ done: await operate('crop', path, { x: 0, y: 0, width: 160, height: 88 }) }),
    async (path) => ({ done: await operate('transcode', path, { format: 'webm', codec: 'vp9' }) }),
    // Twice the rate, or frames would have to move.
    async (path, _, fps) => ({ done: await operate('transcode', path, { format: 'mp4', fps: 2 * fps }) }),
    async (path, next) => {
      const segments = [{ ...request(next), action: 'silent' }];
      return { done: await operate('silence_process', path, { segments }) };
    },
    async (path, next) => {
      const segments = [{ ...request(next), action: 'silent' }];
      return { done: await operate('silence_process', path, { segments, mode: 'mute' }) };
    },
  ];

describe('picture and sound are as far apart as in the source', () => {
  test.each(sampled(Object.entries(shapes), 3))('%s', async (name, shape) => {
    const index = Object.keys(shapes).indexOf(name);
    const next = random(name.length * 31);
    const path = await makeSource(name, shape);
    const source = await measure(path);
    const [numerator = 30, denominator = 1] = shape.rate.split('/').map(Number);
    const fps = numerator / denominator;
    const span = request(next);
    const jobs: (() => Promise<{ done: Done; spans?: Span[] }>)[] = [
      async () => ({ done: await operate('cut', path, span), spans: [span] }),
      // Frames at varying distances are put on a grid by a merge, and so are moved.
      ...(shape.select
        ? []
        : [() => merged(path, [request(next), request(next)]), () => merged(path, [{}, {}])]),
      ...others.filter((_, at) => at % 3 === index % 3).map((one) => () => one(path, next, fps)),
    ];
    for (const job of jobs) {
      const { done, spans } = await job();
      const what = JSON.stringify({ spans, map: done.time_map });
      const found = await measure(done.path);
      expectTogether(source, found, what);
      // A merge fills its grid from 0, with the first frame of each clip.
      if (done.time_map.length < 2 || spans) expectMapped(done, source, found, shape, what);
      if (spans && !shape.select) {
        const kept = spans.flatMap(({ start, end }) => wanted(source, start, end));
        expect(
          found.frames.map(({ number }) => number),
          what,
        ).toEqual(kept);
      }
    }
  });
});
