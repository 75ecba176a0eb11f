import { join } from 'node:path';
import type { Trim } from '../../model/steps.ts';
import { LibavFailure } from '../libav/pool.ts';
import { filesAmong, inputSource } from './libav-input.ts';
import type { StepRunner } from './step-runner.ts';

export const trim: StepRunner<Trim> = {
  weight: ({ seconds }) => seconds,
  reads: ({ input }) => filesAmong([input]),
  writes: ({ file }) => [file],
  run: async ({ libav }, { seconds: _, ...step }, { directory, sources, signal }) => {
    if (!libav) throw new LibavFailure('libav cannot be loaded');
    const source = await inputSource(step.input, directory, sources);
    const input = { source: source.parts(), stream: step.input.stream };
    await libav.ask({ ...step, input, file: join(directory, step.file) }, { sources: [source], signal });
    return undefined;
  },
};
