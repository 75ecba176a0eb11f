import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { planNames, plans } from '../../schema/plans.ts';

interface Config {
  vars: Record<string, string>;
  containers: { max_instances?: number }[];
  ratelimits: { name: string; simple: { limit: number; period: number } }[];
  queues: {
    producers?: { queue: string }[];
    consumers?: { queue: string; dead_letter_queue?: string }[];
  };
}

const config: Config = unstable_readConfig({ config: resolve(import.meta.dirname, '../../wrangler.toml') });

describe('wrangler.toml', () => {
  it.each(planNames)('limits polls of %s as the plan says', (plan) => {
    const limiter = config.ratelimits.find(({ name }) => name === `POLLS_${plan.toUpperCase()}`);
    expect(limiter?.simple).toEqual({ limit: plans[plan].polls_per_second * 10, period: 10 });
  });

  it('has a consumer for every queue it produces to, with a dead-letter queue that is consumed too', () => {
    const consumers = config.queues.consumers ?? [];
    for (const { queue } of config.queues.producers ?? []) {
      const consumer = consumers.find((one) => one.queue === queue);
      expect(consumer?.dead_letter_queue, queue).toBeTruthy();
      expect(consumers.some((one) => one.queue === consumer?.dead_letter_queue)).toBe(true);
    }
  });

  it('tells the Worker how many containers may run', () => {
    expect(config.containers.map(({ max_instances }) => max_instances)).toEqual([
      Number(config.vars.MAX_INSTANCES),
    ]);
  });

  it('is safe by default: production, and no development origins', () => {
    expect(config.vars).toMatchObject({ SPOOL_ENV: 'production', SPOOL_DEV_ORIGINS: '' });
  });
});
