import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../sampled.ts';
import { fileCases } from './files.ts';
import { type Stand, startStand } from './stand.ts';

/** What must not be heard by a caller: paths, what stands in local files, what a program said. */
const leak = /\/tmp|root:x:|passwd|spool-job|0x[0-9a-f]{6}|ffmpeg|libav|node:/;
const AT_ONCE = 4;

let stand: Stand;
const tried: Record<string, number> = {};

beforeAll(async () => {
  stand = await startStand();
}, 120_000);
afterAll(() => stand.close());

let running = 0;
const waiting: (() => void)[] = [];
/** Files that take all of a processor are tried a few at a time. */
async function inLine<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

describe.concurrent('the service, given', () => {
  test.each(sampled(fileCases, 5))('$name, ends it with its code', { timeout: 600_000 }, async (aCase) => {
    const { ending, seconds, detail } = await inLine(() => stand.attempt(aCase));
    tried[ending] = (tried[ending] ?? 0) + 1;
    expect(aCase.ends, detail).toContain(ending);
    expect(seconds).toBeLessThan(aCase.within);
    expect(detail).not.toMatch(leak);
  });
});

describe('after all of this', () => {
  test('no forbidden address was connected to', () => {
    const count = Object.values(tried).reduce((sum, number) => sum + number, 0);
    console.log(
      `${count} hostile files tried through the API, canaries: ${stand.canary.hits.length} hits`,
      tried,
    );
    expect(stand.canary.hits).toEqual([]);
  });

  test('the service completes a good task and holds nothing of the bad ones', async () => {
    expect(await stand.goodTask()).toMatchObject({ ending: 'completed' });
    await expect.poll(() => stand.leftovers(), { timeout: 10_000 }).toEqual([]);
    expect(stand.transcoder.child.exitCode).toBeNull();
    const ready = await stand.service.request('/readyz');
    expect(await ready.json()).toMatchObject({ status: 'ready' });
  });
});
