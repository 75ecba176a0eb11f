import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRetryAfter, pauseAfter, TRIES } from '../../../transcoder/model/retry-pause.ts';

const now = Date.parse('2026-11-20T10:00:00Z');

test.each([
  ['3', 3],
  [' 0 ', 0],
  ['Fri, 20 Nov 2026 10:00:30 GMT', 30],
  ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  ['Friday, 20-Nov-26 10:00:05 GMT', 5],
  ['', undefined],
  ['-1', undefined],
  ['2.5', undefined],
  ['1e3', undefined],
  ['soon', undefined],
  [undefined, undefined],
  [null, undefined],
])('Retry-After %j asks for %j seconds', (header, seconds) => {
  expect(parseRetryAfter(header, now)).toBe(seconds);
});

test('a pause is at least what was asked for, up to seven seconds, and never long', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: TRIES }),
      fc.option(fc.nat(1_000_000), { nil: undefined }),
      (failed, asked) => {
        const pause = pauseAfter(failed, asked);
        expect(pause).toBeGreaterThanOrEqual(Math.min(asked ?? 0, 7) * 1000);
        expect(pause).toBeLessThan(8000);
        expect(pause).toBeGreaterThan(100);
      },
    ),
  );
});

test('pauses grow and differ', () => {
  const pauses = (failed: number) => Array.from({ length: 50 }, () => pauseAfter(failed));
  expect(Math.max(...pauses(1))).toBeLessThan(Math.min(...pauses(2)));
  expect(new Set(pauses(1)).size).toBeGreaterThan(40);
});
