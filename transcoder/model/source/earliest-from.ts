/** For each of some times, the earliest one from it on. */
export function earliestFrom(times: Float64Array): Float64Array {
  const earliest = new Float64Array(times.length);
  let least = Number.POSITIVE_INFINITY;
  for (let index = times.length - 1; index >= 0; index--) {
    least = Math.min(least, times[index] ?? least);
    earliest[index] = least;
  }
  return earliest;
}
