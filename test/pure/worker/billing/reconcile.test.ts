import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/d1';
import { describe, expect, it, vi } from 'vitest';
import { Outage } from '../../../../worker/lib/outage.ts';
import { sqliteD1 } from './sqlite-d1.ts';

// By their addresses, because tests are checked without the types of the Workers runtime.
const module = (path: string) =>
  import(fileURLToPath(new URL(`../../../../worker/${path}`, import.meta.url)));
const { reconcileBilling } = (await module('services/billing/reconcile.ts')) as {
  reconcileBilling(context: object, now: number): Promise<void>;
};
const { billingRepo } = (await module('repos/people/billing.ts')) as {
  billingRepo(db: unknown): { connect(account: string, customer: string, now: number): Promise<string> };
};

const HOUR = 3600_000;
const NOW = 1_800_000_000_000;

/** Three customers who are due, at a Stripe that answers about none of them. @returns which were asked about */
async function reconciled(error: Error, ...times: number[]): Promise<string[]> {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { d1, database } = sqliteD1();
  const customers = billingRepo(drizzle(d1 as never));
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    database
      .prepare(
        "insert into accounts (id, name, plan, subscription, created_at) values (?, ?, 'basic', 'active', 1)",
      )
      .run(name, name);
    await customers.connect(name, name, NOW - 48 * HOUR);
    database.prepare('update billing set seen_at = ? where account_id = ?').run(index, name);
  }
  const asked: string[] = [];
  const subscriptionsOf = async (customer: string) => {
    asked.push(customer);
    throw error;
  };
  for (const now of times) await reconcileBilling({ customers, billing: { subscriptionsOf } }, now);
  database.close();
  return asked;
}

describe('the daily comparison with Stripe', () => {
  it('ends at the first customer where Stripe does not answer, and goes on with the next one', async () => {
    expect(await reconciled(new Outage('Stripe: timeout'), NOW)).toEqual(['a']);
    expect(await reconciled(new Outage('Stripe: timeout'), NOW, NOW + HOUR / 12)).toEqual(['a', 'b']);
  });

  it('goes on after a customer about whom Stripe answers with an error', async () => {
    expect(await reconciled(new Error('no such customer'), NOW)).toEqual(['a', 'b', 'c']);
  });
});
