import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { pictureHashes } from '../../fixtures/decoded.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { type Done, libav, operate, operateOn } from '../operate.ts';
import { languagesOf } from '../results/tracked.ts';
import { scratch } from '../scratch.ts';
import { drift, measure } from '../timing/distance.ts';

/** MPEG-TS and FLV, in which broadcasts, camcorders and streams are recorded: no index, no codec configuration, sound in frames of its own. */
const RATE = 30;
const PACKET = 188;

const at = (name: string) => join(scratch(), name);
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

async function made(name: string, ...args: string[]): Promise<string> {
  await ffmpeg('-i', fixture('plain.mp4'), ...args, at(name));
  return at(name);
}

const x264 = (params: string) => ['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', params];
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=30:log-level=none'];
const copied = ['-c:v', 'copy', '-c:a', 'copy'];

const sources: Record<string, [name: string, args: string[]]> = {
  'H.264 and AAC in TS': ['plain.ts', copied],
  'the packets of 192 bytes of camcorders': ['plain.m2ts', [...copied, '-mpegts_m2ts_mode', '1']],
  'H.264 and AAC in FLV': ['plain.flv', copied],
  'HEVC in TS': ['hevc.ts', [...hevc, '-c:a', 'copy']],
  'open groups of pictures': [
    'open.ts',
    [...x264('open-gop=1:keyint=25:min-keyint=25:bframes=3:b-adapt=0'), '-c:a', 'copy'],
  ],
  'MPEG audio': ['mp2.ts', ['-c:v', 'copy', '-c:a', 'mp2']],
  'AC-3': ['ac3.ts', ['-c:v', 'copy', '-c:a', 'ac3']],
  'AAC in LATM': ['latm.ts', ['-c:v', 'copy', '-c:a', 'aac', '-mpegts_flags', 'latm']],
  'Opus in TS': ['opus.ts', ['-c:v', 'copy', '-c:a', 'libopus']],
  'no sound': ['mute.ts', ['-c:v', 'copy', '-an']],
  'a clock that begins at 26 hours': ['late.ts', [...copied, '-output_ts_offset', '94000']],
};

/** Of the results: frames 36 to 155. */
const RANGE = { start: 1.2, end: 5.2 };
type Span = typeof RANGE;

const copiedSeconds = ({ data }: Done) => Number(data.copied_seconds);

/** That the result shows the frames of a range, that what counts as copied is the same to the bit, and that picture and sound are together. */
async function expectCopied(done: Done, path: string, { start, end }: Span, heard = true): Promise<void> {
  const numbers = await readNumbers(path);
  const shown = await readNumbers(done.path);
  const frames = Math.round((end - start) * RATE);
  const first = numbers.indexOf(shown[0] ?? -1);
  expect(shown).toEqual(numbers.slice(first, first + frames));
  for (const [index, time] of (await readTimes(done.path)).entries())
    expect(Math.abs(time - index / RATE)).toBeLessThan(0.0011);
  expect(await complaints(done.path)).toBe('');
  const pictures = (await pictureHashes(path)).slice(first);
  const found = await pictureHashes(done.path);
  const same = found.filter((hash, index) => hash === pictures[index]).length;
  expect(same).toBeGreaterThanOrEqual(Math.round(copiedSeconds(done) * RATE));
  if (!heard) return;
  const source = await measure(path);
  const begins = (source.frames[first]?.time ?? 0) - source.origin;
  expect(Math.abs(begins - start)).toBeLessThanOrEqual(0.51 / RATE);
  const apart = drift(source, await measure(done.path));
  expect(apart.length).toBeGreaterThan(2);
  for (const each of apart) expect(Math.abs(each)).toBeLessThan(1.1);
}

describe.each(sampled(Object.entries(sources), 3))('a cut of %s', (what, [name, args]) => {
  test('copies the packets between the frames that are encoded', async () => {
    const path = await made(name, ...args);
    const done = await operate('cut', path, RANGE);
    expect(copiedSeconds(done)).toBeGreaterThan(2.5);
    expect(done.warnings.map(({ code }) => code)).toEqual(what === 'no sound' ? ['audio_missing'] : []);
    await expectCopied(done, path, RANGE, what !== 'no sound');
  }, 60_000);
});

