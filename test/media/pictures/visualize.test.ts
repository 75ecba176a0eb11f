import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visualStyleNames } from '../../../schema/media/visual-styles.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import {
  type PictureColor,
  readColor,
  readColors,
  readNumbers,
  readPulses,
  readTimes,
  streamOf,
} from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { withOrientation } from '../../fixtures/orientation.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operateOn, range } from '../operate.ts';

const url = 'https://media.example.com/a';
const small = { width: 320, height: 180 };
const light = ({ r, g, b }: PictureColor) => r + g + b;

const visualize = (files: readonly string[], request: Record<string, unknown>) =>
  operateOn('visualize', files, { audio_url: url, ...small, ...request });

let directory: string;
const made = (name: string) => join(directory, name);
const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-bitexact', ...args], { cwd: directory });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-visual-'));
  const click = "aevalsrc='if(lt(mod(t,1),0.005)*gte(t,1),0.8*sin(2*PI*1500*t),0)':s=48000:d=7";
  await ffmpeg('-f', 'lavfi', '-i', click, 'click.wav');
  await ffmpeg('-t', '1.5', '-i', fixture('tone.wav'), 'tone.wav');
  await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=44100:cl=mono', '-t', '2', 'silence.wav');
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    "aevalsrc='0.5*sin(2*PI*60*(exp(1.02*t)-1)/1.02)':s=48000:d=5",
    'sweep.wav',
  );
  await ffmpeg('-stream_loop', '1', '-i', fixture('plain.mp4'), '-vn', '-t', '9', 'nine.wav');
  const halves = 'color=red:s=60x80,drawbox=0:0:60:40:blue:fill';
  await ffmpeg('-f', 'lavfi', '-i', halves, '-frames:v', '1', '-q:v', '2', 'halves.jpg');
  await writeFile(made('turned.jpg'), withOrientation(await readFile(made('halves.jpg')), 6));
  await ffmpeg('-f', 'lavfi', '-i', 'color=white@0.0:s=64x64,format=rgba', '-frames:v', '1', 'clear.png');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('every style', () => {
  test.each(sampled(visualStyleNames, 3))('%s makes a video as long as the sound', async (style) => {
    const done = await visualize([made('tone.wav')], { style, fps: 12, title: 'Tone' });
    expect(await readTimes(done.path)).toHaveLength(18);
    expect(Number((await streamOf(done.path, 'a')).duration)).toBeCloseTo(1.5, 1);
    const loudness = done.data as { peak_db: number; lufs: number };
    expect(loudness.peak_db).toBeCloseTo(-23.1, 0);
    expect(loudness.lufs).toBeCloseTo(-26, -1);
    const colors = await readColors(done.path);
    expect(light(colors[12] ?? { r: 0, g: 0, b: 0 })).toBeGreaterThan(3 * 12);
  });
});

describe('in time with the sound', () => {
  test.each(sampled(['bars', 'ring', 'spectrum'], 3))(
    'a click lights up %s at the start, in the middle and at the end within 10 ms',
    async (style) => {
      const done = await visualize([made('click.wav')], { style, smoothing: 0, background_color: '#000000' });
      const times = await readTimes(done.path);
      const lights = (await readColors(done.path)).map(light);
      const rises = lights.flatMap((value, frame) => {
        const before = lights[frame - 1] ?? value;
        const quiet = frame < 3 || Math.max(...lights.slice(frame - 3, frame)) < before + 2;
        return value > before + 4 && quiet ? [times[frame] ?? 0] : [];
      });
      const pulses = await readPulses(done.path);
      expect(pulses).toHaveLength(6);
      for (const pulse of pulses) {
        const nearest = Math.min(...rises.map((rise) => Math.abs(rise - pulse)));
        expect(nearest).toBeLessThan(0.01);
      }
    },
  );

  test('a swept tone lights the bar of its frequency', async () => {
    const bars = 32;
    const request = { style: 'bars', smoothing: 0, bars, size_percent: 100, width: 640, position: 'center' };
    const done = await visualize([made('sweep.wav')], {
      ...request,
      colors: ['#ffffff'],
      background_color: '#000000',
    });
    const columns = await columnsOf(done.path, bars, 150);
    const barAt = (t: number) =>
      Math.floor((bars * Math.log((60 * Math.exp(1.02 * t)) / 40)) / Math.log(14_000 / 40));
    for (const [frame, heights] of columns.entries()) {
      if (frame < 10 || frame > 148) continue;
      const lit = heights.indexOf(Math.max(...heights));
      const near = [-1, 0, 1, 2].map((step) => barAt((frame + step) / 30));
      expect(lit, `frame ${frame}`).toBeGreaterThanOrEqual(Math.min(...near));
      expect(lit, `frame ${frame}`).toBeLessThanOrEqual(Math.max(...near));
    }
  });

  test('silence is flat and has no loudness', async () => {
    const done = await visualize([made('silence.wav')], {});
    expect(done.data).toEqual({ peak_db: null, lufs: null, captions: null });
    const lights = (await readColors(done.path)).map(light);
    expect(Math.max(...lights) - Math.min(...lights)).toBeLessThanOrEqual(3);
  });

  test('the same request gives the same bytes', async () => {
    const hashes = await Promise.all(
      [1, 2].map(async () => {
        const { path } = await visualize(['speech.mp4'], { style: 'line', fps: 10, title: 'Same' });
        return createHash('sha256')
          .update(await readFile(path))
          .digest('hex');
      }),
    );
    expect(hashes[0]).toBe(hashes[1]);
  });
});

