import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { withoutVui } from '../../fixtures/without-vui.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn, range } from '../operate.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-times-'));
});
afterAll(() => rm(directory, { recursive: true }));

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], {
    cwd: directory,
    timeoutSeconds: 60,
  });

const RATE = 30;
const TICKS = `${RATE * 512}`;

/**
 * A raw stream with B-frames, copied into an mp4: the muxer knows no presentation times and writes decoding times for both. ffmpeg
 * begins before 0, so its edit list hides the first packets; others begin at 0.
 */
function careless(codec: string, raw: string, begin: 'hidden' | 'shown'): Promise<string> {
  return made(`${begin}-${raw}.mp4`, async (name) => {
    const stream = await made(raw, () => encoded(codec, raw));
    const times = begin === 'shown' ? ['-bsf:v', 'setts=ts=N*512', '-video_track_timescale', TICKS] : [];
    await ffmpeg('-r', `${RATE}`, '-i', stream, '-c', 'copy', ...times, name);
  });
}

async function encoded(codec: string, raw: string): Promise<void> {
  const encode = [
    '-t',
    '4',
    '-vf',
    'scale=160:90',
    '-an',
    '-c:v',
    codec,
    '-preset',
    'superfast',
    '-bf',
    '3',
    '-g',
    '30',
  ];
  await ffmpeg('-i', fixture('no-sound.mp4'), ...encode, '-pix_fmt', 'yuv420p', raw);
}

const files = new Map<string, Promise<string>>();

/** The path of a file, which is made when it is first asked for. */
function made(name: string, make: (name: string) => Promise<void>): Promise<string> {
  const making = files.get(name) ?? make(name).then(() => join(directory, name));
  files.set(name, making);
  return making;
}

/**
 * The number of each frame and when ffmpeg shows it; it knows no times for the last ones. The first is shown from the start of the
 * stream on, which an edit list may put before its time. Without libav, that is when the source begins.
 */
async function shownIn(
  path: string,
  from: 'stream' | 'first frame',
): Promise<{ number: number; at: number }[]> {
  const frames = ['-select_streams', 'v', '-show_entries', 'frame=best_effort_timestamp_time'];
  const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', ...frames, '-of', 'csv=p=0', path]);
  const stated = [...stdout.matchAll(/^-?[\d.]+/gm)].map(([text]) => Number(text));
  const numbers = await readNumbers(path);
  expect(numbers).toHaveLength(stated.length);
  const begin = from === 'stream' ? await startOf(path) : (stated[0] ?? 0);
  let last = Number.NEGATIVE_INFINITY;
  return numbers.map((number, index) => {
    const time = stated[index] ?? 0;
    last = time > last ? time : last + 1 / RATE;
    return { number, at: index === 0 ? 0 : last - begin };
  });
}

async function startOf(path: string): Promise<number> {
  const entry = ['-select_streams', 'v', '-show_entries', 'stream=start_time'];
  const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', ...entry, '-of', 'csv=p=0', path]);
  return Number(stdout);
}

/** Expects each operation that reads a file to show its frames, all of them and in parts. */
async function isReadAs(
  path: string,
  shown: readonly { number: number; at: number }[],
  options: Parameters<typeof operate>[3],
): Promise<void> {
  const half = 1 / 2 / RATE;
  const within = (start: number, end: number) =>
    shown.filter(({ at }) => at >= start - half && at < end - half).map(({ number }) => number);
  const numbersIn = (done: { path: string }) => readNumbers(done.path);

  expect(await numbersIn(await operate('cut', path, { start: 0.5, end: 1.5 }, options))).toEqual(
    within(0.5, 1.5),
  );
  expect(await numbersIn(await operate('cut', path, { start: 2.2, end: 3.1 }, options))).toEqual(
    within(2.2, 3.1),
  );
  const whole = shown.map(({ number }) => number);
  expect(await numbersIn(await operate('transcode', path, { format: 'webm' }, options))).toEqual(whole);
  const crop = { x: 0, y: 0, width: '100%', height: '100%' };
  expect(await numbersIn(await operate('crop', path, crop, options))).toEqual(whole);
  const twice = { urls: ['https://media.example.com/1', 'https://media.example.com/2'] };
  const merged = await operateOn('merge_urls', [path, path], twice, options);
  // A merge has a constant frame rate.
  const last = shown.at(-1)?.at ?? 0;
  const even = range(0, Math.round(last * RATE) + 1).map(
    (index) => shown.findLast(({ at }) => at <= index / RATE + half)?.number,
  );
  expect(await numbersIn(merged)).toEqual([...even, ...even]);

  const timestamps = [0, 0.55, 2.95];
  const frames = await operate('frame', path, { timestamps, format: 'png' }, options);
  const stills = await Promise.all(frames.files.map((file) => readNumbers(file.path)));
  expect(stills.flat()).toEqual(timestamps.map((time) => shown.findLast(({ at }) => at <= time)?.number));
  expect(await numbersIn(await operate('frame_last', path, { format: 'png' }, options))).toEqual(
    whole.slice(-1),
  );
}

