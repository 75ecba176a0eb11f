import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RenderedSpan } from '../../../schema/operations/fields/spans.ts';
import type { OperationName } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { type Region, readFields, readNumbers, readTimes, wholePicture } from '../../fixtures/barcode.ts';
import { fieldFlags, pictureHashes } from '../../fixtures/decoded.ts';
import { picture } from '../../fixtures/drawn-barcode.ts';
import { fieldPictures } from '../../fixtures/field-pictures.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { type Done, operate, operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { checkPacketTimes } from './structures.ts';

/** Interlaced H.264. The earlier field of frame n shows 2n modulo 180, the later one 2n + 1. */
const RATE = 25;
const SECONDS = 8;
const REPEATED = 180;
const GROUP = 50;

interface Source {
  file: string;
  params: string;
  order: 'top' | 'bottom';
}

const sources: Record<string, Source> = {
  'the top field first': { file: 'top.mp4', params: 'tff=1:bframes=3', order: 'top' },
  'the bottom field first, four slices in CAVLC, Matroska': {
    ...{ file: 'bottom.mkv', params: 'bff=1:bframes=2:cabac=0:slices=4', order: 'bottom' },
  },
  'no B-frames, and so no picture order counts': {
    file: 'order.mp4',
    params: 'bff=1:bframes=0',
    order: 'bottom',
  },
  'open groups': { file: 'open.mp4', params: 'tff=1:bframes=3:open-gop=1:b-adapt=0:ref=4', order: 'top' },
};

const files = new Map<string, Promise<string>>();

/** The file of a source, made once for all who ask for it. */
function make(source: Source): Promise<string> {
  const made = files.get(source.file) ?? encode(source);
  files.set(source.file, made);
  return made;
}

async function encode({ file, params, order }: Source): Promise<string> {
  const path = join(scratch(), `fields-${file}`);
  const weave = `tinterlace=interleave_${order},setfield=${order === 'top' ? 'tff' : 'bff'}`;
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-stream_loop', '-1', '-i', fixture('no-sound.mp4')],
    ...['-map', '0:v', '-vf', `settb=1/${2 * RATE},setpts=N,${weave},settb=1/${RATE},setpts=N`],
    ...[
      '-fps_mode',
      'passthrough',
      '-enc_time_base:v',
      `1:${RATE}`,
      '-t',
      `${SECONDS}`,
      '-pix_fmt',
      'yuv420p',
    ],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-flags', '+ildct+ilme', '-x264-params'],
    ...[`keyint=${GROUP}:min-keyint=${GROUP}:scenecut=0:${params}`, path],
  ]);
  return path;
}

const flags = { top: '1,1', bottom: '1,0' };
const codes = ({ warnings }: Done) => warnings.map(({ code }) => code);
const copied = ({ data }: Done) =>
  (data.spans as RenderedSpan[]).reduce((sum, span) => sum + (span.copied ? (span.frames ?? 0) : 0), 0);

/** @param frames The frames of the source that the result shows, unchanged. */
async function checkShown(
  done: Done,
  frames: readonly number[],
  { order }: Source,
  pictures: readonly string[],
) {
  const { top, bottom } = await readFields(done.path);
  const shown = (late: number) => frames.map((frame) => (2 * frame + late) % REPEATED);
  expect(order === 'top' ? [top, bottom] : [bottom, top]).toEqual([shown(0), shown(1)]);
  for (const [index, time] of (await readTimes(done.path)).entries()) {
    expect(Math.abs(time - index / RATE)).toBeLessThan(0.0011);
  }
  expect(await complaints(done.path)).toBe('');
  expect(new Set(await fieldFlags(done.path))).toEqual(new Set([flags[order]]));
  const found = await pictureHashes(done.path);
  const same = frames.filter((frame, at) => found[at] === pictures[frame]).length;
  expect(same).toBe(copied(done));
}

