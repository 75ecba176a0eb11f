import type { z } from 'zod';
import { type accountUsage, planShown } from '../../../schema/api/account.ts';
import { planOf } from '../../../schema/api/plans.ts';
import type { Rate } from '../../account/admission.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../repos/keys.ts';

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
