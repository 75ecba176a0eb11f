import { expect, test } from 'vitest';
import { DistinctTicks } from '../../../transcoder/model/numbers/distinct-ticks.ts';

const distinct = (ticks: readonly number[]) => {
  const taken = new DistinctTicks();
  return ticks.map((tick) => taken.take(tick));
};

test('ticks that are repeated move to the next free one', () => {
  expect(distinct([0, 33, 33, 33, 34, 70, 0])).toEqual([0, 33, 34, 35, 36, 70, 1]);
});

test('half a million alike, and as many that meet them one by one, are soon distinct', () => {
  const many = 500_000;
  const ticks = Array.from({ length: 2 * many }, (_, index) => (index < many ? 0 : index - many));
  expect(new Set(distinct(ticks)).size).toBe(2 * many);
});
