import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const PLAIN = fixture('plain.mp4');
const url = 'https://media.example.com/clip';

/** Merges files, each from its start to an end. */
const merge = (clips: readonly (readonly [file: string, end?: number])[], request = {}) =>
  operateOn(
    'merge_urls',
    clips.map(([file]) => file),
    { ...request, urls: clips.map(([, end]) => (end === undefined ? url : { url, end })) },
  );

/** The pictures and the sound of plain.mp4, each up to a second. */
async function made(name: string, picture: number, sound: number): Promise<string> {
  const path = join(scratch(), name);
  const inputs = [picture, sound].flatMap((seconds) => ['-t', `${seconds}`, '-i', PLAIN]);
  const coded = ['-map', '0:v', '-map', '1:a', '-c:v', 'libx264', '-g', '30', '-c:a', 'aac', path];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...inputs, ...coded]);
  return path;
}

const frozen = (number: number, frames: number) => Array.from({ length: frames }, () => number);

describe('where the sound of a clip is longer than its picture', () => {
  test.each([{}, { width: 320 }])('its only frame stays until the sound ends: %j', async (request) => {
    const song = await made('song.mp4', 0.03, 5);
    const done = await merge([[PLAIN, 2], [song], [PLAIN, 1.5]], request);
    expect(done.warnings).toEqual([]);
    const shown = await readNumbers(done.path);
    expect(shown.slice(0, 205)).toEqual([...range(0, 60), ...frozen(0, 145)]);
    expect(shown.slice(-45)).toEqual(range(0, 45));
    const heard = await readPulses(done.path);
    expect(heard.map(Math.round)).toEqual(range(0, 9));
    for (const time of heard.slice(0, 7)) expect(Math.abs(time - Math.round(time))).toBeLessThan(0.003);
  });

  test('pictures before the last one are copied, and a transition begins with that one', async () => {
    const camera = await made('camera.mp4', 3, 6);
    const done = await merge([[camera], [PLAIN]], { transition: 'fade' });
    const numbers = await readNumbers(done.path);
    expect(numbers.slice(0, 145)).toEqual([...range(0, 90), ...frozen(89, 55)]);
    const [joint] = done.data.joints as { at: number; duration: number }[];
    const behind = Math.round(((joint?.at ?? 0) + (joint?.duration ?? 0)) * 30);
    expect(behind).toBeGreaterThan(175);
    expect(numbers.slice(behind, behind + 120)).toEqual(range(30, 150));
    expect(done.data.copied_seconds).toBeGreaterThan(2.5);
    expect(done.data.spans).toContainEqual(expect.objectContaining({ rendered_because: 'speed' }));
  });

  test('`end` may lie behind the picture, and sound that ends a little later changes nothing', async () => {
    const camera = await made('stopped.mp4', 2, 5);
    const done = await merge([
      [camera, 4],
      [camera, 1],
    ]);
    expect(done.warnings).toEqual([]);
    expect(await readNumbers(done.path)).toEqual([...range(0, 60), ...frozen(59, 60), ...range(0, 30)]);
    const usual = await made('usual.mp4', 2, 2.1);
    expect((await merge([[usual], [usual]])).duration).toBeCloseTo(4, 3);
  });
});
