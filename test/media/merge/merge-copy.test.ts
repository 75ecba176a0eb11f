import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { LibavFailure } from '../../../transcoder/media/libav/pool.ts';
import { pulsesIn, readNumbers, readSound, readTimes, streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints, likeness, packetHashes, packetTimes } from '../../fixtures/packets.ts';
import { sampled, thorough } from '../../sampled.ts';
import { type Done, operateOn, range } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-merge-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const url = 'https://media.example.com/clip';
const RATE = 30;
const SECONDS = 9;
const path = (name: string) => join(directory, name);

/** Frames of a fixture from `first` on, at 30 a second, with its sound. */
function make(name: string, first: number, params: string, ...more: string[]): Promise<unknown> {
  const start = (first * 1001) / 30_000;
  return run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('pauses.mp4'), '-t', `${SECONDS}`],
    ...['-vf', `trim=start_frame=${first},settb=1/${RATE},setpts=N`, '-fps_mode', 'passthrough'],
    ...['-enc_time_base:v', `1:${RATE}`, '-af', `atrim=start=${start},asetpts=N/SR/TB`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-x264-params', params],
    ...['-c:a', 'aac', ...more, path(name)],
  ]);
}

const ALIKE = 'keyint=45:bframes=3:scenecut=0';
const firsts = [0, 1000, 2000] as const;
const alike = firsts.map((first) => path(`from-${first}.mp4`));
beforeAll(async () => {
  await Promise.all([
    ...firsts.map((first) => make(`from-${first}.mp4`, first, ALIKE)),
    make('other.mp4', 3000, 'keyint=45:bframes=0:ref=2'),
    make('small.mp4', 3000, ALIKE, '-s', '160x90'),
  ]);
}, 120_000);

type Clip = string | { path: string; start?: number; end?: number };

function merge(clips: readonly Clip[], request: Record<string, unknown> = {}, libav?: null): Promise<Done> {
  const files = clips.map((clip) => (typeof clip === 'string' ? clip : clip.path));
  const urls = clips.map((clip) => (typeof clip === 'string' ? url : { ...clip, path: undefined, url }));
  return operateOn(
    'merge_urls',
    files,
    { ...request, urls: JSON.parse(JSON.stringify(urls)) },
    { ...(libav === null ? { libav } : {}) },
  );
}

interface Merged {
  copied_seconds: number;
  rendered_seconds: number;
}
const dataOf = (done: Done) => done.data as unknown as Merged;

/** Packets of the result that are, byte by byte, packets of these files. */
async function taken(done: Done, files: readonly string[]): Promise<number> {
  const known = new Set((await Promise.all(files.map(packetHashes))).flat());
  return (await packetHashes(done.path)).filter((hash) => known.has(hash)).length;
}

async function expectSound(done: Done, frames: number) {
  const packets = await packetTimes(done.path);
  expect(packets).toHaveLength(frames);
  for (const [index, { pts, dts }] of packets.entries()) {
    expect(pts).toBeGreaterThanOrEqual(dts);
    if (index > 0) expect(dts).toBeGreaterThan(packets[index - 1]?.dts ?? dts);
  }
  for (const [index, time] of (await readTimes(done.path)).entries())
    expect(time).toBeCloseTo(index / RATE, 4);
  expect(await complaints(done.path)).toBe('');
  const [video, audio] = [await streamOf(done.path, 'v'), await streamOf(done.path, 'a')];
  expect(Number(video.duration)).toBeCloseTo(frames / RATE, 3);
  expect(Math.abs(Number(audio.duration) - frames / RATE)).toBeLessThan(0.001);
  const { copied_seconds, rendered_seconds } = dataOf(done);
  expect(copied_seconds + rendered_seconds).toBeCloseTo(frames / RATE, 5);
}

/** Pulses by the timestamps of the file, which may begin before 0 with the lead of an encoder. */
async function pulsesOf(file: string): Promise<number[]> {
  const starts = [await streamOf(file, 'v'), await streamOf(file, 'a')].map((stream) =>
    Number(stream.start_time),
  );
  return pulsesIn(await readSound(file)).map((pulse) => pulse + Math.min(...starts));
}

/** Every pulse of a clip that lies outside of the joints stands in the result where the time map says. */
async function expectPulses(done: Done, files: readonly string[], joint: number) {
  const found = await pulsesOf(done.path);
  for (const [index, { source, in: from, out }] of done.time_map.entries()) {
    const own = await pulsesOf(files[source] ?? '');
    const [head, tail] = [index === 0 ? 0 : joint, index === done.time_map.length - 1 ? 0 : joint];
    const expected = own
      .filter((pulse) => pulse > from[0] + head + 0.01 && pulse < from[1] - tail - 0.01)
      .map((pulse) => pulse - from[0] + out[0]);
    if (from[1] - from[0] > 3) expect(expected.length).toBeGreaterThan(0);
    for (const pulse of expected) {
      expect(Math.min(...found.map((one) => Math.abs(one - pulse)))).toBeLessThan(0.0015);
    }
  }
}

