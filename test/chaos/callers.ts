import type { ServiceUnderFaults } from '../faults/service-under-faults.ts';
import { sleep, type TestAccount } from '../harness.ts';
import type { Received } from '../worker/webhooks/receiver.ts';
import type { Seeded } from './seeded.ts';
import { mixedWork, type Work } from './work.ts';

/** One task of a caller, from its wish to what became of it. */
export interface Order extends Work {
  number: number;
  account: TestAccount;
  /** Path at the receiver of webhooks; null where nobody asked to be told. */
  hook: string | null;
  /** Seconds after its creation at which its caller deletes it; null: never. */
  deleteAfter: number | null;
  /** Null until it is accepted. */
  taskId: string | null;
  /** What the deletion was answered in the end. */
  deleted: 200 | 404 | null;
}

/** Shares of the orders by plan: what a plan takes in a minute bounds the smallest. */
const shares = [
  [45, 'elite'],
  [30, 'elite'],
  [20, 'boost'],
  [5, 'basic'],
] as const;

export async function makeOrders(
  { service, media }: ServiceUnderFaults,
  count: number,
  seeded: Seeded,
): Promise<{ orders: Order[]; accounts: TestAccount[] }> {
  const weighted: [number, TestAccount][] = [];
  for (const [share, plan] of shares) weighted.push([share, await service.createAccount(plan)]);
  const orders = mixedWork(count, media, seeded).map(
    (work, number): Order => ({
      ...work,
      number,
      account: seeded.weighted(weighted),
      hook: seeded.chance(0.25) ? `/chaos-${crypto.randomUUID()}` : null,
      deleteAfter: seeded.chance(0.07) ? seeded.between(0, 20) : null,
      taskId: null,
      deleted: null,
    }),
  );
  return { orders, accounts: weighted.map(([, account]) => account) };
}

/** Sends every order within so many seconds, each until it is accepted, and deletes those that are to be deleted. */
export async function placeOrders(
  chaos: ServiceUnderFaults,
  orders: readonly Order[],
  seconds: number,
): Promise<void> {
  await Promise.all(
    orders.map(async (order, index) => {
      await sleep((seconds * 1000 * index) / orders.length);
      order.taskId = await place(chaos, order);
      if (order.deleteAfter === null) return;
      await sleep(order.deleteAfter * 1000);
      order.deleted = await remove(chaos, order);
    }),
  );
}

/** A caller that hears nothing asks again with the same key. */
async function place({ service, receiver }: ServiceUnderFaults, order: Order): Promise<string> {
  const { account, path, input, hook, number } = order;
  const json = {
    ...input,
    metadata: { order: `${number}` },
    ...(hook === null ? {} : { callback_url: `${receiver.origin}${hook}` }),
  };
  const headers = { 'idempotency-key': `order-${number}` };
  for (;;) {
    const response = await service.request(path, { key: account.key, json, headers }).catch(() => null);
    const body = await response?.text().catch(() => null);
    if (response?.status === 202 && body) return JSON.parse(body).id as string;
    if (response && response.status < 500 && ![202, 409, 429].includes(response.status))
      throw new Error(`${path} was answered ${response.status}: ${body}`);
    await sleep(500);
  }
}

async function remove({ service }: ServiceUnderFaults, { account, taskId }: Order): Promise<200 | 404> {
  for (let tries = 0; ; tries++) {
    const response = await service
      .request(`/task/${taskId}`, { method: 'DELETE', key: account.key })
      .catch(() => null);
    await response?.text().catch(() => null);
    // After an answer that was lost it may be gone already.
    if (response?.status === 200 || (response?.status === 404 && tries > 0)) return 200;
    if (response?.status === 404) return 404;
    await sleep(500);
  }
}

/** What the receiver of webhooks has heard about each order. */
export function heard(received: readonly Received[], { hook }: Order): { ids: Set<string>; types: string[] } {
  const about = received.filter(({ path }) => path === hook);
  return {
    ids: new Set(about.map(({ headers }) => headers['webhook-id'] ?? '')),
    types: about.map(({ body }) => JSON.parse(body).type as string),
  };
}
