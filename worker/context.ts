import { drizzle } from 'drizzle-orm/d1';
import type { PlanName } from '../schema/plans.ts';
import { type Config, type Env, pollLimiter, readConfig } from './env.ts';
import { transcoderClient } from './lib/transcoder-client.ts';
import type { AccountStub } from './objects/account.ts';
import { accountsRepo } from './repos/accounts.ts';
import { deadLettersRepo } from './repos/dead-letters.ts';
import { filesRepo } from './repos/files.ts';
import { keysRepo } from './repos/keys.ts';
import { tasksRepo } from './repos/tasks.ts';

/** The composition root: everything a service may use, built from what wrangler binds. */
export function makeContext(env: Env) {
  const config: Config = readConfig(env);
  const primary = drizzle(env.DB);
  return {
    config,
    accounts: accountsRepo(primary),
    keys: keysRepo(primary),
    tasks: tasksRepo(primary),
    deadLetters: deadLettersRepo(primary),
    files: filesRepo(env.FILES),
    transcoder: transcoderClient(env, config),
    assets: env.ASSETS,
    /** Tasks as the replica nearest to the caller knows them: it may not have heard of a fresh one yet. */
    nearbyTasks() {
      // A session has the two methods that drizzle uses, prepare and batch; its type lacks the rest of D1Database.
      return tasksRepo(drizzle(env.DB.withSession('first-unconstrained') as unknown as D1Database));
    },
    account(accountId: string): AccountStub {
      return env.ACCOUNT.getByName(accountId);
    },
    async pollAllowed(plan: PlanName, accountId: string): Promise<boolean> {
      return (await pollLimiter(env, plan).limit({ key: accountId })).success;
    },
    bucket: env.FILES,
  };
}

export type Context = ReturnType<typeof makeContext>;
