/** Ignore the measured pace below these thresholds. */
const FRACTION = 0.05;
const SECONDS = 1;

/**
 * Estimates the remaining seconds of an attempt: first from the duration of similar work, then increasingly from its
 * own pace. Null if neither is known.
 */
export function remaining(at: { fraction: number; seconds: number; expected: number | null }): number | null {
  const { fraction, seconds, expected } = at;
  const byPast = expected === null ? null : Math.max(0, expected - seconds);
  const paceIsKnown = fraction >= FRACTION && seconds >= SECONDS;
  const byPace = paceIsKnown ? (seconds * (1 - fraction)) / fraction : null;
  if (byPast === null || byPace === null) return byPast ?? byPace;
  return fraction * byPace + (1 - fraction) * byPast;
}
