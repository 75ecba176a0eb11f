import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { operate, operateOn } from '../operate.ts';

let directory: string;
let source: string;
let numbers: number[];

/** When a recording of a screen ends on which less happens in the end: 0.8 s of 30 frames a second, then one a second. */
const END = 8.8 + 1 / 30;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-long-last-'));
  source = join(directory, 'source.mp4');
  const slow = "trim=end_frame=33,setpts='if(lt(N,24),N/30,0.8+N-24)/TB'";
  const reordered = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3', '-b_strategy', '0', '-g', '60'];
  const args = ['-an', '-vf', slow, '-fps_mode', 'vfr', ...reordered, source];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), ...args]);
  numbers = await readNumbers(source);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('a recording whose last frames are shown for long lasts until the end of the last one', async () => {
  const { data } = await operate('probe', source, {});
  expect(data.duration).toBeCloseTo(END, 2);
  expect(data.keyframe_interval).toMatchObject({ count: 1, max: expect.closeTo(END, 2) });
});

test('its last frame can be had at its time', async () => {
  const made = await operate('frame', source, { timestamps: [END - 0.01], format: 'png' });
  expect(await readNumbers(made.path)).toEqual(numbers.slice(-1));
});

test('it is rendered to its end', async () => {
  const made = await operate('crop', source, { x: 0, y: 0, width: 64, height: 64 });
  expect(made.duration).toBeCloseTo(END, 1);
  expect(await readTimes(made.path)).toHaveLength(numbers.length);
});

test('it is merged to its end, and no longer', async () => {
  const urls = ['https://a.example/1', 'https://a.example/2'];
  const made = await operateOn('merge_urls', [source, source], { video_urls: urls });
  expect(Math.abs((made.duration ?? 0) - 2 * END)).toBeLessThan(0.1);
});

describe('a recording of a screen that states that its last frame is shown for a second', () => {
  const STOPPED = 4;
  let stopped: string;

  beforeAll(async () => {
    stopped = join(directory, 'stopped.mp4');
    const slow = "trim=end_frame=34,setpts='(N/30+gte(N,1)*0.6667+gte(N,20)*0.7+gte(N,33)*0.5333)/TB'";
    const last = 'setts=duration=if(eq(NEXT_PTS\\,NOPTS)\\,1/TB\\,DURATION)';
    const coded = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0', '-video_track_timescale', '30000'];
    const args = [
      '-an',
      '-vf',
      slow,
      '-fps_mode',
      'vfr',
      '-enc_time_base',
      '1:30000',
      ...coded,
      '-bsf:v',
      last,
    ];
    const made = [...args, stopped];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), ...made]);
  });

  test.each<['crop' | 'transcode' | 'speed' | 'cut', Record<string, unknown>]>([
    ['crop', { width: 64, height: 64 }],
    ['crop', { width: 64, height: 64, format: 'mkv' }],
    ['transcode', { height: 90, codec: 'hevc' }],
    ['speed', { flip: 'horizontal', format: 'mkv' }],
    ['speed', { flip: 'horizontal', format: 'webm' }],
    ['cut', { segments: [{ start: 0, end: STOPPED }], format: 'webm' }],
  ])('is rendered to its end by %s %j', async (operation, request) => {
    const made = await operate(operation, stopped, request);
    expect(made.duration).toBeCloseTo(STOPPED, 1);
    const times = await readTimes(made.path);
    expect(times).toHaveLength(34);
    expect(times[33]).toBeCloseTo(STOPPED - 1, 1);
  });

  test.each(['mkv', 'webm'])('and is played backwards in %s', async (format) => {
    const made = await operate('speed', stopped, { reverse: true, format });
    expect(made.duration).toBeCloseTo(STOPPED, 1);
    const times = await readTimes(made.path);
    expect([times[1], times[33]]).toEqual([expect.closeTo(1, 1), expect.closeTo(STOPPED - 0.7, 1)]);
  });

  test('and at other rates in parts', async () => {
    const ranges = [{ start: 3, end: STOPPED, rate: 0.5 }];
    const made = await operate('speed', stopped, { ranges, format: 'webm' });
    expect(made.duration).toBeCloseTo(STOPPED + 1, 1);
  });
});
