import { expect } from 'vitest';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import type { Done } from '../operate.ts';

/** Seconds around a change of frames in which either may be shown: half a frame, as everywhere. */
export const NEAR = 0.02;

/** Which frame a file shows, moment by moment; nothing before its first. */
export async function shownIn(path: string): Promise<(time: number) => number | undefined> {
  const [numbers, times] = [await readNumbers(path), await readTimes(path)];
  return (time) => numbers[times.findLastIndex((one) => one <= time + 1e-6)];
}

/** Compares the picture of every hundredth of a second with that of the source, as the time map says. */
export async function expectShown(done: Done, source: string): Promise<void> {
  const [wanted, found] = [await shownIn(source), await shownIn(done.path)];
  const wrong: unknown[] = [];
  for (const { in: from, out } of done.time_map) {
    const speed = (from[1] - from[0]) / (out[1] - out[0]);
    // A frame that begins within half of one of a joint may be shown on either side of it.
    for (let time = out[0] && out[0] + NEAR; time < out[1] - NEAR; time += 0.01) {
      const at = from[0] + (time - out[0]) * speed;
      const allowed = [Math.max(from[0], at - NEAR), at, at + NEAR].map(wanted);
      // What plays faster leaves frames out.
      const off = allowed.map((frame = 0) => Math.abs((found(time) ?? -1000) - frame));
      if (Math.min(...off) > (speed > 1.01 ? speed : 0))
        wrong.push({ time, at, shows: found(time), not: wanted(at) });
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect((await readTimes(done.path))[0]).toBe(0);
}
