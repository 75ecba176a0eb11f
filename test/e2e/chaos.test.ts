import { expect, it } from 'vitest';
import { details } from '../chaos/report.ts';
import { runRound } from '../chaos/round.ts';
import { sampled } from '../sampled.ts';

it.concurrent.each(sampled([1, 2], 2))(
  'nothing is lost, doubled, wrong or left behind when everything fails at random (seed %i)',
  { timeout: 600_000 },
  async (seed) => {
    const outage = { seconds: 20, tasks: 6 };
    const round = await runRound({ seed, tasks: 14, transcoders: 2, stormSeconds: 10, outage });
    const { completed, failed, deleted, lost, doubled, wrong, hasty, left } = round.findings;
    expect({ lost, doubled, wrong, hasty, left }, details(round).join('\n')).toEqual({
      ...{ lost: [], doubled: [], wrong: [], hasty: [], left: [] },
    });
    expect(completed + failed + deleted).toBe(20);
    expect(completed).toBeGreaterThan(0);
  },
);
