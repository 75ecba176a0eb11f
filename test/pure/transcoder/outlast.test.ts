import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { outlast } from '../../../transcoder/source/retry.ts';

// Node's own timers are none of those that the test moves on.
vi.mock('node:timers/promises', () => ({
  setTimeout: (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();
const MINUTE = 60_000;

/** Work of three minutes each time, which fails at first. @returns how often it is done */
async function callsOf(failures: number, patience: number): Promise<number> {
  let calls = 0;
  const ended = outlast({ seconds: patience, mayPass: () => true, signal }, async () => {
    calls++;
    await new Promise((resolve) => setTimeout(resolve, 3 * MINUTE));
    if (calls <= failures) throw new Error('the connection was reset');
  }).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  await ended;
  return calls;
}

it('tries work again that takes longer than the patience with an outage', async () => {
  expect(await callsOf(1, 120)).toBe(2);
});

it('gives up when the outage has lasted for that time since the first failure', async () => {
  expect(await callsOf(9, 120)).toBe(2);
  expect(await callsOf(9, 420)).toBe(4);
});
