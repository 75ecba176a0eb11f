import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { pictureHashes } from '../../fixtures/decoded.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { type Done, operate, operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

/**
 * H.264 whose groups of pictures are open, with an IDR picture at the beginning only, as in broadcasts and on discs. Frame n of each
 * file shows n modulo 180.
 */
const RATE = 30;
const SECONDS = 8;
const REPEATED = 180;
/** Frames of a group. */
const GROUP = 50;

const sources: Record<string, { file: string; params: string }> = {
  'a pyramid, mp4': { file: 'pyramid.mp4', params: 'bframes=3:b-pyramid=normal:b-adapt=0:ref=4' },
  'a strict pyramid, Matroska': { file: 'strict.mkv', params: 'bframes=3:b-pyramid=strict:b-adapt=0:ref=3' },
  'four slices in CAVLC, mp4': {
    ...{ file: 'slices.mp4', params: 'bframes=3:slices=4:cabac=0:b-adapt=0:ref=5' },
  },
  'a scaling matrix, which keeps rendered frames in sets of their own': {
    ...{ file: 'matrix.mp4', params: 'bframes=5:cqm=jvt:b-adapt=0:ref=4' },
  },
};

async function make({ file, params }: (typeof sources)[string]): Promise<string> {
  const path = join(scratch(), `open-${file}`);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-stream_loop', '-1', '-i', fixture('no-sound.mp4')],
    ...['-map', '0:v', '-vf', `settb=1/${RATE},setpts=N`, '-fps_mode', 'passthrough', '-t', `${SECONDS}`],
    ...['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast', '-x264-params'],
    ...[`open-gop=1:keyint=${GROUP}:min-keyint=${GROUP}:scenecut=0:${params}`, path],
  ]);
  return path;
}

const numbered = (frames: readonly number[]) => frames.map((frame) => frame % REPEATED);
const data = ({ data: found }: Done) => found as { copied_seconds: number; rendered_seconds: number };

/** @param frames The frames of the source that the result shows. */
async function checkShown(done: Done, frames: readonly number[], pictures: readonly string[]): Promise<void> {
  expect(await readNumbers(done.path)).toEqual(numbered(frames));
  for (const [index, time] of (await readTimes(done.path)).entries()) {
    expect(Math.abs(time - index / RATE)).toBeLessThan(0.0011);
  }
  expect(await complaints(done.path)).toBe('');
  const found = await pictureHashes(done.path);
  const same = frames.filter((frame, at) => found[at] === pictures[frame]).length;
  expect(same).toBeGreaterThanOrEqual(Math.round(data(done).copied_seconds * RATE));
}

describe.each(sampled(Object.entries(sources), 3))('open groups with %s', (_, source) => {
  const made = make(source).then(async (path) => ({ path, pictures: await pictureHashes(path) }));

  test('are copied from any of the frames around an entry on, and up to any', async () => {
    const { path, pictures } = await made;
    const spans = range(-4, 5).map((step) => [2 * GROUP + step, 4 * GROUP - step] as const);
    const segments = spans.map(([from, to]) => ({ start: from / RATE, end: to / RATE }));
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const done = await operate('cut', path, { segments }, { onWarning });
    expect(warnings).toEqual([]);
    await checkShown(
      done,
      spans.flatMap(([from, to]) => range(from, to)),
      pictures,
    );
    // Of each segment, a group at least is copied.
    expect(data(done).copied_seconds).toBeGreaterThan((spans.length * GROUP) / RATE);
  }, 120_000);

  test('are copied from the beginning of a range that is an entry', async () => {
    const { path, pictures } = await made;
    for (const format of ['mp4', 'mkv']) {
      const done = await operate('cut', path, { mode: 'keyframe', start: 3.6, end: 7, format });
      const numbers = await readNumbers(done.path);
      const [first = 0] = numbers;
      expect(first).toBeLessThanOrEqual(108);
      await checkShown(done, range(first, first + numbers.length), pictures);
    }
  }, 120_000);

  test('are merged with rendered joints', async () => {
    const { path, pictures } = await made;
    const url = 'https://media.example.com/clip';
    const urls = [
      { url, start: 0.5, end: 6 },
      { url, start: 1, end: 7 },
    ];
    const done = await operateOn('merge_urls', [path, path], { urls });
    expect(data(done).copied_seconds).toBeGreaterThan(8);
    await checkShown(done, [...range(15, 180), ...range(30, 210)], pictures);
  }, 120_000);
});

describe('open groups', () => {
  test('of an elementary stream are copied', async () => {
    const path = await make({ file: 'elementary.h264', params: 'bframes=3:b-adapt=0:ref=4' });
    const pictures = await pictureHashes(path);
    const done = await operate('cut', path, { start: 1, end: 7 });
    expect(data(done).copied_seconds).toBeGreaterThan(4);
    const numbers = await readNumbers(done.path);
    expect(await complaints(done.path)).toBe('');
    const found = await pictureHashes(done.path);
    const [first = 0] = numbers;
    expect(numbers).toEqual(numbered(range(first, first + numbers.length)));
    const same = found.filter((hash) => pictures.includes(hash)).length;
    expect(same).toBeGreaterThanOrEqual(Math.round(data(done).copied_seconds * RATE));
  }, 120_000);

  test('are copied between the silences that are cut out', async () => {
    const path = await make({ file: 'silences.mp4', params: 'bframes=3:b-adapt=0:ref=4' });
    const voiced = join(scratch(), 'open-voiced.mp4');
    const tone = "aevalsrc='if(lt(mod(t,4),3),0.4*sin(2*PI*440*t),0)':s=48000:d=8";
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-nostdin', '-y', '-i', path, '-f', 'lavfi', '-i', tone],
      ...['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac', voiced],
    ]);
    const done = await operate('silence_process', voiced, { mode: 'remove' });
    expect(data(done).copied_seconds).toBeGreaterThan(3);
    const pictures = await pictureHashes(path);
    const shown = (await readNumbers(done.path)).length;
    expect(shown).toBeLessThan(SECONDS * RATE - 15);
    expect(await complaints(done.path)).toBe('');
    const same = (await pictureHashes(done.path)).filter((hash) => pictures.includes(hash)).length;
    expect(same).toBeGreaterThanOrEqual(Math.round(data(done).copied_seconds * RATE));
  }, 120_000);
});
