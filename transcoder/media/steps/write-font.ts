import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFont } from '../../letters/fonts/read-font.ts';
import { writeFont } from '../../letters/fonts/write-font.ts';
import { packagedFontPath } from '../../letters/packaged-fonts.ts';
import type { WriteFont } from '../../model/steps.ts';
import type { StepRunner } from './step-runner.ts';

export const font: StepRunner<WriteFont> = {
  reads: () => [],
  writes: ({ file }) => [file],
  run: async (_, { file, family, bold }, { directory }) => {
    const path = join(directory, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, writeFont(readFont(await readFile(packagedFontPath(family, bold))), family));
    return undefined;
  },
};
