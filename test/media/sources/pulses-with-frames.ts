import { join } from 'node:path';
import { expect } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses, readTimes } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { operate, range } from '../operate.ts';
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

/**
 * Expects all frames of a file, with their sound, of a whole and of a part of which some packets are copied.
 * @param copies Whether packets of the part can be copied.
 */
export async function expectRead(path: string, frames: number, { copies = true } = {}): Promise<void> {
  const whole = await operate('transcode', path, { quality: 'low' });
  expect(await readNumbers(whole.path)).toEqual(range(0, frames));
  await pulsesWithFrames(whole.path);
  const part = await operate('cut', path, { start: 1, end: 5 });
  if (copies) expect(Number(part.data.copied_seconds)).toBeGreaterThan(2);
  const numbers = await readNumbers(part.path);
  expect(numbers).toEqual(range(numbers[0] ?? 0, (numbers.at(-1) ?? 0) + 1));
  await pulsesWithFrames(part.path);
}
