import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { pulsesIn, readNumbers, readPulses, readSound, readTimes } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-readers-'));
});
afterAll(() => rm(directory, { recursive: true }));

const MASTER = fixture('master.nut');
const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', '-bf', '3', '-pix_fmt', 'yuv420p'];
const x265 = [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  ...['-x265-params', 'log-level=0:keyint=30:bframes=3'],
];
const mpeg2 = ['-c:v', 'mpeg2video', '-g', '12', '-bf', '2', '-q:v', '3'];
const pal = ['-vf', 'fps=25,scale=720:576', '-pix_fmt', 'yuv420p', '-r', '25'];
const ntsc = ['-vf', 'fps=30000/1001,scale=720:480', '-pix_fmt', 'yuv411p', '-r', '30000/1001'];
const dvSound = ['-c:a', 'pcm_s16le', '-ar', '48000', '-ac', '2'];
const vp9 = ['-c:v', 'libvpx-vp9', '-cpu-used', '8', '-deadline', 'realtime', '-b:v', '500k', '-g', '30'];
const vp8 = [
  ...VP8,
  '-cpu-used',
  '8',
  '-b:v',
  '500k',
  '-g',
  '30',
  '-auto-alt-ref',
  '1',
  '-lag-in-frames',
  '8',
];

/** Pictures and sound in what few browsers play, by name of the file. */
const films: Record<string, string[]> = {
  'wmv2.wmv': ['-c:v', 'wmv2', '-b:v', '900k', '-c:a', 'wmav2'],
  'wmv1.wmv': ['-c:v', 'wmv1', '-b:v', '900k', '-c:a', 'wmav1'],
  'msmpeg4.asf': ['-c:v', 'msmpeg4', '-b:v', '900k', '-c:a', 'libmp3lame'],
  'h264.asf': [...x264, '-c:a', 'aac'],
  'mpeg1.mpg': ['-c:v', 'mpeg1video', '-bf', '2', '-q:v', '3', '-c:a', 'mp2', '-f', 'mpeg'],
  'mpeg2.vob': [...mpeg2, '-c:a', 'ac3', '-f', 'vob'],
  'h264.mpg': [...x264, '-c:a', 'mp2', '-f', 'mpeg'],
  'pal.dv': [...pal, '-c:v', 'dvvideo', ...dvSound],
  'ntsc.dv': [...ntsc, '-c:v', 'dvvideo', ...dvSound],
  'mpeg2.mxf': [...mpeg2, '-c:a', 'pcm_s16le', '-f', 'mxf'],
  'h263.3gp': ['-s', '352x288', '-c:v', 'h263', '-b:v', '900k', '-c:a', 'aac'],
};
const silent: Record<string, string[]> = {
  'vp8.ivf': vp8,
  'vp9.ivf': vp9,
  'av1.ivf': ['-c:v', 'libsvtav1', '-preset', '12', '-g', '30', '-svtav1-params', 'lookahead=16'],
  'raw.h264': x264,
  'raw-interlaced.h264': [...x264, '-s', '160x96', '-x264-params', 'interlaced=1'],
  'raw.h265': x265,
  'raw.m2v': mpeg2,
  'raw.m1v': ['-c:v', 'mpeg1video', '-bf', '2', '-q:v', '3'],
  'raw.m4v': ['-c:v', 'mpeg4', '-g', '12', '-bf', '2', '-q:v', '3', '-f', 'm4v'],
  'raw.obu': ['-c:v', 'libsvtav1', '-preset', '12', '-g', '30'],
};
const sounds: Record<string, string[]> = {
  'pcm.aiff': ['-c:a', 'pcm_s16be'],
  'float.aifc': ['-c:a', 'pcm_f32be', '-f', 'aiff'],
  'pcm.au': ['-c:a', 'pcm_s16be'],
  'pcm.caf': ['-c:a', 'pcm_s16le'],
  'alac.caf': ['-c:a', 'alac'],
  'wavpack.wv': ['-c:a', 'wavpack'],
  'dolby.ac3': ['-c:a', 'ac3'],
  'dolby.eac3': ['-c:a', 'eac3'],
};

/** Three seconds; large pictures alone where the codec wants them. */
async function make(name: string, args: string[]): Promise<string> {
  const path = join(directory, name);
  const small = args.includes('-vf') || args.includes('-s') ? [] : ['-s', '160x90'];
  const head = ['-v', 'error', '-nostdin', '-y', '-bitexact', '-i', MASTER, '-t', '3', ...small];
  await run(programs, 'ffmpeg', [...head, ...args, path], { cwd: directory, timeoutSeconds: 60 });
  return path;
}

/** Within 5 ms. */
const close = (seconds: number) => expect.closeTo(seconds, 2);

