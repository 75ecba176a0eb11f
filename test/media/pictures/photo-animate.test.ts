import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engines } from '../../../transcoder/engines/engines.ts';
import { waveBytes } from '../../../transcoder/engines/speech/wave.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../../../transcoder/log.ts';
import { type View, viewAt } from '../../../transcoder/operations/photo/easing.ts';
import { type Motion, pathOf } from '../../../transcoder/operations/photo/motion-presets.ts';
import { readColor, readPulses, readSound, readTimes, streamOf } from '../../fixtures/barcode.ts';
import { brightnessAsDepth } from '../../fixtures/engines/depth-model.ts';
import { programs } from '../../fixtures/make.ts';
import { withOrientation } from '../../fixtures/orientation.ts';
import { PATCH, shiftBetween } from '../../fixtures/phase-correlation.ts';
import { sampled, thorough } from '../../sampled.ts';
import { failureOf, operateOn } from '../operate.ts';

const url = 'https://media.example.com/a';
const size = { width: 480, height: 270 };

let directory: string;
const made = (name: string) => join(directory, name);
const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-bitexact', ...args], { cwd: directory });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-photo-'));
  const grain = (dimensions: string) =>
    `color=gray:s=${dimensions},noise=alls=100:all_seed=7:allf=u,gblur=sigma=2.2,eq=contrast=5,format=gray`;
  await ffmpeg('-f', 'lavfi', '-i', grain('960x540'), '-frames:v', '1', 'grain.png');
  await ffmpeg('-f', 'lavfi', '-i', grain('1400x540'), '-frames:v', '1', 'panorama.png');
  const halves = 'color=red:s=160x90,drawbox=0:0:160:45:blue:fill';
  await ffmpeg('-f', 'lavfi', '-i', halves, '-frames:v', '1', '-q:v', '2', 'halves.jpg');
  await writeFile(made('upside-down.jpg'), withOrientation(await readFile(made('halves.jpg')), 3));
  await ffmpeg('-f', 'lavfi', '-i', 'color=lime:s=60x90', '-frames:v', '1', 'upright.png');
  await ffmpeg('-f', 'lavfi', '-i', 'color=white@0.0:s=64x64,format=rgba', '-frames:v', '1', 'clear.png');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const animate = (files: readonly string[], request: Record<string, unknown>, music?: string) =>
  operateOn('photo_animate', [...files.map(made), ...(music ? [music] : [])], {
    ...size,
    photo_urls: files.map(() => url),
    ...(music ? { audio_url: url } : {}),
    ...request,
  });

/** The grey of every pixel of every frame. */
async function framesOf(path: string): Promise<Uint8Array[]> {
  await ffmpeg(
    '-i',
    path,
    '-map',
    '0:v',
    '-fps_mode',
    'passthrough',
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    'frames.raw',
  );
  const bytes = await readFile(made('frames.raw'));
  const length = size.width * size.height;
  return Array.from({ length: bytes.length / length }, (_, frame) =>
    bytes.subarray(frame * length, (frame + 1) * length),
  );
}

/** By how many pixels what passes a place moves from one view to the next. */
function displacement(place: number, length: number, of: 'x' | 'y', from: View, to: View): number {
  const moved = (at: number) => ((from[of] + (at / length) * from.side - to[of]) / to.side) * length - at;
  return moved(place - moved(place) / 2);
}