describe('of a transport stream', () => {
  test.each(
    sampled(
      [
        ['shows the top field first', 'tff=1'],
        ['shows the bottom field first', 'bff=1'],
      ],
      3,
    ),
  )(
    'a picture that is interlaced and %s is copied',
    async (_, order) => {
      const interlaced = ['-vf', 'tinterlace=4', ...x264(`interlaced=1:${order}:keyint=15:min-keyint=15`)];
      const path = await made(`${order}.ts`, ...interlaced, '-c:a', 'copy');
      const done = await operate('cut', path, { start: 1.2, end: 5.2 });
      expect(copiedSeconds(done)).toBeGreaterThan(2);
      const found = await pictureHashes(done.path);
      const pictures = await pictureHashes(path);
      const same = found.filter((hash) => pictures.includes(hash)).length;
      expect(same).toBeGreaterThanOrEqual(Math.round((copiedSeconds(done) * RATE) / 2));
      expect(await complaints(done.path)).toBe('');
    },
    60_000,
  );

  const joined = async (args = copied) => {
    const whole = await readFile(await made('whole.ts', ...args));
    await writeFile(at('joined.ts'), whole.subarray(150 * PACKET));
  };

  test.each(
    sampled(
      [
        ['H.264', copied],
        ['MPEG-2', ['-c:v', 'mpeg2video', '-b:v', '1M', '-g', '25', '-bf', '2', '-c:a', 'mp2']],
      ],
      3,
    ),
  )(
    'of %s that was joined within a group of pictures, nothing is expected before the first one that can be decoded',
    async (_, args) => {
      await joined(args);
      const { frames, origin } = await measure(at('joined.ts'));
      const begins = (frames[0]?.time ?? 0) - origin;
      expect(begins).toBeGreaterThan(0.3);
      const voiced = await operate('silence_process', at('joined.ts'), { mode: 'remove' });
      expect((await readNumbers(voiced.path)).length).toBeGreaterThan(10);
      const whole = await operate('transcode', at('joined.ts'), { quality: 'low' });
      expect(await readNumbers(whole.path)).toEqual(frames.map(({ number }) => number));
      expect((await readTimes(whole.path))[0]).toBeCloseTo(begins, 3);
      const fast = await operate('speed', at('joined.ts'), { rate: 1.5 });
      expect((await readNumbers(fast.path))[0]).toBe(frames[0]?.number);
      const still = await operate('frame', at('joined.ts'), { timestamps: [0] });
      expect((still.data.timestamps as number[])[0]).toBeCloseTo(begins, 3);
    },
    120_000,
  );

  test('that was joined within a group of pictures, what can be decoded is copied', async () => {
    await joined();
    const span = { start: 1.5, end: 4.5 };
    const done = await operate('cut', at('joined.ts'), span);
    expect(copiedSeconds(done)).toBeGreaterThan(1.5);
    await expectCopied(done, at('joined.ts'), span);
  }, 60_000);

  test('that lost packets on its way, everything else is copied', async () => {
    const whole = await readFile(await made('lossless.ts', ...copied));
    const hole = 188 * Math.floor(whole.length / 188 / 10);
    await writeFile(
      at('lossy.ts'),
      Buffer.concat([whole.subarray(0, hole), whole.subarray(hole + 5 * PACKET)]),
    );
    const done = await operate('cut', at('lossy.ts'), { start: 2.2, end: 5.2 });
    expect(copiedSeconds(done)).toBeGreaterThan(1.5);
    await expectCopied(done, at('lossy.ts'), { start: 2.2, end: 5.2 });
  }, 60_000);

  test('all sounds are kept with their languages', async () => {
    const args = ['-i', fixture('plain.mp4'), '-map', '0', '-map', '1:a', '-c', 'copy'];
    const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'];
    const path = await made('two.ts', ...args, ...languages);
    const done = await operate('cut', path, RANGE);
    expect(copiedSeconds(done)).toBeGreaterThan(2.5);
    expect(await languagesOf(done.path, 'audio')).toEqual(['eng', 'deu']);
    expect(done.warnings).toEqual([]);
  }, 60_000);

  test('parts are merged without encoding the rest', async () => {
    const path = await made('merged.ts', ...copied);
    const url = 'https://media.example.com/clip';
    const urls = [{ url, start: 0.5 }, { url }];
    const done = await operateOn('merge_urls', [path, path], { urls });
    expect(copiedSeconds(done)).toBeGreaterThan(8);
  }, 60_000);
});

describe('a remux that takes long', () => {
  test.each(
    sampled(
      [
        ['of a transport stream', 'long.ts', 'mpegts', true],
        ['of a program stream, which is decoded for its times', 'long.mpg', 'mpeg', false],
      ] as const,
      3,
    ),
  )(
    '%s says all the time how far it is',
    async (_, name, format, stated) => {
      await ffmpeg(
        '-stream_loop',
        '9',
        '-i',
        fixture('no-sound.mp4'),
        '-c:v',
        'mpeg2video',
        '-bf',
        '2',
        at(name),
      );
      const source = await completeSource({ path: at(name), format });
      const reports: number[] = [];
      const asked = {
        kind: 'contain',
        span: null,
        source: source.parts(),
        file: at(`${name}.mp4`),
        stated,
        fromKey: null,
        decoded: 'none',
      } as const;
      await libav?.ask(asked, { sources: [source], onProgress: (fraction) => reports.push(fraction) });
      const steps = [0, ...reports, 1].map((fraction, index, all) => fraction - (all[index - 1] ?? 0));
      expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
      // A part that says nothing for two minutes is taken for one that hangs.
      expect(Math.max(...steps)).toBeLessThan(stated ? 0.51 : 0.3);
      expect(reports.length).toBeGreaterThan(3);
    },
    120_000,
  );
});