/** Brightness of the column of each bar, frame by frame. */
async function columnsOf(path: string, bars: number, frames: number): Promise<number[][]> {
  const raw = made('columns.raw');
  const graph = `format=gray,scale=${bars}:1:flags=area`;
  await ffmpeg('-i', path, '-map', '0:v', '-vf', graph, '-fps_mode', 'passthrough', '-f', 'rawvideo', raw);
  const bytes = await readFile(raw);
  return Array.from({ length: frames }, (_, frame) => [...bytes.subarray(frame * bars, (frame + 1) * bars)]);
}

describe('behind it', () => {
  const away = { style: 'line', position: 'bottom', size_percent: 20 };

  test('a video that is shorter begins again', async () => {
    const done = await visualize([made('nine.wav'), 'plain.mp4'], { ...away, video_url: url });
    expect(await readNumbers(done.path)).toEqual([...range(0, 180), ...range(0, 90)]);
  });

  test('or stays on its last frame', async () => {
    const request = { ...away, video_url: url, when_background_shorter: 'freeze' };
    const done = await visualize([made('nine.wav'), 'plain.mp4'], request);
    expect(await readNumbers(done.path)).toEqual([
      ...range(0, 180),
      ...Array.from({ length: 90 }, () => 179),
    ]);
  });

  test('a video that is longer is cut off', async () => {
    const done = await visualize([made('silence.wav'), 'long-gop.mp4'], { ...away, video_url: url });
    expect(await readNumbers(done.path)).toEqual(range(0, 60));
  });

  test('a picture stands upright as its camera was held, and fills the frame', async () => {
    const request = { ...away, image_url: url };
    const done = await visualize([made('silence.wav'), made('turned.jpg')], request);
    const left = await readColor(done.path, { x: 0.02, y: 0.1, width: 0.2, height: 0.2 });
    const right = await readColor(done.path, { x: 0.78, y: 0.1, width: 0.2, height: 0.2 });
    expect(left.r).toBeGreaterThan(200);
    expect(right.b).toBeGreaterThan(200);
  });

  test('what can be seen through shows the color behind it', async () => {
    const request = { ...away, image_url: url, background_color: '#20c040' };
    const done = await visualize([made('silence.wav'), made('clear.png')], request);
    const { r, g, b } = await readColor(done.path, { x: 0.1, y: 0.1, width: 0.5, height: 0.3 });
    expect([r, g, b].map((value) => Math.round(value / 16))).toEqual([2, 12, 4]);
  });

  test('a fade takes picture and sound down at both ends', async () => {
    const done = await visualize(['tone.wav'], { fade: 1, background_color: '#ffffff', fps: 10 });
    const lights = (await readColors(done.path)).map(light);
    expect(lights[0]).toBeLessThan(60);
    expect(lights[40]).toBeGreaterThan(600);
    expect(lights.at(-1)).toBeLessThan(120);
  });
});

test.each([['മലയാളത്തിലെ ഏറ്റവും മനോഹരമായ ഗാനങ്ങൾ'], ['WWWW MMMM WWWWWWWW MMMMMMM']])(
  'no letter of a title leaves the picture: %s',
  async (title) => {
    const request = { style: 'line', position: 'bottom', size_percent: 20, background_color: '#000000' };
    const done = await visualize([made('tone.wav')], { ...request, title, fps: 2 });
    const drawn = await readColor(done.path, { x: 0.1, y: 0, width: 0.8, height: 0.7 });
    expect(light(drawn)).toBeGreaterThan(3);
    for (const x of [0, 0.97]) {
      const edge = await readColor(done.path, { x, y: 0, width: 0.03, height: 0.7 });
      expect(light(edge)).toBeLessThan(3);
    }
  },
);

test('the video ends with the sound, whose own video is longer', async () => {
  for (const fps of [5, 14, 15]) {
    const done = await visualize(['short-sound.mp4'], { ...small, fps });
    expect(done.duration).toBeCloseTo(3, 5);
  }
});

test('sound without a picture behind is refused where one is needed, and a picture without sound', async () => {
  const failed = await failureOf(visualize(['tone.wav', 'sound.mp3'], { video_url: url }));
  expect(failed.code).toBe('source_no_video');
  expect((await failureOf(visualize(['no-sound.mp4'], {}))).code).toBe('source_no_audio');
});
