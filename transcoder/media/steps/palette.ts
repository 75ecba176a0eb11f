import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WritePalette } from '../../model/steps.ts';
import { palettePicture } from '../visual/palette.ts';
import type { StepRunner } from './step-runner.ts';

export const palette: StepRunner<WritePalette> = {
  reads: () => [],
  writes: ({ file }) => [file],
  run: async (_, step, { directory }) => {
    await writeFile(join(directory, step.file), palettePicture(step));
    return undefined;
  },
};
