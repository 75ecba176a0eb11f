import { describe, expect, it } from 'vitest';
import { countOf, countText } from '../../scripts/lib/test-count.mjs';

const file = (status: string, ...statuses: string[]) => ({
  status,
  assertionResults: statuses.map((each) => ({ status: each })),
});

describe('the counted line', () => {
  it('counts tests, and skipped ones apart', () => {
    const report = { testResults: [file('passed', 'passed', 'passed', 'skipped'), file('passed', 'todo')] };
    expect(countText(countOf(report))).toBe('2 passed, 0 failed, 2 skipped');
  });

  it('counts a file that does not load as one failed', () => {
    const report = { testResults: [file('failed'), file('failed', 'failed', 'passed')] };
    expect(countText(countOf(report))).toBe('1 passed, 2 failed');
  });

  it('finds nothing passed where there is no report', () => {
    expect(countText(countOf(undefined))).toBe('0 passed, 0 failed');
  });
});
