import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriteRounded } from '../../model/steps.ts';
import { Mask } from '../visual/mask.ts';
import type { StepRunner } from './step-runner.ts';

/** A white square with rounded corners on black, as a binary PGM. */
function roundedPicture(side: number, radius: number): Buffer {
  const mask = new Mask(side, side);
  mask.roundRect(0, 0, side, side, radius, 1);
  return Buffer.concat([Buffer.from(`P5\n${side} ${side}\n255\n`), mask.pixels]);
}

export const rounded: StepRunner<WriteRounded> = {
  reads: () => [],
  writes: ({ file }) => [file],
  run: async (_, { file, side, radius }, { directory }) => {
    await writeFile(join(directory, file), roundedPicture(side, radius));
    return undefined;
  },
};
