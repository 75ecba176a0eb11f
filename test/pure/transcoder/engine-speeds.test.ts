import { expect, test } from 'vitest';
import { EngineSpeeds } from '../../../transcoder/engines/engine-speeds.ts';

function speedsWithClock() {
  let now = 0;
  const speeds = new EngineSpeeds(() => now);
  const use = (sound: number, work: number) =>
    speeds.measure(
      'flite',
      () => sound,
      async () => {
        now += work * 1000;
      },
    );
  return { speeds, use };
}

test('the speed of an engine is its sound over its work', async () => {
  const { speeds, use } = speedsWithClock();
  expect(speeds.of('flite')).toBeNull();
  await use(10, 1);
  await use(2, 2);
  expect(speeds.of('flite')).toBe(4);
  expect(speeds.of('kokoro')).toBeNull();
});

test('only the latest uses count', async () => {
  const { speeds, use } = speedsWithClock();
  await use(1000, 1);
  for (let times = 0; times < 20; times++) await use(1, 3);
  expect(speeds.of('flite')).toBe(0.33);
});

test('a use that fails or has no sound does not count', async () => {
  const { speeds, use } = speedsWithClock();
  await use(0, 1);
  const failing = speeds.measure(
    'flite',
    () => 1,
    () => Promise.reject(new Error('no')),
  );
  await expect(failing).rejects.toThrow('no');
  expect(speeds.of('flite')).toBeNull();
});
