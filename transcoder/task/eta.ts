/** Below these the pace of an attempt itself says nothing yet. */
const FRACTION = 0.05;
const SECONDS = 1;

/**
 * Seconds that an attempt still needs: at first by how long such work has taken before, then more and more by how far it has come
 * in its time. Null while nothing is known.
 */
export function remaining(at: { fraction: number; seconds: number; expected: number | null }): number | null {
  const { fraction, seconds, expected } = at;
  const byPast = expected === null ? null : Math.max(0, expected - seconds);
  const told = fraction >= FRACTION && seconds >= SECONDS;
  const byPace = told ? (seconds * (1 - fraction)) / fraction : null;
  if (byPast === null || byPace === null) return byPast ?? byPace;
  return fraction * byPace + (1 - fraction) * byPast;
}
