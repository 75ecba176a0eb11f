import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { machine } from '../../schema/api/machine.ts';
import { planNames, plans } from '../../schema/api/plans.ts';
import { accountRequests, addressLimits, LIMIT_WINDOW_SECONDS } from '../../schema/api/request-limits.ts';
import { memoryForTasks, memoryShare } from '../../transcoder/model/memory-share.ts';

// By their addresses, because tests are checked without the types of the Workers runtime.
const module = (path: string) => import(fileURLToPath(new URL(`../../worker/${path}`, import.meta.url)));
const { mailRetryDelay } = (await module('queue/mails.ts')) as { mailRetryDelay(attempts: number): number };
const { MAIL_MS } = (await module('services/billing/refresh.ts')) as { MAIL_MS: number };

interface Config {
  workers_dev: boolean;
  preview_urls: boolean;
  vars: Record<string, string>;
  containers: { max_instances?: number }[];
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[];
  queues: {
    producers?: { queue: string }[];
    consumers?: { queue: string; dead_letter_queue?: string; max_retries?: number }[];
  };
}

const config: Config = unstable_readConfig({ config: resolve(import.meta.dirname, '../../wrangler.toml') });

describe('wrangler.toml', () => {
  it.each(planNames)('limits polls of %s as the plan says', (plan) => {
    const limiter = config.ratelimits.find(({ name }) => name === `POLLS_${plan.toUpperCase()}`);
    expect(limiter?.simple).toEqual({ limit: accountRequests(plan), period: LIMIT_WINDOW_SECONDS });
  });

  it.each(Object.entries(addressLimits))(
    'limits %s requests by address as schema/api/request-limits.ts says',
    (name, limit) => {
      const limiter = config.ratelimits.find((one) => one.name === `ADDRESS_${name.toUpperCase()}`);
      expect(limiter?.simple).toEqual({ limit: limit.requests, period: LIMIT_WINDOW_SECONDS });
    },
  );

  it('counts each limit apart', () => {
    const ids = config.ratelimits.map(({ namespace_id }) => namespace_id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has a consumer for every queue it produces to, with a dead-letter queue that is consumed too', () => {
    const consumers = config.queues.consumers ?? [];
    for (const { queue } of config.queues.producers ?? []) {
      const consumer = consumers.find((one) => one.queue === queue);
      expect(consumer?.dead_letter_queue, queue).toBeTruthy();
      expect(consumers.some((one) => one.queue === consumer?.dead_letter_queue)).toBe(true);
    }
  });

  it('tries a mail for as long as one about billing is worth sending, within the four days that a queue keeps it', () => {
    const { max_retries = 0 } = config.queues.consumers?.find(({ queue }) => queue === 'spool-mails') ?? {};
    const delays = Array.from({ length: max_retries }, (_, index) => mailRetryDelay(index + 1));
    const seconds = delays.reduce((sum, delay) => sum + delay, 0);
    expect(max_retries).toBeLessThanOrEqual(100);
    expect(seconds * 1000).toBeGreaterThanOrEqual(MAIL_MS);
    expect(seconds).toBeLessThan(4 * 24 * 3600);
  });

  it.each(planNames)('has a disk that holds the files of a task of %s', (plan) => {
    const { source_bytes, output_bytes, work_bytes } = plans[plan];
    expect(source_bytes + output_bytes).toBeLessThanOrEqual(work_bytes);
    expect(work_bytes).toBeLessThanOrEqual(machine.disk_bytes - machine.image_bytes);
  });

  it.each(planNames)('has the memory that the largest pictures of %s need', (plan) => {
    const most = memoryForTasks(machine.memory_bytes);
    expect(memoryShare(Number.POSITIVE_INFINITY, plans[plan])).toBeLessThanOrEqual(most);
  });

  it('tells the Worker how many containers may run', () => {
    expect(config.containers.map(({ max_instances }) => max_instances)).toEqual([
      Number(config.vars.MAX_INSTANCES),
    ]);
  });

  it('has no address beside PUBLIC_URL, which alone the address guard knows as its own', () => {
    expect(config).toMatchObject({ workers_dev: false, preview_urls: false });
  });

  it('is safe by default: production, and no development origins', () => {
    expect(config.vars).toMatchObject({ SPOOL_ENV: 'production', SPOOL_DEV_ORIGINS: '' });
  });
});
