import { expect, test } from 'vitest';
import { readFaceWeights } from '../../../transcoder/media/subject/face-weights.ts';
import { watcher } from '../../../transcoder/media/subject/watcher.ts';
import { foundAim } from '../../../transcoder/operations/plan/camera/follow.ts';

const [width, height] = [16, 16];
const EVERY = 15;

const gray = (level: number) => ({ width, height, pixels: new Uint8Array(3 * width * height).fill(level) });

function watched(levels: readonly number[]) {
  const watching = watcher(readFaceWeights(), EVERY, { width: 0.5, height: 1 });
  for (const level of levels) watching.push(gray(level));
  return watching.end();
}

test('a scene begins where the picture changes, also around a flash', () => {
  const levels = [...Array(40).fill(40), 255, ...Array(40).fill(90), ...Array(40).fill(200)];
  expect(watched(levels).scenes).toEqual([0, 40, 41, 81]);
});

test('a strobe is looked at a few times as often as other pictures, and not at each flash', () => {
  const { scenes, seen } = watched(Array.from({ length: 3000 }, (_, at) => (at % 2 ? 255 : 0)));
  expect(scenes.length).toBeLessThan((2 * 3000) / EVERY + 10);
  expect(seen.length).toBeLessThan((3 * 3000) / EVERY + 10);
});

test('the time to plan grows with the scenes, not with their square', () => {
  const scenes = Array.from({ length: 60_000 }, (_, at) => at / 30);
  const sightings = scenes.map((time) => ({ time, faces: [], salient: { x: 0.3, y: 0.5 } }));
  const began = process.cpuUsage();
  const crop = { width: 540, height: 1080 };
  expect(foundAim({ scenes, sightings }, { picture: { width: 1920, height: 1080 }, crop }).x).toBe(0.3);
  const { user } = process.cpuUsage(began);
  expect(user / 1e6, 'CPU seconds').toBeLessThan(5);
});
