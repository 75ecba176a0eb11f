/** `Math.min` with a spread list overflows the stack above about 120,000 arguments; a film has more frames. Infinity for no values. */
export function least(values: Iterable<number>): number {
  let low = Number.POSITIVE_INFINITY;
  for (const value of values) low = Math.min(low, value);
  return low;
}

/** The same for `Math.max`; -Infinity for no values. */
export function greatest(values: Iterable<number>): number {
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) high = Math.max(high, value);
  return high;
}

/** Whether each value is greater than the one before it. */
export const isAscending = (values: readonly number[]): boolean =>
  values.every((value, at) => value > (values[at - 1] ?? Number.NEGATIVE_INFINITY));
