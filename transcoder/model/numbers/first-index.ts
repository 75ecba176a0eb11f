/** Bisects for the index of the first of `count` positions at which `holds` is true; `count` if there is none. */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Index of the first of these ascending values that is at least `least`; their number if there is none. */
export const firstAtLeast = (values: ArrayLike<number>, least: number): number =>
  firstIndex(values.length, (index) => (values[index] ?? 0) >= least);
