import { expect, test } from 'vitest';
import { isEvenPart } from '../../../transcoder/operations/plan/geometry.ts';

test.each([
  [641, 640, true],
  [640, 640, true],
  [642, 640, false],
  [2, 2, true],
  // There is nothing to cut two pixels out of.
  [1, 2, false],
])('of %d pixels, %d are what is left without an odd last one: %s', (from, to, expected) => {
  expect(isEvenPart({ width: from, height: 480 }, { width: to, height: 480 })).toBe(expected);
  expect(isEvenPart({ width: 480, height: from }, { width: 480, height: to })).toBe(expected);
});
