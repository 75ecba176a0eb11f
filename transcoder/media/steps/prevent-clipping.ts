import { join } from 'node:path';
import type { Headroom } from '../../model/steps.ts';
import { multiply, through } from './raw-audio.ts';
import type { StepRunner } from './step-runner.ts';

const FULL = 0.9999;

/** Lowers all sounds by the same gain, if any of them would clip. @returns the gain. */
async function keepFromClipping({ files }: Headroom, directory: string): Promise<{ gain_db: number }> {
  const paths = files.map((file) => join(directory, file));
  let highest = 0;
  for (const path of paths) {
    await through(path, (samples) => {
      for (const value of samples) if (Number.isFinite(value)) highest = Math.max(highest, Math.abs(value));
    });
  }
  if (highest <= FULL) return { gain_db: 0 };
  const gain = FULL / highest;
  for (const path of paths) await multiply(path, gain);
  return { gain_db: Math.round(2000 * Math.log10(gain)) / 100 };
}

export const headroom: StepRunner<Headroom> = {
  reads: ({ files }) => files,
  writes: ({ files }) => files,
  run: (_, step, { directory }) => keepFromClipping(step, directory),
};
