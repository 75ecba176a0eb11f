import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { readFloats } from '../../engines/hosts/floats.ts';
import type { Place } from '../../model/steps.ts';
import type { StepRunner } from './step-runner.ts';

const BYTES = 4;

/** Writes each sound at its sample offset. Gaps are holes in a sparse file, which read as silence. */
async function placeSounds({ file, samples, parts }: Place, directory: string): Promise<void> {
  const whole = await open(join(directory, file), 'w');
  try {
    for (const part of parts) {
      const room = Math.max(0, Math.min(part.samples, samples - part.at));
      const sound = (await readFloats(join(directory, part.file))).slice(0, room);
      for (let left = 0; left < Math.min(part.fade, sound.length); left++) {
        const index = sound.length - 1 - left;
        sound[index] = (sound[index] ?? 0) * (left / part.fade);
      }
      await whole.write(new Uint8Array(sound.buffer), 0, sound.byteLength, part.at * BYTES);
    }
    await whole.truncate(samples * BYTES);
  } finally {
    await whole.close();
  }
}

export const place: StepRunner<Place> = {
  reads: ({ parts }) => parts.map(({ file }) => file),
  writes: ({ file }) => [file],
  run: async (_, step, { directory }) => {
    await placeSounds(step, directory);
    return undefined;
  },
};
