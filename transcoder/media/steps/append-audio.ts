import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Append } from '../../model/steps.ts';
import type { StepRunner } from './step-runner.ts';

export const append: StepRunner<Append> = {
  reads: ({ parts }) => parts,
  writes: ({ file }) => [file],
  run: async (_, { file, parts }, { directory, signal }) => {
    for (const [index, part] of parts.entries()) {
      // A plan that failed before its fallback may have left a file with this name.
      const flags = index === 0 ? 'w' : 'a';
      const end = createWriteStream(join(directory, file), { flags });
      await pipeline(createReadStream(join(directory, part)), end, { signal });
      if (!parts.includes(part, index + 1)) await rm(join(directory, part));
    }
    return undefined;
  },
};
