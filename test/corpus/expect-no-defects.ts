import { join } from 'node:path';
import { expect } from 'vitest';
import { sampled } from '../sampled.ts';
import type { CheckName } from './checks.ts';
import { type Carrier, examine } from './examine.ts';
import { knownDefects } from './known-defects.ts';
import { oddities } from './oddities/make.ts';

/** The oddities that tests try. */
export const triedOddities = sampled(oddities, 28);

/** Where tests make them. */
export const oddityFolder = join(import.meta.dirname, '..', '..', '.spool', 'oddities');

const bounds = { taskSeconds: 120, sourceSeconds: 60, sourceBytes: 20e6 };
/** A cut between frames shows which frames come, at which times and with which sound. The whole set is `npm run corpus`. */
const quick: readonly CheckName[] = ['frame_last', 'cut_inside'];

/** What comes of an oddity is right, up to the defects that are known. */
export async function expectNoDefects(carrier: Carrier, name: string): Promise<void> {
  const { results } = await examine(carrier, oddityFolder, join(oddityFolder, name), [...quick], bounds);
  const found = results
    .filter(({ verdict }) => verdict === 'defect')
    .map(({ check, detail }) => ({ defect: `${name} ${check}`, detail }));
  const known = knownDefects.filter((entry) => entry.startsWith(`${name} `));
  expect(found.filter(({ defect }) => !known.some((entry) => entry === defect))).toEqual([]);
  expect(known.filter((entry) => !found.some(({ defect }) => defect === entry))).toEqual([]);
}
