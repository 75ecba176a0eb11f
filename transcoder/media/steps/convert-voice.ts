import type { Convert } from '../../model/steps.ts';
import { convertVoice } from '../voice/convert.ts';
import type { StepRunner } from './step-runner.ts';

export const convert: StepRunner<Convert> = {
  // Conversion runs about twice as fast as encoding video of that length.
  weight: ({ samples, sampleRate }) => samples / sampleRate / 2,
  reads: ({ from, sample }) => (sample === null ? [from] : [from, sample]),
  writes: ({ file }) => [file],
  run: convertVoice,
};