describe('what a photo shows moves as it is meant to, within a tenth of a pixel from frame to frame', () => {
  const reach = { x: 1, y: 1 };
  const wide = { x: 1400 / 960, y: 1 };
  test.each<[Motion['preset'], string, { x: number; y: number }]>(
    sampled(
      [
        ['ken_burns', 'grain.png', reach],
        ['zoom_in', 'grain.png', reach],
        ['zoom_out', 'grain.png', reach],
        ['pan_left', 'grain.png', reach],
        ['pan_right', 'panorama.png', wide],
        ['pan_up', 'grain.png', reach],
        ['pan_down', 'grain.png', reach],
        ['push_diagonal', 'grain.png', reach],
        ['drift', 'grain.png', reach],
        ['pulse', 'grain.png', reach],
      ],
      3,
    ),
  )('%s over %s', async (preset, file, extent) => {
    const duration = 2;
    const fps = preset === 'pulse' ? 30 : 15;
    const request = { preset, duration, fps, zoom_end: 1.25, focus_x: 0.4, seed: 3, quality: { crf: 4 } };
    const done = await animate([file], request);
    const frames = await framesOf(done.path);
    expect(frames).toHaveLength(fps * duration);
    const path = pathOf({
      ...{ preset, reach: extent, zoom: { start: 1, end: 1.25 }, focus: { x: 0.4, y: 0.5 } },
      ...{ easing: 'ease_in_out', duration, index: 0, seed: 3 },
    });
    const errors: number[] = [];
    for (const corner of [
      { x: 20, y: 20 },
      { x: 330, y: 130 },
    ]) {
      for (let frame = 1; frame < frames.length; frame += fps / 5) {
        const [before, now] = [
          viewAt(path, (frame - 1) / (frames.length - 1)),
          viewAt(path, frame / (frames.length - 1)),
        ];
        const middle = { x: corner.x + PATCH / 2, y: corner.y + PATCH / 2 };
        const patches = [frame - 1, frame].map((at) => ({
          pixels: frames[at] ?? new Uint8Array(),
          width: size.width,
          ...corner,
        }));
        const [first, second] = patches;
        if (!first || !second) throw new Error('two patches');
        const found = shiftBetween(first, second);
        const wanted = {
          x: displacement(middle.x, size.width, 'x', before, now),
          y: displacement(middle.y, size.height, 'y', before, now),
        };
        errors.push(Math.hypot(found.x - wanted.x, found.y - wanted.y));
      }
    }
    expect(Math.max(...errors)).toBeLessThan(0.1);
  });
});

describe('a show of photos', () => {
  test('has its transitions where the timeline says, and ends with its music faded out', async () => {
    const request = { duration: 2, transition: 'clock', transition_duration: 0.5, fps: 20, preset: 'pulse' };
    const done = await animate(['halves.jpg', 'upright.png', 'halves.jpg'], request, 'plain.mp4');
    expect(done.data).toEqual({
      engine: null,
      timeline: [
        { photo: 0, preset: 'pulse', start: 0, end: 2 },
        { photo: 1, preset: 'pulse', start: 1.5, end: 3.5 },
        { photo: 2, preset: 'pulse', start: 3, end: 5 },
      ],
    });
    const times = await readTimes(done.path);
    expect(times).toHaveLength(100);
    for (const [frame, time] of times.entries()) expect(Math.abs(time - frame / 20)).toBeLessThan(0.012);
    const pulses = (await readPulses(done.path)).map((time) => Math.round(100 * time));
    expect(pulses.slice(0, 4)).toEqual([0, 100, 200, 300]);
    const sound = await readSound(done.path);
    expect(sound.length / 48_000).toBeCloseTo(5, 1);
    expect(Math.max(...sound.subarray(-480))).toBeLessThan(0.02);
  });

  test('lasts as long as its music where that is asked for', async () => {
    const request = { duration: 1, transition: 'none', fps: 10, length_policy: 'audio' };
    const done = await animate(['halves.jpg', 'upright.png', 'clear.png'], request, 'plain.mp4');
    expect(await readTimes(done.path)).toHaveLength(60);
    expect(Number((await streamOf(done.path, 'a')).duration)).toBeCloseTo(6, 1);
  });

  test.each(sampled([41, 44, 60], 3))(
    'ends with its music in frame %i, also within a transition',
    async (frames) => {
      const music = join(directory, 'music.wav');
      await writeFile(
        music,
        waveBytes({ samples: new Float32Array(frames * 800).fill(0.1), sampleRate: 8000 }),
      );
      const request = { duration: 5, transition_duration: 1, fps: 10, length_policy: 'shortest' };
      const done = await animate(['halves.jpg', 'upright.png'], request, music);
      expect(await readTimes(done.path)).toHaveLength(frames);
      expect(done.data.timeline).toMatchObject([{ start: 0 }, { start: 4, end: frames / 10 }]);
    },
  );

  thorough('ends with the shorter of photos and music, or begins the music again', async () => {
    const request = { duration: 5, transition_duration: 0.5, fps: 10 };
    const photos = ['halves.jpg', 'upright.png'];
    const shortest = await animate(photos, { ...request, length_policy: 'shortest' }, 'plain.mp4');
    expect(shortest.duration).toBe(6);
    expect(shortest.data.timeline).toMatchObject([{ end: 5 }, { start: 4.5, end: 6 }]);
    const whole = await animate(photos, request, 'plain.mp4');
    expect(whole.duration).toBe(9.5);
    const pulses = (await readPulses(whole.path)).map((time) => Math.round(100 * time));
    expect(pulses.filter((time) => time > 650).map((time) => Math.round(time / 20))).toEqual([35, 40]);
  });
});

