import { join } from 'node:path';
import { expect } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses, readTimes } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { scratch } from '../scratch.ts';

const RATE = 30;

/** Expects frames n × 30 to be shown with the pulses at n seconds. @returns the times of the pulses, except one at the beginning. */
export async function pulsesWithFrames(path: string): Promise<number[]> {
  const [numbers, times] = [await readNumbers(path), await readTimes(path)];
  // Its silence where one recording ends before its picture is part of the sound.
  const sound = join(scratch(), 'sound.wav');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-y', '-i', path, '-vn', '-af', 'aresample=async=1:first_pts=0', sound],
  ]);
  const pulses = (await readPulses(sound)).filter((pulse) => pulse > (times[0] ?? 0) + 0.1);
  expect(pulses.length).toBeGreaterThan(1);
  for (const pulse of pulses) {
    const at = times.findLastIndex((time) => time <= pulse + 0.5 / RATE);
    expect([0, 1, RATE - 1]).toContain((numbers[at] ?? 0) % RATE);
  }
  return pulses;
}
