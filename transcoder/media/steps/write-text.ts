import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriteDocument, WriteText } from '../../model/steps.ts';
import type { StepRunner } from './step-runner.ts';

export const text: StepRunner<WriteText> = {
  reads: () => [],
  writes: ({ file }) => [file],
  run: async (_, step, { directory }) => {
    await writeFile(join(directory, step.file), step.text);
    return undefined;
  },
};

export const document: StepRunner<WriteDocument> = {
  reads: () => [],
  writes: ({ file }) => [file],
  run: async (_, { file, content }, { directory }) => {
    await writeFile(join(directory, file), `${JSON.stringify(content, null, 2)}\n`);
    return undefined;
  },
};