describe.each(sampled(Object.entries(sources), 3))('interlaced H.264 with %s', (_, source) => {
  const made = make(source).then(async (path) => ({ path, pictures: await pictureHashes(path) }));

  test('stays interlaced and is copied from any of the frames around a keyframe on, and up to any', async () => {
    const { path, pictures } = await made;
    const spans = range(-3, 4).map((step) => [GROUP + step, 2 * GROUP + 20 - step] as const);
    const segments = spans.map(([from, to]) => ({ start: from / RATE, end: to / RATE }));
    const warned: string[] = [];
    const onWarning = (message: string) => warned.push(message);
    const done = await operate('cut', path, { segments }, { onWarning });
    expect(warned).toEqual([]);
    expect(codes(done)).not.toContain('source_interlaced');
    const frames = spans.flatMap(([from, to]) => range(from, to));
    await checkShown(done, frames, source, pictures);
    expect(copied(done)).toBeGreaterThan(frames.length / 3);
    if (path.endsWith('mp4')) await checkPacketTimes(done.path);
  }, 120_000);
});

describe('what is re-encoded of interlaced video', () => {
  const [source] = [sources['the top field first'] as Source];
  const made = make(source);
  const pairs = range(0, RATE * SECONDS).map((frame) => (2 * frame) % REPEATED);

  /** Whether both fields show what they showed, as many frames. */
  async function checkFields(done: Done, frames: readonly number[], region?: Region) {
    const { top, bottom } = await readFields(done.path, region);
    expect(top).toEqual(frames.map((frame) => pairs[frame]));
    expect(bottom).toEqual(frames.map((frame) => ((pairs[frame] ?? 0) + 1) % REPEATED));
    expect(new Set(await fieldFlags(done.path))).toEqual(new Set([flags[source.order]]));
  }

  test('stays interlaced with `never`, also where it is scaled, cropped or cut into segments', async () => {
    const path = await made;
    const all = range(0, RATE * SECONDS);
    const kept = { deinterlace: 'never', quality: 'high' };
    const whole = await operate('transcode', path, { ...kept });
    expect(codes(whole)).not.toContain('source_interlaced');
    await checkFields(whole, all);
    await checkFields(
      await operate('transcode', path, { ...kept, width: 480, height: 272, fit: 'stretch' }),
      all,
    );
    const cropped = await operate('crop', path, { ...kept, x: 80, y: 50, width: 160, height: 92 });
    expect(cropped.data.rectangle).toEqual({ x: 80, y: 48, width: 160, height: 92 });
    const { x, y, width, height } = wholePicture;
    const [w, h] = [picture.width, picture.height];
    await checkFields(cropped, all, {
      ...{ x: (x * w - 80) / 160, y: (y * h - 48) / 92 },
      ...{ width: (width * w) / 160, height: (height * h) / 92 },
    });
    const segments = [
      { start: 1.2, end: 2 },
      { start: 5, end: 6.4 },
    ];
    await checkFields(await operate('cut', path, { ...kept, segments }), [
      ...range(30, 50),
      ...range(125, 160),
    ]);
  }, 120_000);

  const mixed: [OperationName, Record<string, unknown>, RegExp][] = [
    ['transcode', { codec: 'hevc' }, /hevc is encoded in whole frames/],
    ['transcode', { height: 90 }, /this size/],
    ['transcode', { fps: 50 }, /frame rate/],
    ['crop', { aspect_ratio: '1:1', fill: 'pad' }, /background/],
    ['speed', { rate: 2 }, /speed/],
    ['speed', { reverse: true }, /backwards/],
  ];
  test.each(sampled(mixed, 3))(
    'is deinterlaced by %s with %j all the same, and a warning says why',
    async (operation, request, why) => {
      const done = await operate(operation, await made, { ...request, deinterlace: 'never' });
      expect(done.warnings.find(({ code }) => code === 'source_interlaced')?.detail).toMatch(why);
      expect(new Set(await fieldFlags(done.path))).toEqual(new Set(['0,0']));
    },
    120_000,
  );

  test('is deinterlaced with `always`, and nothing is copied', async () => {
    const done = await operate('cut', await made, { start: 1.3, end: 6, deinterlace: 'always' });
    expect(done.data.spans).toMatchObject([{ copied: false, rendered_because: 'deinterlaced' }]);
    expect(new Set(await fieldFlags(done.path))).toEqual(new Set(['0,0']));
  });

  test('is deinterlaced where nothing can be copied next to it', async () => {
    const done = await operate('cut', await made, { start: 0.2, end: 1.2 });
    expect(done.data.spans).toMatchObject([{ copied: false, rendered_because: 'interlaced' }]);
    expect(codes(done)).toContain('source_interlaced');
    expect(new Set(await fieldFlags(done.path))).toEqual(new Set(['0,0']));
  });

  test('is drawn on and joined between copied packets', async () => {
    const path = await made;
    const captioned = await operate('captions_auto', path, {
      captions: '1\n00:00:03,000 --> 00:00:03,500\nHi.\n',
    });
    expect(copied(captioned)).toBeGreaterThan(RATE * 4);
    await checkFields(captioned, range(0, RATE * SECONDS));
    const url = 'https://media.example.com/clip';
    const merged = await operateOn('merge_urls', [path, path], {
      urls: [url, url],
      transition: 'fade',
      duration: 0.4,
    });
    expect(codes(merged)).toContain('source_interlaced');
    expect(copied(merged)).toBeGreaterThan(RATE * 8);
    expect(await complaints(merged.path)).toBe('');
  }, 120_000);
});

