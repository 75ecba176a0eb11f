import { z } from 'zod';
import { planNames, planOf } from '../../../schema/api/plans.ts';
import type { Rate } from '../../account/admission.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../repos/keys.ts';
import { planShown } from '../docs/capabilities.ts';

export const accountUsage = z
  .strictObject({
    object: z.literal('account'),
    id: z.string(),
    plan: z.enum(planNames),
    subscription: z.enum(['active', 'inactive']),
    limits: planShown,
    used: z.strictObject({
      running: z.number().int().meta({ description: 'Running tasks.' }),
      waiting: z.number().int().meta({ description: 'Queued tasks.' }),
      connections: z.number().int().meta({ description: 'Open long polls and event streams.' }),
      creations_left: z
        .number()
        .int()
        .meta({ description: 'Tasks you can still create in the current window of 60 s.' }),
    }),
  })
  .meta({ id: 'Account' });

export async function accountUsageOf(
  context: Context,
  caller: Caller,
): Promise<{ body: z.output<typeof accountUsage>; rate: Rate }> {
  const { accountId, plan, subscription } = caller;
  const { running, waiting, connections, rate } = await context.account(accountId).usage(plan);
  return {
    rate,
    body: {
      object: 'account',
      id: accountId,
      plan,
      subscription,
      limits: planShown.parse(planOf(plan)),
      used: { running, waiting, connections, creations_left: rate.remaining },
    },
  };
}