const withoutLibav = { libav: null };
const engines = [
  ['with libav', {}],
  ['without libav', withoutLibav],
] as const;

describe.each(sampled(engines, 3))('an mp4 with decoding times for presentation times, %s', (_, options) => {
  describe.each(
    sampled(
      [
        ['libx264', 'b-frames.h264'],
        ['libx265', 'b-frames.hevc'],
      ],
      3,
    ),
  )('of %s', (codec, raw) => {
    test.each(sampled(['hidden', 'shown'] as const, 3))(
      'is read as ffmpeg shows it, its first packets %s',
      async (begin) => {
        const path = await careless(codec, raw, begin);
        const shown = await shownIn(path, options === withoutLibav ? 'first frame' : 'stream');
        await isReadAs(path, shown, options);
      },
    );
  });
});

test.each(sampled(['hidden', 'shown'] as const, 3))(
  'an mp4 of H.264 that does not state that it reorders either is read as one that does, its first packets %s',
  async (begin) => {
    const raw = 'b-frames.h264';
    const shown = await shownIn(await careless('libx264', raw, begin), 'stream');
    const bytes = await readFile(join(directory, raw));
    await made('unstated.h264', (name) => writeFile(join(directory, name), withoutVui(bytes)));
    await isReadAs(await careless('libx264', 'unstated.h264', begin), shown, {});
  },
);

async function unordered(container: string): Promise<string> {
  const ordered = await made('ordered.mp4', (name) => encoded('libx264', name));
  return made(`careless.${container}`, async (name) => {
    await ffmpeg('-i', ordered, '-c', 'copy', '-bsf:v', 'h264_mp4toannexb,setts=pts=DTS', name);
  });
}

describe.each(sampled(engines, 3))('a file with decoding times for presentation times, %s', (_, options) => {
  test.each(sampled(['mkv', 'ts', 'flv'], 3))('in %s is read as ffmpeg shows it', async (container) => {
    const path = await unordered(container);
    await isReadAs(path, await shownIn(path, 'first frame'), options);
  });
});

describe.each(sampled(engines, 3))('an MXF that states no order of its pictures, %s', (_, options) => {
  test('shows one in each edit unit, which only the program cannot', async () => {
    const path = await unordered('mxf');
    const encoded = range(0, 4 * RATE).map((number) => ({ number, at: number / RATE }));
    const shown = options === withoutLibav ? await shownIn(path, 'first frame') : encoded;
    await isReadAs(path, shown, options);
  });
});

describe('raw MPEG-4', () => {
  test.each(
    sampled(
      [
        ['film', '0', '1001:30000', (count: number) => (count * 1001) / 30_000],
        ['film with B-frames', '2', '1001:30000', (count: number) => (count * 1001) / 30_000],
        [
          'film without every fifth picture',
          '0',
          '1:30',
          (count: number) => (count + Math.floor((count + 2) / 4)) / 30,
        ],
      ],
      3,
    ),
  )('is shown at the times that its pictures state: %s', async (name, reordered, unit, at) => {
    const path = await made(`${name}.m4v`, async (raw) => {
      const [num, den] = unit.split(':');
      const lost = name.endsWith('picture') ? "select='not(eq(mod(n,5),2))'" : `settb=${num}/${den},setpts=N`;
      const encode = ['-c:v', 'mpeg4', '-q:v', '3', '-g', '12', '-bf', reordered, '-enc_time_base', unit];
      const how = ['-t', '2', '-fps_mode', 'passthrough', '-vf', lost, ...encode, '-f', 'm4v'];
      await ffmpeg('-i', fixture('no-sound.mp4'), ...how, raw);
    });
    const numbers = await readNumbers(path);
    const done = await operate('transcode', path, {});
    expect(await readNumbers(done.path)).toEqual(numbers);
    for (const [count, time] of (await readTimes(done.path)).entries())
      expect(time).toBeCloseTo(at(count), 3);
    const { data } = await operate('probe', path, {});
    expect(data).toMatchObject({ duration: expect.closeTo(at(numbers.length), 1) });
  });
});