test('whole frames of a stream that could hold fields are copied in all modes', async () => {
  const path = join(scratch(), 'fields-fake.mp4');
  await run(programs, 'ffmpeg', [
    ...[
      '-v',
      'error',
      '-nostdin',
      '-y',
      '-i',
      fixture('no-sound.mp4'),
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
    ],
    ...['-x264-params', 'fake-interlaced=1:keyint=30:bframes=2', path],
  ]);
  for (const deinterlace of ['auto', 'never']) {
    const done = await operate('cut', path, { deinterlace, start: 0.5, end: 4.2 });
    expect(codes(done)).not.toContain('source_interlaced');
    expect(copied(done)).toBeGreaterThan(80);
    expect(await readNumbers(done.path)).toEqual(range(15, 126));
    expect(await complaints(done.path)).toBe('');
    expect(new Set(await fieldFlags(done.path))).toEqual(new Set(['0,0']));
  }
}, 60_000);

describe.each(
  sampled(
    [
      ['top', '264'],
      ['bottom', '264'],
      ['top', 'ts'],
      ['bottom', 'mp4'],
      ['top', 'mkv'],
    ] as const,
    3,
  ),
)('fields that are pictures of their own, the %s one first, in a file like %s', (order, extension) => {
  test('are copied, and re-encoded frames stand between them', async () => {
    const stream = join(scratch(), `fields-${order}-${extension}.264`);
    await writeFile(stream, fieldPictures(RATE * SECONDS, GROUP, order));
    const path = stream.replace(/264$/, extension);
    // A packet of these files holds one field.
    const asked = ['-v', 'error', '-nostdin', '-y', '-framerate', `${RATE}`, '-i', stream, '-c', 'copy'];
    if (path !== stream) await run(programs, 'ffmpeg', [...asked, path]);
    const [start, end] = [45, 130];
    const done = await operate('cut', path, { start: start / RATE, end: end / RATE });
    expect(codes(done)).not.toContain('source_interlaced');
    const everything = { x: 0, y: 0, width: 1, height: 1 };
    const { top, bottom } = await readFields(done.path, everything);
    const shown = (late: number) => range(start, end).map((frame) => 2 * frame + late);
    expect(order === 'top' ? [top, bottom] : [bottom, top]).toEqual([shown(0), shown(1)]);
    expect(copied(done)).toBe(end - GROUP);
    expect(await complaints(done.path)).toBe('');
    expect(new Set(await fieldFlags(done.path))).toEqual(new Set([flags[order]]));
  }, 60_000);
});

test('fields that are pictures of their own are deinterlaced where they are re-encoded', async () => {
  const path = join(scratch(), 'fields-whole.264');
  await writeFile(path, fieldPictures(RATE, RATE, 'top'));
  const done = await operate('transcode', path, {});
  expect(codes(done)).toContain('source_interlaced');
  expect(new Set(await fieldFlags(done.path))).toEqual(new Set(['0,0']));
});
