import { type TestFunction, type TestOptions, test } from 'vitest';

type Declared = [body: TestFunction, milliseconds?: number] | [options: TestOptions, body: TestFunction];

/** Whether tables of cases are tried whole: `npm run test:all`. */
export const everyCase = process.env.SPOOL_TEST_EVERY_CASE === '1';

/**
 * Cases of a large table: each nth, but at least one, or all of them in `npm run test:all`.
 * @param first Which one to begin with. Where one table is tried with each row of another, the index of that row: all rows of both are
 *   then tried, though not each with each.
 */
export function sampled<T extends unknown[] | [unknown]>(
  cases: readonly T[],
  nth: number,
  first?: number,
): T[];
export function sampled<T>(cases: readonly T[], nth: number, first?: number): T[];
export function sampled<T>(cases: readonly T[], nth: number, first = 0): T[] {
  const each = Math.min(nth, cases.length);
  return everyCase ? [...cases] : cases.filter((_, index) => index % each === first % each);
}

/**
 * A test of `npm run test:all` alone: it takes minutes of both cores, or looks at a case of what another one proves. Otherwise it counts as
 * skipped.
 */
export function thorough(name: string, ...rest: Declared): void {
  const declare = everyCase ? test : test.skip;
  declare(everyCase ? name : `${name} (npm run test:all)`, ...(rest as [TestFunction]));
}
