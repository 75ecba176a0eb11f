import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Progress, WriteOrder } from '../../../worker/account/write-order.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SLOW_MS = 30_000;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const at = (stage: Progress['stage'], progressPercent: number, now: number): Progress => ({
  ...{ stage, progressPercent, etaSeconds: null, leaseExpiresAt: now, since: { [stage]: now } },
});

describe('the writes about a task', () => {
  it('do not keep its end waiting for every progress that was reported meanwhile', async () => {
    const order = new WriteOrder();
    const written: Progress[] = [];
    const write = async (progress: Progress) => {
      await sleep(SLOW_MS);
      written.push(progress);
    };
    void order.add('task_1', () => sleep(SLOW_MS));
    const stages = ['fetching', 'analyzing', 'fetching', 'rendering'] as const;
    for (const [stage, name] of stages.entries()) {
      for (let n = 1; n <= 25; n++)
        void order.addProgress('task_1', 1, at(name, 25 * stage + n, 100 * stage + n), write);
    }
    const end = vi.fn(async () => 'ended');
    const ended = order.next('task_1', end);
    await vi.advanceTimersByTimeAsync(2 * SLOW_MS);
    expect(end).toHaveBeenCalledOnce();
    expect(await ended).toBe('ended');
    expect(written).toEqual([
      { ...at('rendering', 100, 325), since: { fetching: 1, analyzing: 101, rendering: 301 } },
    ]);
  });

  it('are in order, also progress of the attempt before and after another write', async () => {
    const order = new WriteOrder();
    const written: string[] = [];
    const write = (attempt: number) => async (progress: Progress) =>
      void written.push(`${attempt}: ${progress.progressPercent}`);
    void order.add('task_1', () => sleep(SLOW_MS));
    for (const percent of [1, 2]) void order.addProgress('task_1', 1, at('fetching', percent, 1), write(1));
    void order.add('task_1', async () => void written.push('requeued'));
    for (const percent of [3, 4]) void order.addProgress('task_1', 2, at('fetching', percent, 1), write(2));
    for (const percent of [5, 6]) void order.addProgress('task_1', 3, at('fetching', percent, 1), write(3));
    await vi.advanceTimersByTimeAsync(SLOW_MS);
    expect(written).toEqual(['1: 2', 'requeued', '2: 4', '3: 6']);
  });

  it('go on a minute after one that the database never answers', async () => {
    const order = new WriteOrder();
    void order.add('task_1', () => new Promise(() => {}));
    const end = vi.fn(async () => undefined);
    void order.next('task_1', end);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(end).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(end).toHaveBeenCalledOnce();
    await order.settled('task_1');
  });
});
