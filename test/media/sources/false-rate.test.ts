import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';

const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

test('the last picture of a segment that states a false frame rate is not lost', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'spool-false-rate-'));
  try {
    const source = join(directory, 'source.ts');
    const encode = ['-vf', 'fps=24', '-c:v', 'libx264', '-bf', '3', '-b_strategy', '0', '-frames:v', '41'];
    // Of a million frames a second; times in whole milliseconds.
    const bsf = "h264_metadata=tick_rate=2000000,setts=pts='floor(PTS/90)*90':dts='floor(DTS/90)*90'";
    await ffmpeg('-i', fixture('plain.mp4'), ...encode, '-bsf:v', bsf, '-c:a', 'aac', '-t', '1.72', source);
    const numbers = await readNumbers(source);
    expect(numbers).toHaveLength(41);
    const made = await operate('cut', source, { segments: [{ start: 0.5, end: 2 }] });
    expect((await readNumbers(made.path)).at(-1)).toBe(numbers.at(-1));
    const last = await operate('frame_last', source, { format: 'png' });
    expect(await readNumbers(last.path)).toEqual(numbers.slice(-1));
    const whole = await operate('transcode', source, {});
    expect(await readNumbers(whole.path)).toEqual(numbers);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

/** An element of 4 bytes, in nanoseconds. */
const DEFAULT_DURATION = Buffer.from([0x23, 0xe3, 0x83, 0x84]);

test.each(
  sampled(
    [
      ['longer', 200_000_000],
      ['shorter', 10_000_000],
    ],
    3,
  ),
)(
  'frames of Matroska that follow one another faster or slower than it states are counted by their times, if it states a %s one',
  async (_, stated) => {
    const directory = await mkdtemp(join(tmpdir(), 'spool-false-rate-'));
    try {
      const source = join(directory, 'source.mkv');
      const encode = ['-an', '-c:v', 'libx264', '-bf', '3', '-frames:v', '75', '-r', '25'];
      await ffmpeg('-i', fixture('plain.mp4'), ...encode, source);
      const numbers = await readNumbers(source);
      const bytes = await readFile(source);
      bytes.writeUInt32BE(stated, bytes.indexOf(DEFAULT_DURATION) + DEFAULT_DURATION.length);
      await writeFile(source, bytes);
      const whole = await operate('transcode', source, {});
      expect(whole.time_map).toEqual([{ source: 0, in: [0, 3], out: [0, 3] }]);
      expect(await readNumbers(whole.path)).toEqual(numbers);
      const joined = await operateOn('merge_urls', [source, fixture('no-sound.mp4')], {
        urls: ['https://a.example/1', 'https://a.example/2'],
      });
      expect((await readNumbers(joined.path)).slice(0, 75)).toEqual(numbers);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
);

/** With 30 frames a second at first, and another rate from frame 125 on, of which Matroska states a false or the average duration. */
async function restated(directory: string, after: number, nanoseconds: number): Promise<string> {
  const source = join(directory, 'source.mkv');
  const times = `setpts='if(lt(N,125),N/30,125/30+(N-125)/${after})/TB'`;
  const frames = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=30', '-frames:v', '225'];
  const encode = [
    '-c:v',
    'libx264',
    '-bf',
    '2',
    '-g',
    '30',
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1/1000',
  ];
  await ffmpeg(...frames, '-vf', times, ...encode, source);
  const bytes = await readFile(source);
  bytes.writeUInt32BE(nanoseconds, bytes.indexOf(DEFAULT_DURATION) + DEFAULT_DURATION.length);
  await writeFile(source, bytes);
  return source;
}

test.each([
  ['an average is kept where the last frames are slower than the first', 10, 62_962_963, 15.882],
  ['a false one is corrected where all frames are as fast', 30, 62_962_963, 30],
])('of the frame rates that Matroska states, %s', async (_, after, nanoseconds, fps) => {
  const directory = await mkdtemp(join(tmpdir(), 'spool-false-rate-'));
  try {
    const { data } = await operate('probe', await restated(directory, after, nanoseconds), {});
    const [video] = data.streams as { frame_rate: string }[];
    const [count = 0, seconds = 1] = (video?.frame_rate ?? '').split('/').map(Number);
    expect(count / seconds).toBeCloseTo(fps, 1);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
