/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * The tests in a report of vitest's json reporter. A file that failed without a failed test (it did not load, or a hook failed)
 * counts as one failed test.
 * @param {any} report undefined if vitest wrote none.
 * @returns {Count}
 */
export function countOf(report) {
  /** @type {Count} */
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report?.testResults ?? []) {
    const tests = { passed: 0, failed: 0, skipped: 0 };
    for (const { status } of file.assertionResults) {
      if (status === 'passed') tests.passed += 1;
      else if (status === 'failed') tests.failed += 1;
      else tests.skipped += 1;
    }
    count.passed += tests.passed;
    count.skipped += tests.skipped;
    count.failed += file.status === 'failed' ? Math.max(1, tests.failed) : tests.failed;
  }
  return count;
}

/** @param {Count} count */
export function countText({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
