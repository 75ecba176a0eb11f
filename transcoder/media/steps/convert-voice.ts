import type { Convert } from '../../model/steps.ts';
import { convertVoice } from '../voice/convert.ts';
import type { StepRunner } from './step-runner.ts';

export const convert: StepRunner<Convert> = {
  // An engine converts about twice as fast as a video of that length is encoded.
  weight: ({ samples, sampleRate }) => samples / sampleRate / 2,
  reads: ({ from, sample }) => (sample === null ? [from] : [from, sample]),
  writes: ({ file }) => [file],
  run: convertVoice,
};
