import { afterEach, expect, it, vi } from 'vitest';
import { outlast } from '../../../transcoder/source/retry.ts';

afterEach(() => void vi.restoreAllMocks());

const { signal } = new AbortController();
const MINUTE = 60_000;

/** Work of three minutes each time by the clock, which fails at first. @returns how often it is done */
async function callsOf(failures: number, patience: number): Promise<number> {
  let [calls, now] = [0, 0];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  await outlast({ seconds: patience, mayPass: () => true, signal }, async () => {
    calls++;
    now += 3 * MINUTE;
    if (calls <= failures) throw new Error('the connection was reset');
  }).catch(() => undefined);
  return calls;
}

it('tries work again that takes longer than the patience with an outage', async () => {
  expect(await callsOf(1, 120)).toBe(2);
});

it('gives up when the outage has lasted for that time since the first failure', async () => {
  expect(await callsOf(9, 120)).toBe(2);
  expect(await callsOf(9, 240)).toBe(3);
});
