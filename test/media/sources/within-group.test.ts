import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Recordings that begin with packets of which nothing can be decoded, because their keyframe came before the recording began. */

/** Packets left out, and the first frame that can be decoded. */
const [LOST, FIRST, LAST] = [10, 30, 179];
const RATE = 30;

const h264 = ['-c:v', 'copy', '-c:a', 'copy'];
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=30:log-level=none'];
const vpx = ['-deadline', 'realtime', '-cpu-used', '8', '-g', '30', '-b:v', '1M', '-c:a', 'libopus'];
const fragmented = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'];

const recordings: Record<string, [name: string, args: string[], more?: string[]]> = {
  'H.264 in mp4': ['h264.mp4', h264],
  'H.264 in fragments of mp4': ['fragments.mp4', h264, fragmented],
  'H.264 in mov': ['h264.mov', h264],
  'H.264 in Matroska': ['h264.mkv', h264],
  'HEVC in mp4': ['hevc.mp4', [...hevc, '-tag:v', 'hvc1', '-c:a', 'copy']],
  'HEVC in Matroska': ['hevc.mkv', [...hevc, '-c:a', 'copy']],
  'VP8 in WebM': ['vp8.webm', [...VP8, ...vpx]],
  'VP9 in WebM': ['vp9.webm', ['-c:v', 'libvpx-vp9', ...vpx]],
};
/** Whose packets can be copied. */
const spliced = /^h/;

const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

async function recorded(
  name: string,
  args: readonly string[],
  more: readonly string[] = [],
): Promise<string> {
  const [whole, path] = [join(scratch(), `whole-${name}`), join(scratch(), name)];
  await ffmpeg('-i', fixture('plain.mp4'), ...args, whole);
  await ffmpeg('-i', whole, '-c', 'copy', '-bsf:v', `noise=drop='lt(n,${LOST})'`, ...more, path);
  return path;
}

const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

describe.each(sampled(Object.entries(recordings), 4))(
  '%s that begins within a group of pictures',
  (_, recording) => {
    test('shows what can be decoded, in every operation', async () => {
      const path = await recorded(...recording);
      const start = await operate('cut', path, { start: 0, end: 3.01 });
      expect(await readNumbers(start.path)).toEqual(from(FIRST, 89));
      expect((await readTimes(start.path))[0]).toBeCloseTo(FIRST / RATE, 1);
      const middle = await operate('cut', path, { start: 1.51, end: 4.51 });
      expect(await readNumbers(middle.path)).toEqual(from(45, 134));
      if (spliced.test(recording[0])) expect(Number(middle.data.copied_seconds)).toBeGreaterThan(1);
      const whole = await operate('transcode', path, { quality: 'low' });
      expect(await readNumbers(whole.path)).toEqual(from(FIRST, LAST));
      const voiced = await operate('silence_process', path, { mode: 'remove' });
      expect((await readNumbers(voiced.path)).length).toBeGreaterThan(10);
      const fast = await operate('speed', path, { rate: 1.5 });
      expect((await readNumbers(fast.path))[0]).toBe(FIRST);
      const still = await operate('frame', path, { timestamps: [0] });
      expect((still.data.timestamps as number[])[0]).toBeCloseTo(FIRST / RATE, 1);
    }, 120_000);
  },
);

const grouped = ['-g', '30', '-bf', '2', '-q:v', '4', '-c:a', 'mp2'];
const open = 'keyint=30:scenecut=0:bframes=2:b-adapt=0:open-gop=1';
const opened: Record<string, [container: string, args: string[]]> = {
  'H.264 in Matroska': [
    'mkv',
    ['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', open, '-c:a', 'aac'],
  ],
  'MPEG-1 in MPEG-TS': ['ts', ['-c:v', 'mpeg1video', ...grouped]],
  'MPEG-2 in Matroska': ['mkv', ['-c:v', 'mpeg2video', ...grouped]],
  'MPEG-4 in Matroska': ['mkv', ['-c:v', 'mpeg4', ...grouped]],
  'MPEG-4 in MPEG-TS': ['ts', ['-c:v', 'mpeg4', ...grouped]],
};

describe.each(sampled(Object.entries(opened), 4))(
  '%s that begins with an open group of pictures',
  (_, [container, args]) => {
    test('has no frames of the pictures whose references are missing', async () => {
      const [whole, path] = [join(scratch(), 'whole.ts'), join(scratch(), `open.${container}`)];
      await ffmpeg('-i', fixture('plain.mp4'), ...args, whole);
      const listed = await run(programs, 'ffprobe', [
        ...['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=flags', '-of', 'csv=p=0', whole],
      ]);
      const second = listed.stdout.split('\n').findIndex((flags, at) => at > 0 && flags.startsWith('K'));
      const lost = `noise=drop='lt(n,${second})'`;
      await ffmpeg('-copyts', '-i', whole, '-map', '0', '-c', 'copy', '-bsf:v', lost, path);
      const transcoded = await operate('transcode', path, { quality: 'low' });
      const [first = 0, ...others] = await readNumbers(transcoded.path);
      expect(first).toBeGreaterThan(10);
      expect(others).toEqual(from(first + 1, LAST));
      const start = await operate('cut', path, { start: 0, end: 4 });
      const numbers = await readNumbers(start.path);
      expect(numbers).toEqual(from(first, numbers.at(-1) ?? 0));
      const voiced = await operate('silence_process', path, { mode: 'remove' });
      expect((await readNumbers(voiced.path)).length).toBeGreaterThan(10);
    }, 120_000);
  },
);

test('a picture that decodes without a keyframe is shown from its first frame on', async () => {
  // Every frame refreshes a part of the picture; no packet is marked as a keyframe but the first one.
  const path = join(scratch(), 'refreshed.mp4');
  const refreshed = ['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', 'intra-refresh=1:keyint=30'];
  await ffmpeg('-i', fixture('plain.mp4'), ...refreshed, '-c:a', 'copy', path);
  const done = await operate('transcode', path, { quality: 'low' });
  expect(await readNumbers(done.path)).toEqual(from(0, LAST));
});

test('a picture that is shown for 20 s in WebM is not the end of one of several recordings', async () => {
  // Both tracks go on 20 s later from the keyframe at 3 s.
  const later = (packet: number) =>
    `setts=pts='PTS+if(gte(N,${packet}),20/TB)':dts='DTS+if(gte(N,${packet}),20/TB)'`;
  const pause = ['-bsf:v', `noise=drop='lt(n,${LOST})',${later(90 - LOST)}`, '-bsf:a', later(150)];
  const path = await recorded('pause.webm', [...VP8, ...vpx], pause);
  const { path: made } = await operate('cut', path, { start: 0, end: 30 });
  const [numbers, times] = [await readNumbers(made), await readTimes(made)];
  expect(numbers).toEqual(from(FIRST, LAST));
  expect((times[numbers.indexOf(90)] ?? 0) - (times[numbers.indexOf(89)] ?? 0)).toBeCloseTo(20 + 1 / RATE, 1);
});
