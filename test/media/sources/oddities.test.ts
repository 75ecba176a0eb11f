import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorEntry } from '../../../schema/api/errors.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { checkNames } from '../../corpus/checks.ts';
import type { Carrier } from '../../corpus/examine.ts';
import { expectNoDefects, oddityFolder, triedOddities } from '../../corpus/expect-no-defects.ts';
import { knownDefects } from '../../corpus/known-defects.ts';
import { makeOddities, oddities } from '../../corpus/oddities/make.ts';
import { type Attempts, startAttempts } from '../attempt.ts';

let attempts: Attempts;

beforeAll(async () => {
  await makeOddities(oddityFolder, triedOddities);
  attempts = await startAttempts(oddityFolder);
}, 600_000);

afterAll(() => attempts?.close());

/** Whole attempts of the transcoder. The whole service is given some in `test/e2e/oddities.test.ts`. */
const byAttempts = (): Carrier => ({
  media: attempts.media,
  async ended({ path, input }, seconds) {
    const name = operationNames.find((each) => operations[each].path === path);
    if (!name) return `there is no operation at ${path}`;
    const outcome = await attempts.run(name, input, AbortSignal.timeout(seconds * 1000));
    if (outcome.type === 'failed') {
      const { code, detail } = outcome.failure;
      return { error: { code, detail, fault: errorEntry(code).fault } };
    }
    if (outcome.type !== 'completed') return `it was ${outcome.type}`;
    const { files, warnings, ...output } = outcome.result;
    const download = (directory: string) =>
      Promise.all(
        files.map(async ({ key }, index) => {
          const copy = join(directory, `${index}`);
          await copyFile(attempts.stored(key), copy);
          return copy;
        }),
      );
    return { error: null, output, warnings, download };
  },
});

test.concurrent.each(triedOddities.map(({ name }) => name))(
  '%s is cut right and its last frame found',
  (name) => expectNoDefects(byAttempts(), name),
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
