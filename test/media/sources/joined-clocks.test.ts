import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readPulses } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { expectRead } from './pulses-with-frames.ts';

/** Recordings that were joined byte by byte, each with a clock of its own, as segments of a stream with advertisements are. */
const SECONDS = 2;
const RATE = 30;

async function joined(name: string, begins: readonly number[]): Promise<string> {
  const parts: Buffer[] = [];
  for (const [index, begin] of begins.entries()) {
    const part = join(scratch(), `part-${index}-${name}`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-y', '-ss', `${index * SECONDS}`, '-t', `${SECONDS}`, '-i', fixture('plain.mp4')],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', '-bf', '2', '-c:a', 'aac'],
      ...['-output_ts_offset', `${begin}`, part],
    ]);
    parts.push(await readFile(part));
  }
  const path = join(scratch(), name);
  await writeFile(path, Buffer.concat(parts));
  return path;
}

describe.each([
  ['with a clock that begins again', [0, 0, 0]],
  ['with a clock that jumps ahead and back', [0, 1000, 0]],
  ['of which each begins a tenth of a second before the last one ends', [0, 1.9, 3.8]],
  ['of which each begins two frames before the last one ends', [0, 1.933333, 3.866667]],
  ['with a pause of a second and one of an hour', [0, SECONDS + 1, 3600]],
])('joined recordings %s', (name, begins) => {
  test('are shown one after another', async () => {
    const path = await joined(`${name.replaceAll(' ', '-')}.ts`, begins);
    await expectRead(path, 3 * SECONDS * RATE);
    const sound = await operate('transcode', path, { format: 'wav', audio_only: true });
    expect((await readPulses(sound.path)).length).toBeGreaterThan(4);
  }, 60_000);
});
