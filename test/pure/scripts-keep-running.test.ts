import { describe, expect, it } from 'vitest';
import { Ended } from '../../scripts/lib/children.mjs';
import { keepRunning } from '../../scripts/lib/keep-running.mjs';

/** Runs a program that lives for so many milliseconds each time, on a clock of its own. */
async function lives(lifetimes: number[], last: Error = new Error('enough')) {
  let clock = 0;
  let starts = 0;
  const said: string[] = [];
  const pauses: number[] = [];
  const run = async (): Promise<never> => {
    const lifetime = lifetimes[starts++];
    // Whatever is said about it when it answers comes first.
    await new Promise((resolve) => setImmediate(resolve));
    if (lifetime === undefined) throw last;
    clock += lifetime;
    throw new Ended('transcoder', 'SIGKILL', 'the end of its log');
  };
  const error: unknown = await keepRunning({
    name: 'transcoder',
    ended: run(),
    start: run,
    ready: async () => {},
    say: (text) => said.push(text),
    now: () => clock,
    pause: async (ms) => {
      pauses.push(ms);
      clock += ms;
    },
  }).catch((reason: unknown) => reason);
  return { error: error as Error, said, pauses, starts };
}

describe('a part of the service that ends', () => {
  it('is started again, and the terminal says so', async () => {
    const { said, starts } = await lives([60_000]);
    expect(starts).toBe(2);
    expect(said).toEqual([
      'The transcoder ended with SIGKILL. Starting it again in 0.5 s.',
      'The transcoder is running again.',
    ]);
  });

  it('is started as often as it has run for a while', async () => {
    const { starts, pauses } = await lives(Array.from({ length: 20 }, () => 45_000));
    expect(starts).toBe(21);
    expect(new Set(pauses)).toEqual(new Set([500]));
  });

  it('is given up after five deaths soon after its start, with what its log says', async () => {
    const { error, pauses, starts } = await lives(Array.from({ length: 50 }, () => 100));
    expect(starts).toBe(6);
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000]);
    expect(error.message).toMatch(/^The transcoder ended 6 times in a row/);
    expect(error.message).toContain('the end of its log');
  });

  it('counts from the beginning after it has run for a while', async () => {
    const { pauses } = await lives([100, 100, 100, 90_000, 100]);
    expect(pauses).toEqual([500, 1000, 2000, 500, 1000]);
  });

  it('that cannot be started at all is not tried again', async () => {
    const { error, starts } = await lives([], new Error('spawn ENOENT'));
    expect([error.message, starts]).toEqual(['spawn ENOENT', 1]);
  });
});