/** Keys of SMPTE ST 377-1: of an index table segment, up to its version, and of a fill item. */
const INDEX_KEY = Buffer.from('060e2b34025301010d01020101100100', 'hex');
const FILL_KEY = Buffer.from('060e2b34010101020301021001000000', 'hex');

/** MPEG-2 in MXF whose recording was not ended, so nothing states the times of pictures that others refer to. */
const withoutIndex = () =>
  made('without-index.mxf', async (name) => {
    const encode = ['-t', '4', '-vf', 'scale=160:90', '-an', '-c:v', 'mpeg2video', '-q:v', '2', '-bf', '2'];
    await ffmpeg('-i', fixture('no-sound.mp4'), ...encode, '-g', '12', 'indexed.mxf');
    const bytes = await readFile(join(directory, 'indexed.mxf'));
    for (let at = bytes.indexOf(INDEX_KEY); at !== -1; at = bytes.indexOf(INDEX_KEY, at))
      bytes.set(FILL_KEY, at);
    await writeFile(join(directory, name), bytes);
  });

describe.each(sampled(engines, 3))('an MXF without its index, %s', (_, options) => {
  test('is read as it was encoded', async () => {
    const shown = range(0, 4 * RATE).map((number) => ({ number, at: number / RATE }));
    await isReadAs(await withoutIndex(), shown, options);
  });
});

test.each(sampled(['mp4', 'mkv'], 3))(
  'an MXF without its index is copied to %s with the times of its frames',
  async (format) => {
    const done = await operate('remux', await withoutIndex(), { format });
    expect(await readNumbers(done.path)).toEqual(range(0, 4 * RATE));
    const times = await readTimes(done.path);
    for (const [index, time] of times.entries()) expect(time - (times[0] ?? 0)).toBeCloseTo(index / RATE, 2);
  },
);

describe('a stream that begins with pictures that are shown before its first one', () => {
  /** Where the second group of a raw stream begins, by the bytes of its header. */
  async function fromSecond(raw: string, header: number[], to: string, change = (_: Buffer) => {}) {
    const bytes = await readFile(join(directory, raw));
    const first = bytes.indexOf(Buffer.from(header));
    const rest = Buffer.from(bytes.subarray(bytes.indexOf(Buffer.from(header), first + 4)));
    change(rest);
    await writeFile(join(directory, to), rest);
  }
  const small = ['-t', '4', '-vf', 'scale=160:90', '-an', '-pix_fmt', 'yuv420p'];

  test.each(sampled(['radl.hevc', 'closed.m2v', 'closed.mpg'], 3))(
    'and can be decoded is read: %s',
    async (name) => {
      const path = await made(name, async () => {
        if (name === 'radl.hevc') {
          const x265 =
            'log-level=none:open-gop=0:radl=2:keyint=30:min-keyint=30:scenecut=0:bframes=3:repeat-headers=1';
          await ffmpeg(
            '-i',
            fixture('no-sound.mp4'),
            ...small,
            '-c:v',
            'libx265',
            '-x265-params',
            x265,
            'whole.hevc',
          );
          await fromSecond('whole.hevc', [0, 0, 0, 1, 0x40, 0x01], name);
          return;
        }
        await ffmpeg(
          '-i',
          fixture('no-sound.mp4'),
          ...small,
          '-c:v',
          'mpeg2video',
          '-bf',
          '2',
          '-g',
          '30',
          'whole.m2v',
        );
        await fromSecond('whole.m2v', [0, 0, 1, 0xb3], 'closed.m2v', (bytes) => {
          // `closed_gop` of its first group.
          const group = bytes.indexOf(Buffer.from([0, 0, 1, 0xb8]));
          bytes[group + 7] = (bytes[group + 7] ?? 0) | 0x40;
        });
        if (name === 'closed.mpg')
          await ffmpeg('-f', 'mpegvideo', '-i', 'closed.m2v', '-c', 'copy', '-f', 'mpeg', name);
      });
      const done = await operate('transcode', path, { codec: 'h264' });
      const numbers = await readNumbers(done.path);
      // All 90 from the second group on, and before them the leading ones, which MPEG-2 of ffmpeg codes from frames that are not there.
      expect(numbers.slice(-90)).toEqual(range(30, 120));
      expect(numbers.length).toBeGreaterThan(90);
      for (const [index, time] of (await readTimes(done.path)).entries())
        expect(time).toBeCloseTo(index / RATE, 2);
    },
  );
});
