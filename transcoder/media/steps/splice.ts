import { join } from 'node:path';
import type { Splice } from '../../model/steps.ts';
import { filesAmong, inputSource } from './libav-input.ts';
import type { StepRunner } from './step-runner.ts';

export const splice: StepRunner<Splice> = {
  weight: ({ seconds }) => seconds,
  reads: ({ inputs }) => filesAmong(inputs),
  writes: ({ file }) => [file],
  run: async ({ libav }, step, { directory, sources, signal, onProgress }) => {
    if (!libav) throw new Error('a splice needs libav');
    const read = await Promise.all(
      step.inputs.map(async (input) => ({ ...input, source: await inputSource(input, directory, sources) })),
    );
    const { seconds: _, ...request } = step;
    const file = join(directory, step.file);
    const inputs = read.map(({ source, stream }) => ({ source: source.parts(), stream }));
    const asked = { sources: read.map(({ source }) => source), signal, onProgress };
    await libav.ask({ ...request, inputs, file }, asked);
    return undefined;
  },
};
