/** The least of so many values that they cannot all be arguments of Math.min: a film has more frames than a stack holds. */
export const least = (values: readonly number[]): number =>
  values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);

/** The greatest, in the same way. */
export const greatest = (values: readonly number[]): number =>
  values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
