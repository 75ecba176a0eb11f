import { z } from 'zod';
import { transcoderReady } from './wire.ts';

/** Last `/readyz` response of a transcoder and its time (epoch ms); `said` is null if it did not answer. */
export const transcoderState = z.object({ checkedAt: z.number(), said: transcoderReady.nullable() });
export type TranscoderState = z.output<typeof transcoderState>;
