import { expect, it } from 'vitest';
import { details } from '../chaos/report.ts';
import { runRound } from '../chaos/round.ts';

it.concurrent.each([1, 2])(
  'nothing is lost, doubled, wrong or left behind when everything fails at random (seed %i)',
  { timeout: 600_000 },
  async (seed) => {
    const round = await runRound({ seed, tasks: 16, transcoders: 2, stormSeconds: 10 });
    const { completed, failed, deleted, lost, doubled, wrong, left } = round.findings;
    expect({ lost, doubled, wrong, left }, details(round).join('\n')).toEqual({
      ...{ lost: [], doubled: [], wrong: [], left: [] },
    });
    expect(completed + failed + deleted).toBe(16);
    expect(completed).toBeGreaterThan(0);
  },
);