describe('clips of the same parameters', () => {
  test('are copied but for their joints', async () => {
    const request = { transition: 'fade', duration: 1 };
    const done = await merge(alike, request);
    const frames = 3 * SECONDS * RATE - 2 * RATE;
    await expectSound(done, frames);
    const numbers = await readNumbers(done.path);
    expect(numbers.slice(0, 240)).toEqual(range(0, 240));
    expect(numbers.slice(270, 480)).toEqual(range(1030, 1240));
    expect(numbers.slice(510)).toEqual(range(2030, 2270));
    const copied = Math.round(dataOf(done).copied_seconds * RATE);
    expect(copied).toBeGreaterThan(600);
    expect(await taken(done, alike)).toBe(copied);
    await expectPulses(done, alike, 1);

    const full = await merge(alike, request, null);
    expect(dataOf(full).copied_seconds).toBe(0);
    const psnr = await likeness(done.path, full.path);
    expect(psnr).toHaveLength(frames);
    expect(Math.min(...psnr)).toBeGreaterThan(30);
    expect(psnr.reduce((sum, value) => sum + value, 0) / frames).toBeGreaterThan(40);
    expect(done.time_map).toEqual(full.time_map);
    expect(done.data.joints).toEqual(full.data.joints);
  });

  thorough('are joined by hard cuts wherever they begin and end', async () => {
    const clips = [
      { path: alike[0] ?? '', start: 0.7, end: 5.3 },
      { path: alike[1] ?? '', start: 1.5, end: 6.1 },
      { path: alike[2] ?? '', start: 2 },
      { path: alike[0] ?? '', start: 3.1, end: 3.3 },
    ];
    const done = await merge(clips);
    const expected = [...range(21, 159), ...range(1045, 1183), ...range(2060, 2270), ...range(93, 99)];
    expect(await readNumbers(done.path)).toEqual(expected);
    await expectSound(done, expected.length);
    const copied = Math.round(dataOf(done).copied_seconds * RATE);
    expect(copied).toBeGreaterThan(300);
    expect(await taken(done, alike)).toBe(copied);
    await expectPulses(
      done,
      clips.map((clip) => clip.path),
      0,
    );
  });

  test('take joints of their own, and an early end', async () => {
    const transitions = [{ type: 'heart', duration: 0.5, offset: 4 }, { type: 'none' }];
    const done = await merge(alike, { transitions });
    const numbers = await readNumbers(done.path);
    expect(numbers.slice(0, 120)).toEqual(range(0, 120));
    expect(numbers.slice(135)).toEqual([...range(1015, 1270), ...range(2000, 2270)]);
    await expectSound(done, 120 + 270 + 270);
    expect(await taken(done, alike)).toBe(Math.round(dataOf(done).copied_seconds * RATE));
  });
});

/** Root of the mean square of samples, and of what two sounds differ by. */
function powers(found: Float32Array, wanted: Float32Array) {
  const mean = (of: (at: number) => number) => {
    let sum = 0;
    for (let at = 0; at < wanted.length; at++) sum += of(at) ** 2;
    return Math.sqrt(sum / wanted.length);
  };
  return {
    sound: mean((at) => wanted[at] ?? 0),
    difference: mean((at) => (found[at] ?? 0) - (wanted[at] ?? 0)),
  };
}

describe('the sound that libav mixes is that of the program', () => {
  test.each(
    sampled(
      [
        ['crossfaded', {}],
        ['over music that repeats and is ducked', { background_volume_db: -6 }],
        ['over music that is not', { background_volume_db: -6, duck: false }],
      ],
      3,
    ),
  )('%s', async (_, mixing) => {
    const request = { transition: 'fade', duration: 1, ...mixing };
    const music = 'background_volume_db' in mixing ? { background_audio_url: url } : {};
    const files = [...alike.slice(0, 2), ...('background_audio_url' in music ? [fixture('sound.mp3')] : [])];
    const asked = { urls: [url, url], ...request, ...music };
    const warnings: string[] = [];
    const onWarning = (message: string) => void warnings.push(message);
    const ours = await operateOn('merge_urls', files, asked, { onWarning });
    expect(warnings).toEqual([]);
    const theirs = await operateOn('merge_urls', files, asked, { libav: null });
    const { sound, difference } = powers(await readSound(ours.path), await readSound(theirs.path));
    expect(sound).toBeGreaterThan(0.01);
    expect(difference).toBeLessThan(sound / 5);
  });

  thorough('and where libav fails at it, the program renders everything', async () => {
    const warnings: string[] = [];
    const mix = async () => Promise.reject(new LibavFailure('it has ended'));
    const done = await operateOn(
      'merge_urls',
      alike.slice(0, 2),
      { urls: [url, url], transition: 'fade', duration: 1 },
      { libav: { mix }, onWarning: (message) => void warnings.push(message) },
    );
    // The proof of the sound mixes too.
    expect(warnings).toEqual([
      'libav failed; the fallback is tried',
      'libav could not compare the result with its sources',
    ]);
    expect(dataOf(done).copied_seconds).toBe(0);
    expect(await readNumbers(done.path)).toHaveLength(2 * SECONDS * RATE - RATE);
  });
});

