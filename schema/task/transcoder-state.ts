import { z } from 'zod';
import { transcoderReady } from './wire.ts';

/** What a transcoder last said of itself, and when (epoch ms); `said` is null where it did not answer. */
export const transcoderState = z.object({ checkedAt: z.number(), said: transcoderReady.nullable() });
export type TranscoderState = z.output<typeof transcoderState>;
