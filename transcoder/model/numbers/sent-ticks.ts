import { z } from 'zod';
import { Ticks, ticksIn } from './ticks.ts';

/** Times in ticks as they are sent between processes. */
export const sentTicks = z.instanceof(Ticks).or(
  z.string().transform((text, context) => {
    const ticks = ticksIn(text);
    if (ticks) return ticks;
    context.addIssue({ code: 'custom', message: 'these are no ticks' });
    return z.NEVER;
  }),
);