describe('a photo', () => {
  const still = { preset: 'zoom_in', zoom_end: 1, duration: 1, fps: 2 };
  const top = { x: 0.4, y: 0.05, width: 0.2, height: 0.2 };
  const bottom = { x: 0.4, y: 0.75, width: 0.2, height: 0.2 };

  test('is turned as its camera was held', async () => {
    const upright = await animate(['halves.jpg'], still);
    expect((await readColor(upright.path, top)).b).toBeGreaterThan(200);
    const turned = await animate(['upside-down.jpg'], still);
    expect((await readColor(turned.path, top)).r).toBeGreaterThan(200);
    expect((await readColor(turned.path, bottom)).b).toBeGreaterThan(200);
  });

  test('of another shape is cut, shown on a color, or on a blurred copy of itself', async () => {
    const edge = { x: 0.02, y: 0.4, width: 0.1, height: 0.2 };
    const fills = await Promise.all(
      ['cover', 'contain', 'blur'].map(async (fill) => {
        const done = await animate(['upright.png'], { ...still, fill, background: '#800080' });
        return readColor(done.path, edge);
      }),
    );
    const [cover, contain, blur] = fills.map(({ r, g, b }) =>
      [r, g, b].map((level) => Math.round(level / 32)),
    );
    expect(cover).toEqual([0, 8, 0]);
    expect(contain).toEqual([4, 0, 4]);
    expect(blur?.[1]).toBeGreaterThan(5);
    expect(blur?.[0]).toBe(0);
  });

  test('may have a side of one pixel', async () => {
    for (const [photo, sides] of [
      ['pixel.png', '1:1'],
      ['line.png', '1:40'],
    ] as const) {
      const green = `color=lime:s=40x40,format=rgb24,crop=${sides}`;
      await ffmpeg('-f', 'lavfi', '-i', green, '-frames:v', '1', photo);
      expect((await readColor((await animate([photo], still)).path, top)).g).toBeGreaterThan(200);
    }
  });

  test('that can be seen through lies on the background', async () => {
    const done = await animate(['clear.png'], { ...still, background: '#0000ff' });
    expect((await readColor(done.path, top)).b).toBeGreaterThan(230);
  });

  test('cannot be a video, cannot have depth without a model, and its music has to be heard', async () => {
    const request = { ...size, photo_url: url };
    expect((await failureOf(operateOn('photo_animate', ['plain.mp4'], request))).code).toBe(
      'source_not_media',
    );
    const depth = await failureOf(animate(['halves.jpg'], { preset: 'parallax' }));
    expect(depth.code).toBe('engine_unavailable');
    expect((await failureOf(animate(['halves.jpg'], {}, 'no-sound.mp4'))).code).toBe('source_no_audio');
  });
});

test('with a depth model, what is near moves against what is far, in transitions too', async () => {
  const modelsDir = made('models');
  const manifest = await brightnessAsDepth(modelsDir);
  const engines = await Engines.probe({ programs, modelsDir, manifest, log: jsonLog({}, () => {}) });
  try {
    const near = 'drawbox=600:0:360:540:white@0.7:fill';
    await ffmpeg('-i', 'grain.png', '-vf', `lutyuv=y=val*0.4,${near}`, 'near.png');
    const request = { ...size, preset: 'parallax', duration: 2, fps: 15, zoom_end: 1, quality: { crf: 4 } };
    const one = await operateOn(
      'photo_animate',
      [made('near.png')],
      { ...request, photo_url: url },
      { engines },
    );
    expect(one.data.engine).toMatchObject({ id: 'depth_anything', tier: 'model' });
    const frames = await framesOf(one.path);
    const shiftAt = (x: number) => {
      const [first, second] = [frames[10], frames[16]].map((pixels = new Uint8Array()) => ({
        ...{ pixels, width: size.width },
        ...{ x, y: 70 },
      }));
      if (!first || !second) throw new Error('two patches');
      return shiftBetween(first, second).x;
    };
    const [far, close] = [shiftAt(60), shiftAt(340)];
    expect(Math.abs(far - close)).toBeGreaterThan(2);
    const photo_urls = [url, url];
    const two = await operateOn(
      'photo_animate',
      [made('near.png'), made('near.png')],
      { ...request, photo_urls },
      { engines },
    );
    expect(await readTimes(two.path)).toHaveLength(45);
  } finally {
    engines.close();
  }
});
