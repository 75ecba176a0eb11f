import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckName, checkNames } from '../corpus/checks.ts';
import { examine } from '../corpus/examine.ts';
import { knownDefects } from '../corpus/known-defects.ts';
import { makeOddities, oddities } from '../corpus/oddities/make.ts';
import { type Stack, startStack } from './stack.ts';

const folder = join(import.meta.dirname, '..', '..', '.spool', 'oddities');
const bounds = { taskSeconds: 120, sourceSeconds: 60, sourceBytes: 20e6 };
/** A cut between frames shows which frames come, at which times and with which sound. The whole set is `npm run corpus`. */
const quick: readonly CheckName[] = ['frame_last', 'cut_inside'];

let stack: Stack;

beforeAll(async () => {
  await makeOddities(folder);
  stack = await startStack(folder);
}, 600_000);

afterAll(() => stack?.close());

test.concurrent.each(oddities.map(({ name }) => name))(
  '%s is cut right and its last frame found',
  async (name) => {
    const { results } = await examine(stack, folder, join(folder, name), [...quick], bounds);
    const found = results
      .filter(({ verdict }) => verdict === 'defect')
      .map(({ check, detail }) => ({ defect: `${name} ${check}`, detail }));
    const known = knownDefects.filter((entry) => entry.startsWith(`${name} `));
    expect(found.filter(({ defect }) => !known.some((entry) => entry === defect))).toEqual([]);
    expect(known.filter((entry) => !found.some(({ defect }) => defect === entry))).toEqual([]);
  },
);

test('Oddities have names of their own, and known defects name an oddity and a check', () => {
  const names = oddities.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(60);
  for (const entry of knownDefects) {
    const [name, check] = entry.split(' ');
    expect(names).toContain(name);
    expect([...checkNames]).toContain(check);
  }
});
