import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../pages/rows.ts';
import {
  atStripe,
  type BillingStand,
  buy,
  type Payer,
  somebody,
  startBilling,
  subscriptionOf,
  sweep,
  toStripe,
} from './stand.ts';

let stand: BillingStand;
beforeAll(async () => {
  stand = await startBilling({}, { entry: 'test/worker/pages/deletion-worker.ts' });
});
afterAll(() => stand.close());

async function remove({ browser, id, email }: Payer) {
  await browser.open(`/app/${id}/delete`);
  return browser.submit(`/app/${id}/delete`, { confirm: email });
}

const accountsWith = (id: string) => rows(stand.service, 'select id from accounts where id = ?', id);
const setFault = (name: string) => stand.service.request('/fault', { method: 'POST', body: name });
const statusOf = (payer: Payer) => subscriptionOf(stand, payer).subscription.status;

describe('deleting an account that pays', () => {
  it('ends its subscription at once', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'boost');
    expect(statusOf(payer)).toBe('active');
    await remove(payer);
    expect(statusOf(payer)).toBe('canceled');
    expect(await accountsWith(payer.id)).toEqual([]);
  });

  it.each(['account', 'person'])('ends it also while the files of the %s cannot be deleted', async (what) => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'boost');
    await rows(
      stand.service,
      `insert into tasks (id, account_id, seq, request_id, operation, status, stage, progress_percent, attempt, input, metadata, result,
        created_at, completed_at) values (?, ?, 1, 'req', 'cut', 'completed', 'done', 100, 1, '{}', '{}', '{"files":[{"key":"t/x"}]}', 1, 1)`,
      ...[`task_of_${what}`, payer.id],
    );
    await setFault('bucket');
    try {
      if (what === 'account') await remove(payer);
      else {
        await payer.browser.open('/app/settings/delete');
        await payer.browser.submit('/app/settings/delete', { confirm: payer.email });
      }
      expect(await accountsWith(payer.id)).toHaveLength(1);
      expect(statusOf(payer)).toBe('canceled');
    } finally {
      await setFault('');
    }
    await sweep(stand);
    expect(await accountsWith(payer.id)).toEqual([]);
  });

  it('closes the page on which it could still buy one', async () => {
    const payer = await somebody(stand);
    const page = await toStripe(payer, 'plan', { plan: 'elite' });
    await remove(payer);
    expect((await atStripe(page, { card: 'good' })).status).toBeGreaterThanOrEqual(400);
    expect(() => subscriptionOf(stand, payer)).toThrow('has bought nothing');
  });

  it('has nothing to end of one that has been canceled before', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'basic');
    stand.stripe.world.cancel(subscriptionOf(stand, payer).subscription, 'immediately');
    await stand.stripe.events.settled();
    await remove(payer);
    expect(await accountsWith(payer.id)).toEqual([]);
  });

  it('goes on by itself when Stripe answers again', async () => {
    const payer = await somebody(stand);
    await buy(stand, payer, 'basic');
    stand.stripe.isDown = true;
    await remove(payer);
    await sweep(stand);
    expect(await accountsWith(payer.id)).toHaveLength(1);
    expect(await rows(stand.service, 'select id from tasks where account_id = ?', payer.id)).toEqual([]);
    stand.stripe.isDown = false;
    await sweep(stand);
    expect(statusOf(payer)).toBe('canceled');
    expect(await accountsWith(payer.id)).toEqual([]);
  });
});
