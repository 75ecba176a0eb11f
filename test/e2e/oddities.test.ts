import { extname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byService } from '../corpus/by-service.ts';
import { expectNoDefects, oddityFolder, triedOddities } from '../corpus/expect-no-defects.ts';
import { makeOddities, oddities } from '../corpus/oddities/make.ts';
import { sampled } from '../sampled.ts';
import { type Stack, startStack } from './stack.ts';

/** The first of each container; what the transcoder makes of all of them is tested in `test/media/sources/oddities.test.ts`. */
const names = [
  ...Map.groupBy(
    triedOddities.map(({ name }) => name),
    (name) => extname(name),
  ).values(),
].flatMap((those) => those.slice(0, 1));

let stack: Stack;

beforeAll(async () => {
  await makeOddities(oddityFolder, triedOddities);
  stack = await startStack(oddityFolder);
}, 600_000);

afterAll(() => stack?.close());

test.concurrent.each(sampled(names, 2))('%s is cut right and its last frame found', (name) =>
  expectNoDefects(byService(stack), name),
);

test('There are oddities of thirty containers and more', () =>
  expect(new Set(oddities.map(({ name }) => extname(name))).size).toBeGreaterThanOrEqual(30));
