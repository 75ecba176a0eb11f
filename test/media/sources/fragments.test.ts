import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** mp4 in fragments of a second. They are too large for all to be read in search of the last one. */

const FRAMES = 180;
const SECONDS = 6;
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
const path = (name: string) => join(scratch(), name);

const codecs: Record<string, string[]> = {
  'h264.mp4': ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '4', '-c:a', 'aac'],
  'mpeg4.mp4': ['-c:v', 'mpeg4', '-q:v', '1', '-c:a', 'mp2'],
};
const flags: Record<string, string> = {
  'whose offsets count from the fragment': 'frag_keyframe+empty_moov+default_base_moof',
  'whose offsets count from the start of the file': 'frag_keyframe+empty_moov',
  'the first of which is in the header': 'frag_keyframe',
};

beforeAll(async () => {
  for (const [name, args] of Object.entries(codecs))
    await ffmpeg(
      '-i',
      fixture('plain.mp4'),
      '-vf',
      'noise=alls=9:all_seed=1',
      '-g',
      '30',
      ...args,
      path(name),
    );
}, 60_000);

describe.each(sampled(Object.keys(codecs), 3))('fragments of %s', (whole) => {
  test.each(sampled(Object.entries(flags), 3))('%s are found to the last', async (_, movflags) => {
    const source = path(`fragments-${movflags}-${whole}`);
    await ffmpeg('-i', path(whole), '-c', 'copy', '-movflags', movflags, source);
    const probed = await operate('probe', source, {});
    expect(Math.abs(Number(probed.data.duration) - SECONDS)).toBeLessThan(0.15);
    const cut = await operate('cut', source, { start: 5, end: 7 });
    const numbers = await readNumbers(cut.path);
    expect(numbers.at(-1)).toBe(FRAMES - 1);
    expect(Math.abs(numbers.length - 30)).toBeLessThan(4);
  });
});

test('fragments that do not state their time are counted from the first one', async () => {
  const [timed, source] = [path('timed.mp4'), path('untimed.mp4')];
  const fragments = 'frag_keyframe+empty_moov+default_base_moof';
  await ffmpeg('-i', path('h264.mp4'), '-c', 'copy', '-movflags', fragments, timed);
  const bytes = await readFile(timed);
  for (let at = bytes.indexOf('tfdt'); at > 0; at = bytes.indexOf('tfdt', at)) bytes.write('free', at);
  await writeFile(source, bytes);
  expect((await operate('probe', source, {})).data.duration).toBeCloseTo(SECONDS, 1);
  const cutOf = async (file: string) =>
    readNumbers((await operate('cut', file, { start: 4.5, end: 5.5 })).path);
  expect(await cutOf(source)).toEqual(await cutOf(timed));
});

test('pictures of fragments are found where keyframes are decoded earlier than others are shown', async () => {
  const source = path('open.mp4');
  const open = 'keyint=5:min-keyint=1:open-gop=1:bframes=4:scenecut=0:log-level=none';
  const encode = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', open, '-tag:v', 'hvc1', '-an'];
  await ffmpeg('-i', fixture('plain.mp4'), '-t', '1', ...encode, '-movflags', 'frag_every_frame', source);
  const frames = [1, 4, 8, 11, 14, 17, 22];
  const timestamps = frames.map((frame) => Number(((frame + 0.5) / 30).toFixed(3)));
  const done = await operate('frame', source, { timestamps, format: 'png' });
  const numbers = await Promise.all(done.files.map(async (picture) => (await readNumbers(picture.path))[0]));
  expect(numbers).toEqual(frames);
});
