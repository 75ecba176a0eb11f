import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../sampled.ts';
import { memoryCases } from './memory/cases.ts';
import { type Peak, watchPeak } from './memory/peak.ts';
import { type Stand, startStand } from './stand.ts';

/** One at a time, so that what is measured belongs to one file. */
const SLOTS = 1;

let stand: Stand;
const peaks: [name: string, peak: Peak, ending: string][] = [];

beforeAll(async () => {
  stand = await startStand({}, SLOTS);
}, 120_000);
afterAll(() => stand.close());

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

describe('a small file that asks for much memory', () => {
  test.each(sampled(memoryCases, 4))('$name', { timeout: 400_000 }, async (memoryCase) => {
    const stop = watchPeak(stand.transcoder.child.pid ?? 0);
    const { ending, detail } = await stand.attempt(memoryCase).finally(stop);
    const peak = stop();
    peaks.push([memoryCase.name, peak, ending]);
    expect(memoryCase.ends, detail).toContain(ending);
    expect(peak.together, megabytes(peak.together)).toBeLessThan(memoryCase.mostBytes);
  });

  test('ends no transcoder: it does the next task and holds nothing', async () => {
    for (const [name, { together, largest, own }, ending] of peaks) {
      console.log(
        `${megabytes(together)} together, ${megabytes(largest)} the largest, ${megabytes(own)} the transcoder: ${name}: ${ending}`,
      );
    }
    expect(await stand.goodTask()).toMatchObject({ ending: 'completed' });
    await expect.poll(() => stand.leftovers(), { timeout: 10_000 }).toEqual([]);
    expect(stand.transcoder.child.exitCode).toBeNull();
  });
});
