import { expect, test } from 'vitest';
import { isUnsteady } from '../../../transcoder/model/source/unsteady-sound.ts';

const blocks = (length: number, times: readonly number[]) => times.map((time) => ({ time, length }));

test('sound with the times at which it arrived is unsteady', () => {
  expect(isUnsteady(blocks(0.06, [0.2, 0.2, 0.3, 0.4, 0.4, 0.5]))).toBe(true);
});

test.each([
  ['one packet after another', [0, 0.06, 0.12, 0.18]],
  ['times rounded to milliseconds', [0, 0.061, 0.119, 0.18]],
  ['a gap', [0, 0.06, 0.62, 0.68]],
  ['an overlap', [0, 0.06, 0.1, 0.16]],
  ['nothing', []],
])('sound is steady with %s', (_, times) => {
  expect(isUnsteady(blocks(0.06, times))).toBe(false);
});
