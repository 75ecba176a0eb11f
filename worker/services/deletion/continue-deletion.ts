import { errorText, log } from '../../lib/log.ts';
import { type Deleting, deletionSteps, endSubscription } from './steps.ts';

/** Accounts and rounds of steps per sweep. */
const ACCOUNTS = 20;
const ROUNDS = 60;
/** Rounds within the request that deletes an account. */
const FIRST_ROUNDS = 15;

interface Budget {
  rounds: number;
}

/**
 * Continues the deletion of an account for as many rounds as the budget has. Starts at the first step each time, because something may
 * have been written after a step was done.
 * @returns whether the account is gone
 */
async function continueDeletion(context: Deleting, accountId: string, budget: Budget): Promise<boolean> {
  for (const [, step] of deletionSteps) {
    for (let more = true; more; budget.rounds--) {
      if (budget.rounds <= 0) return false;
      more = await step(context, accountId);
    }
  }
  log('info', 'account_deleted', { account_id: accountId });
  return true;
}

/** Like `continueDeletion`, but leaves failures to the next sweep. */
async function tryDeletion(
  context: Deleting,
  accountId: string,
  budget: Budget = { rounds: FIRST_ROUNDS },
): Promise<void> {
  try {
    // Another request or sweep may have completed it.
    if (!(await context.deletions.noteTry(accountId, Date.now()))) return;
    await continueDeletion(context, accountId, budget);
  } catch (error) {
    log('error', 'deletion_interrupted', { account_id: accountId, error: errorText(error) });
  }
}

/** The first try: ends what is paid for before anything that may take long. */
export async function startDeletion(context: Deleting, accountId: string): Promise<void> {
  await endSubscription(context, accountId).catch((error: unknown) =>
    log('error', 'subscription_not_ended', { account_id: accountId, error: errorText(error) }),
  );
  await tryDeletion(context, accountId);
}

/** Continues deletions that were interrupted or are large. One that fails does not keep others waiting. */
export async function sweepDeletions(context: Deleting): Promise<void> {
  const budget = { rounds: ROUNDS };
  for (const { accountId } of await context.deletions.open(ACCOUNTS)) {
    if (budget.rounds <= 0) return;
    await tryDeletion(context, accountId, budget);
  }
}
