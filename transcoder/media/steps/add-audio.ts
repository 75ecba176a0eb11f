import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Add } from '../../model/steps.ts';
import { readAt, through, writeAt } from './raw-audio.ts';
import type { StepRunner } from './step-runner.ts';

export const add: StepRunner<Add> = {
  reads: ({ file, from }) => [file, from],
  writes: ({ file }) => [file],
  run: async (_, step, { directory, signal }) => {
    const [path, from] = [join(directory, step.file), join(directory, step.from)];
    const file = await open(path, 'r+');
    try {
      await through(from, async (samples, at) => {
        signal?.throwIfAborted();
        const sum = await readAt(path, at, samples.length);
        for (const [index, value] of samples.entries()) sum[index] = (sum[index] ?? 0) + value;
        await writeAt(file, sum, at);
      });
    } finally {
      await file.close();
    }
    return undefined;
  },
};
