import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';
import type { Principal } from '../repos/keys.ts';

/** Counts a read against the polls of the plan. @throws Problem rate_limited */
export async function countPoll(context: Context, { plan, accountId }: Principal): Promise<void> {
  if (await context.poll.allowed(plan, accountId)) return;
  throw new Problem('rate_limited', 'Too many polls; wait as long as Retry-After says between two.', {
    headers: { 'retry-after': '2' },
  });
}
