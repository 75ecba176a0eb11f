import { stretch } from '../../engines/speech/stretch.ts';
import type { Stretch } from '../../model/steps.ts';
import type { StepRunner } from './step-runner.ts';

export const stretching: StepRunner<Stretch> = {
  weight: ({ samples, sampleRate }) => samples / sampleRate / 10,
  reads: ({ from }) => [from],
  writes: ({ file }) => [file],
  run: async (ctx, step, conditions) => {
    await stretch(ctx, step, conditions);
    return undefined;
  },
};
