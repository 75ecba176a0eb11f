import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { filteredPictures } from '../../fixtures/decoded.ts';
import { programs } from '../../fixtures/make.ts';
import { table, withTables } from '../../fixtures/mp4-tables.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const RATE = 30;
const SECONDS = 6;

const x264 = (params: string) => ['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', params];
const x265 = (params: string) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1'],
  ...['-x265-params', `${params}:log-level=none`],
];

/** A column of macroblocks is refreshed with each frame: the wider the picture, the more frames it takes. */
const sizes = { wide: '960x48', usual: '160x90' };

interface Source {
  file: string;
  size: string;
  encoder: string[];
  /** Changes the file that was made. */
  change?: (file: Buffer) => Buffer;
}
const sources: Record<string, Source> = {
  'H.264 refreshed in 47 frames, mp4': {
    ...{ file: 'refresh.mp4', size: sizes.wide, encoder: x264('intra-refresh=1:keyint=45') },
  },
  'H.264 refreshed in 77 frames without B frames, Matroska': {
    ...{ file: 'refresh.mkv', size: '1280x48', encoder: x264('intra-refresh=1:keyint=90:bframes=0') },
  },
  'H.264 refreshed in 47 frames, MPEG-TS': {
    ...{ file: 'refresh.ts', size: sizes.wide, encoder: x264('intra-refresh=1:keyint=45') },
  },
  'H.264 refreshed in 12 frames': {
    ...{ file: 'narrow.mp4', size: sizes.usual, encoder: x264('intra-refresh=1:keyint=20') },
  },
  'H.264 refreshed in 10 frames, whose frame numbers begin again at some of them': {
    ...{ file: 'wrapped.mp4', size: sizes.usual, encoder: x264('intra-refresh=1:keyint=12:bframes=0:ref=1') },
  },
  'H.264 of open groups, mp4': {
    ...{ file: 'open.mp4', size: sizes.usual, encoder: x264('open-gop=1:keyint=45:bframes=3') },
  },
  'H.264 of open groups, MPEG-TS': {
    ...{ file: 'open.ts', size: sizes.usual, encoder: x264('open-gop=1:keyint=45:bframes=3') },
  },
  'HEVC of open groups': {
    ...{ file: 'hevc.mp4', size: sizes.usual, encoder: x265('open-gop=1:keyint=45:bframes=4') },
  },
  'HEVC that is refreshed': {
    ...{ file: 'hevc-refresh.mp4', size: sizes.usual, encoder: x265('intra-refresh=1:keyint=45') },
  },
};

/** Like phones that flag every 40th frame, whatever it is. */
const flagged = (file: Buffer) => withTables(file, { stss: table(0, 5, 1, 41, 81, 121, 161) });
const flaggedSources: Record<string, Source> = {
  'H.263 whose index has keyframes that are none': {
    ...{ file: 'flagged.3gp', size: '176x144', encoder: ['-c:v', 'h263', '-g', '100', '-q:v', '4'] },
    change: flagged,
  },
  'MPEG-4 whose index has keyframes that are none': {
    ...{ file: 'flagged.mp4', size: sizes.usual, encoder: ['-c:v', 'mpeg4', '-g', '100', '-q:v', '4'] },
    change: flagged,
  },
};

async function make({ file, size, encoder, change }: Source): Promise<string> {
  const path = join(scratch(), file);
  const graph = `testsrc2=s=480x270:r=${RATE}:d=${SECONDS},scale=${size.replace('x', ':')}`;
  const args = ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', graph, '-pix_fmt', 'yuv420p'];
  await run(programs, 'ffmpeg', [...args, ...encoder, path]);
  if (change) await writeFile(path, change(await readFile(path)));
  return path;
}

/** A frame shows the one of the source that differs from it by less, in levels. */
const ALIKE = 4;
const SIDE = { width: 120, height: 24 };

/** Every frame in grey, decoded from the beginning. */
async function pictures(path: string): Promise<Buffer[]> {
  const bytes = await filteredPictures(path, `scale=${SIDE.width}:${SIDE.height}:flags=area,format=gray`);
  const size = SIDE.width * SIDE.height;
  return Array.from({ length: bytes.length / size }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

/** Mean difference of two pictures in levels; what is more than `most` is not added up to the end. */
function apart(a: Buffer, b: Buffer, most: number): number {
  let sum = 0;
  for (let at = 0; at < a.length && sum <= most * a.length; at++) {
    sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  }
  return sum / a.length;
}

/** Which frame of the source each frame of a result shows; null where it shows none of them. */
async function shownIn(path: string, all: readonly Buffer[]): Promise<(number | null)[]> {
  return (await pictures(path)).map((picture) => {
    let nearest: { frame: number | null; distance: number } = { frame: null, distance: ALIKE };
    for (const [frame, one] of all.entries()) {
      const distance = apart(picture, one, nearest.distance);
      if (distance < nearest.distance) nearest = { frame, distance };
    }
    return nearest.frame;
  });
}

const between = (start: number, end: number) => Array.from({ length: end - start }, (_, at) => start + at);

describe.each(sampled(Object.entries({ ...sources, ...flaggedSources }), 3))('%s', (_, source) => {
  const made = make(source).then(async (path) => ({ path, all: await pictures(path) }));

  test('is cut to the frames of its full decode', async () => {
    const { path, all } = await made;
    for (const [start, end] of [
      [0, 1],
      [2, 3.5],
      [4.5, 6],
    ] as const) {
      const done = await operate('cut', path, { start, end });
      const wanted = between(Math.round(start * RATE), Math.round(end * RATE));
      expect(await shownIn(done.path, all), `from ${start} to ${end} s`).toEqual(wanted);
    }
  }, 120_000);

  test('is cut at a keyframe that shows a right picture', async () => {
    const { path, all } = await made;
    const done = await operate('cut', path, { start: 2.2, end: 4, mode: 'keyframe' });
    const shown = await shownIn(done.path, all);
    const [first] = shown;
    expect(first).toBeLessThanOrEqual(66);
    expect(shown).toEqual(between(first ?? 0, (first ?? 0) + shown.length));
  }, 120_000);

  // Without libav, nothing reads the pictures' own headers.
  test.each(source.change ? [true] : [true, false])(
    'gives the frames of its full decode (with libav: %s)',
    async (withLibav) => {
      const { path, all } = await made;
      const options = withLibav ? {} : { libav: null };
      for (const at of [1.8, 2.1, 3.3]) {
        const done = await operate('frame', path, { timestamps: [at], format: 'png' }, options);
        expect(await shownIn(done.path, all), `at ${at} s`).toEqual([Math.round(at * RATE)]);
      }
      const last = await operate('frame_last', path, { format: 'png' }, options);
      expect(await shownIn(last.path, all)).toEqual([all.length - 1]);
    },
    120_000,
  );

  test('is merged without a frozen frame', async () => {
    const { path, all } = await made;
    const clips = [
      { url: 'https://media.example.com/a', start: 1.7, end: 4 },
      { url: 'https://media.example.com/b', start: 2.5, end: 5.5 },
    ];
    const asked = { urls: clips, transition: 'fade', duration: 0.5 };
    const done = await operateOn('merge_urls', [path, path], asked);
    const shown = await shownIn(done.path, all);
    expect(shown).toHaveLength(69 + 90 - 15);
    expect(shown.slice(0, 54)).toEqual(between(51, 105));
    expect(shown.slice(69)).toEqual(between(90, 165));
  }, 120_000);
});