/** The first number that ffprobe prints; NaN where there is none. */
async function probed(path: string, ...entries: string[]): Promise<number> {
  const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', ...entries, '-of', 'csv=p=0', path]);
  return Number.parseFloat(stdout);
}

/** When the container says that it begins, and when the first sound is heard. */
const statedStart = (path: string) => probed(path, '-show_entries', 'format=start_time');
const firstSound = (path: string) =>
  probed(path, '-select_streams', 'a', '-read_intervals', '%+#3', '-show_entries', 'frame=pts_time');

/** What ffmpeg shows when it decodes all of it, at which second from the file's first picture or sound, which stands at `zero`. */
async function decodedFrames(path: string, rate: number | null) {
  const numbers = await readNumbers(path);
  const stated = rate === null ? await readTimes(path) : numbers.map((_, index) => index / rate);
  const first = stated.findIndex((time) => !Number.isNaN(time));
  // Where few frames say when they are shown, the rest follow at the rate that all films here have.
  const times = stated.some(Number.isNaN)
    ? numbers.map((_, index) => (stated[first] ?? 0) + (index - first) / 30)
    : stated;
  const starts = [times[0] ?? 0, rate === null ? await firstSound(path) : Number.NaN];
  const zero = Math.min(...starts.filter((start) => !Number.isNaN(start)));
  return { zero, frames: numbers.map((number, index) => ({ number, at: (times[index] ?? 0) - zero })) };
}

const raw = (name: string) => name.startsWith('raw');

describe.each(sampled(Object.entries({ ...films, ...silent }), 3))(
  '%s is read as ffmpeg decodes it',
  (name, args) => {
    const hasSound = name in films;
    const [from, to] = [0.6322, 1.6322];

    test('probed, cut, drawn and transcoded', { timeout: 120_000 }, async () => {
      const path = await make(name, hasSound ? args : ['-an', ...args]);
      const rate = raw(name) ? (name.endsWith('obu') ? 25 : 30) : null;
      const { zero, frames } = await decodedFrames(path, rate);
      const half = (frames[1]?.at ?? 0) / 2 - (frames[0]?.at ?? 0) / 2;
      const numbers = frames.map(({ number }) => number);

      const { data } = await operate('probe', path, {});
      const end = (frames.at(-1)?.at ?? 0) + 2 * half;
      expect.soft((data as { duration: number }).duration, 'duration').toBeGreaterThan(end - 0.1);
      expect.soft((data as { duration: number }).duration, 'duration').toBeLessThan(end + 0.1);

      const { path: cut } = await operate('cut', path, { start: from, end: to });
      const wanted = frames.filter(({ at }) => at >= from - half && at < to - half);
      expect.soft(await readNumbers(cut), 'cut').toEqual(wanted.map(({ number }) => number));

      const { path: whole } = await operate('transcode', path, { format: 'mp4' });
      expect.soft(await readNumbers(whole), 'transcoded').toEqual(numbers);

      const { path: frame } = await operate('frame', path, { timestamps: [from] });
      const shown = frames.filter(({ at }) => at <= from).at(-1);
      expect.soft(await readNumbers(frame), 'frame').toEqual([shown?.number]);
      const { path: last } = await operate('frame_last', path, {});
      expect.soft(await readNumbers(last), 'last frame').toEqual([numbers.at(-1)]);

      if (!hasSound) return;
      const before = from + zero - ((await statedStart(path)) || 0);
      const heard = (await readPulses(path))
        .map((at) => at - before)
        .filter((at) => at > 0.02 && at < to - from);
      const pulses = (await readPulses(cut)).filter((at) => at > 0.02);
      expect.soft(pulses.length, 'pulses of the cut').toBe(heard.length);
      // The sound goes with its picture to the nearest frame.
      for (const [index, at] of pulses.entries()) {
        expect.soft(Math.abs(at - (heard[index] ?? 0)), 'sound of the cut').toBeLessThan(half + 0.003);
      }
    });
  },
);

describe.each(sampled(Object.entries(sounds), 3))('%s', (name, args) => {
  test('is read', { timeout: 60_000 }, async () => {
    const path = await make(name, ['-vn', ...args]);
    const whole = await readSound(path);
    const { data } = await operate('probe', path, {});
    // CAF counts whole packets, of ALAC 4096 samples each.
    const packet = name === 'alac.caf' ? 4096 / 48_000 : 0.0005;
    const { duration } = data as { duration: number };
    expect(duration).toBeGreaterThan(whole.length / 48_000 - 0.0005);
    expect(duration).toBeLessThan(whole.length / 48_000 + packet);
    const { path: cut } = await operate('cut', path, { audio_url: 'yes', start: 0.5, end: 2.5 });
    const heard = pulsesIn(whole).map((at) => at - 0.5);
    expect(pulsesIn(await readSound(cut))).toEqual(heard.filter((at) => at > 0 && at < 2).map(close));
  });
});
