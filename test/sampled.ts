/** Whether tables of cases are tried whole: `npm run test:all`. */
export const everyCase = process.env.SPOOL_TEST_EVERY_CASE === '1';

/**
 * Cases of a large table: each nth, or all of them in `npm run test:all`.
 * @param first Which one to begin with. Where one table is tried with each row of another, the index of that row: all rows of both are
 *   then tried, though not each with each.
 */
export const sampled = <T>(cases: readonly T[], nth: number, first = 0): T[] =>
  everyCase ? [...cases] : cases.filter((_, index) => index % nth === first % nth);
