import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { joinListText } from '../../ffmpeg/join-list.ts';
import type { WriteList } from '../../model/steps.ts';
import type { StepRunner } from './step-runner.ts';

export const list: StepRunner<WriteList> = {
  reads: ({ entries }) => entries.map(({ file }) => file),
  writes: ({ file }) => [file],
  run: async (_, { file, entries }, { directory }) => {
    await writeFile(join(directory, file), joinListText(entries));
    return undefined;
  },
};
