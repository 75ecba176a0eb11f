import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';

const url = 'https://media.example.com/source';
const directory = mkdtempSync(join(tmpdir(), 'spool-test-interlaced-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const at = (name: string) => join(directory, name);

const codings: Record<string, string[]> = {
  'mbaff.mp4': ['-c:v', 'libx264', '-x264-params', 'tff=1', '-flags', '+ildct+ilme', '-g', '30'],
  'mpeg2.mkv': ['-c:v', 'mpeg2video', '-b:v', '6M', '-flags', '+ildct+ilme', '-top', '1'],
};
const FRAMES = 60;

/** Upright bars that move sideways, a field every sixtieth of a second. */
beforeAll(async () => {
  const moving = 'smptehdbars=s=720x480:r=60000/1001:d=2.002,crop=720:240:0:0,scale=720:480,scroll=h=0.02';
  const fields = `${moving},tinterlace=mode=interleave_top,setfield=tff,format=yuv420p`;
  for (const [name, coding] of Object.entries(codings)) {
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', fields, ...coding, at(name)]);
  }
});

/** By how much rows differ from those beside them, on average: near 0 where bars are upright. */
async function combing(path: string, frame: number): Promise<number> {
  const raw = at('rows.gray');
  const pick = `select='eq(n,${frame})',crop=iw:ih/2:0:ih/4,format=gray`;
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', path, '-vf', pick, '-frames:v', '1', '-f', 'rawvideo', raw],
  ]);
  const { width } = await streamOf(path, 'v');
  const pixels = await readFile(raw);
  const [line, height] = [Number(width), pixels.length / Number(width)];
  let sum = 0;
  for (let index = line; index < line * height; index++) {
    sum += Math.abs((pixels[index] ?? 0) - (pixels[index - line] ?? 0));
  }
  return sum / (line * (height - 1));
}

const LEAST_COMBED = 3;
const MOST_CLEAN = 1;
const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

describe.each(sampled(Object.keys(codings), 3))('the fields of %s', (name) => {
  test('are combed where nothing is done about them', async () => {
    expect(await combing(at(name), 20)).toBeGreaterThan(LEAST_COMBED);
  });

  const works: [OperationName, object, number][] = [
    ['transcode', {}, FRAMES],
    ['transcode', { width: 480, height: 320 }, FRAMES],
    ['cut', { deinterlace: 'always', start: 0.5, end: 1.5 }, 30],
    [
      'cut',
      {
        deinterlace: 'always',
        segments: [
          { start: 0.2, end: 0.7 },
          { start: 1, end: 1.5 },
        ],
      },
      30,
    ],
    ['crop', { aspect_ratio: '1:1' }, FRAMES],
    ['captions_auto', { deinterlace: 'always', captions: '1\n00:00:00,500 --> 00:00:01,000\nHi.\n' }, FRAMES],
  ];
  test.each(sampled(works, 3))(
    'become whole frames, as many, in %s with %j',
    async (operation, request, frames) => {
      const done = await operate(operation, at(name), { ...request });
      expect(codes(done)).toContain('source_interlaced');
      const { nb_frames, field_order } = await streamOf(done.path, 'v');
      expect([Number(nb_frames), field_order]).toEqual([frames, 'progressive']);
      for (const frame of [1, 15, 28]) expect(await combing(done.path, frame)).toBeLessThan(MOST_CLEAN);
    },
  );

  test('become whole frames in a merge and in pictures', async () => {
    const merged = await operateOn('merge_urls', [at(name), at(name)], { urls: [url, url], duration: 0.5 });
    expect(codes(merged)).toContain('source_interlaced');
    for (const frame of [10, 58, 90]) expect(await combing(merged.path, frame)).toBeLessThan(MOST_CLEAN);
    const picture = await operate('frame', at(name), { timestamps: [0.7], format: 'png' });
    const last = await operate('frame_last', at(name), { format: 'png' });
    for (const { path, warnings } of [picture, last]) {
      expect(codes({ warnings })).toEqual(['source_interlaced']);
      expect(await combing(path, 0)).toBeLessThan(MOST_CLEAN);
    }
  });
});

test('fields stay as they are where packets are copied, and nothing is said of them', async () => {
  const done = await operate('cut', at('mbaff.mp4'), { start: 0, end: 1, mode: 'keyframe' });
  expect(codes(done)).not.toContain('source_interlaced');
  expect((await streamOf(done.path, 'v')).field_order).toBe('tt');
});

test('fields that are not marked as such become whole frames with `always` only', async () => {
  const unmarked = at('unmarked.mp4');
  const again = ['-vf', 'setfield=prog', '-c:v', 'libx264', '-crf', '12', '-g', '30', unmarked];
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', at('mbaff.mp4'), ...again]);
  const asked = { start: 0.3, end: 1.8 };
  const copied = await operate('cut', unmarked, asked);
  expect(Number(copied.data.copied_seconds)).toBeGreaterThan(0);
  expect(await combing(copied.path, 20)).toBeGreaterThan(LEAST_COMBED);
  const done = await operate('cut', unmarked, { ...asked, deinterlace: 'always' });
  expect(done.data.copied_seconds).toBe(0);
  expect(await combing(done.path, 20)).toBeLessThan(MOST_CLEAN);
});

test('whole frames are copied as ever, and nothing is said of them', async () => {
  const done = await operate('cut', fixture('plain.mp4'), { start: 1.2, end: 4 });
  expect(codes(done)).toEqual([]);
  expect(Number(done.data.copied_seconds)).toBeGreaterThan(1);
});