describe('clips of which one does not fit', () => {
  test.each(
    sampled(
      [
        ['coded otherwise', 'other.mp4'],
        ['of another size', 'small.mp4'],
      ],
      3,
    ),
  )('(%s) are copied but for that', async (_, odd) => {
    const files = [alike[0] ?? '', path(odd), alike[1] ?? ''];
    const done = await merge(files, { transition: 'wipeleft', duration: 0.5 });
    await expectSound(done, 3 * 270 - 30);
    const numbers = await readNumbers(done.path);
    expect(numbers.slice(0, 255)).toEqual(range(0, 255));
    expect(numbers.slice(270, 510)).toEqual(range(3015, 3255));
    expect(numbers.slice(525)).toEqual(range(1015, 1270));
    const copied = Math.round(dataOf(done).copied_seconds * RATE);
    expect(copied).toBeGreaterThan(400);
    expect(await taken(done, alike)).toBe(copied);
    await expectPulses(done, files, 0.5);
  });

  test('take the model from those that fit what is asked for', async () => {
    const files = [path('small.mp4'), ...alike.slice(0, 2)];
    const done = await merge(files, { width: 320, height: 180 });
    await expectSound(done, 3 * 270);
    expect(await readNumbers(done.path)).toEqual([
      ...range(3000, 3270),
      ...range(0, 270),
      ...range(1000, 1270),
    ]);
    expect(dataOf(done).copied_seconds).toBeGreaterThan(17);
  });

  test('a varying rate is brought to the grid', async () => {
    const files = [alike[0] ?? '', fixture('vfr.mp4'), alike[1] ?? ''];
    const done = await merge(files, { transition: 'fade', duration: 0.5 });
    const [from = 0, to = 0] = done.time_map[1]?.out ?? [];
    expect(to - from).toBeGreaterThan(5.9);
    await expectSound(done, 2 * 270 + Math.round((to - from) * RATE) - 30);
    expect(await taken(done, alike)).toBe(Math.round(dataOf(done).copied_seconds * RATE));
  });
});

test.each(
  sampled(
    [
      ['another quality', {}, { quality: 'high' }],
      ['another size', {}, { width: 160, height: 90 }],
      ['another rate', {}, { fps: 25 }],
    ],
    3,
  ),
)('%s renders everything', async (_, __, request) => {
  const done = await merge(alike.slice(0, 2), request);
  expect(dataOf(done).copied_seconds).toBe(0);
});

describe('clips of other codecs and containers', () => {
  test.each(
    sampled(
      [
        ['hevc.mp4', 'mp4', 150],
        ['av1.mp4', 'mp4', 150],
        ['vp9.webm', 'webm', 150],
        ['plain.mkv', 'mkv', 150],
      ],
      3,
    ),
  )('%s are copied too', async (name, format, least) => {
    const clip = fixture(name);
    const clips = [
      { path: clip, end: 4.5 },
      { path: clip, start: 1.5 },
    ];
    const done = await merge(clips, { transition: 'fade', duration: 0.5, format });
    const numbers = await readNumbers(done.path);
    expect(numbers.slice(0, 120)).toEqual(range(0, 120));
    expect(numbers.slice(135)).toEqual(range(60, 180));
    const copied = Math.round(dataOf(done).copied_seconds * RATE);
    expect(copied).toBeGreaterThan(least);
    expect(await complaints(done.path)).toBe('');
    const full = await merge(clips, { transition: 'fade', duration: 0.5, format }, null);
    const psnr = await likeness(done.path, full.path);
    expect(psnr).toHaveLength(numbers.length);
    expect(Math.min(...psnr)).toBeGreaterThan(28);
    await expectPulses(done, [clip, clip], 0.5);
  });
});
