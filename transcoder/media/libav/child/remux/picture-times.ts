import type { Shown, Stamp } from '../../../remux/presentation-times.ts';

/**
 * Presentation times where pictures state them themselves, and the usual ticks from one to the next; null if they state too few. Pictures
 * of joined streams begin their times again, and are shown at the usual distance.
 * @param ticks By packet; null for a picture that states no time.
 */
export function pictureTimes(
  stamps: readonly Stamp[],
  shown: readonly Shown[],
  ticks: readonly (number | null)[],
): { stamps: readonly Stamp[]; frame: number } | null {
  const times = shown.map(({ packet }) => ticks[packet] ?? null);
  const steps = times.flatMap((time, index) => {
    const before = times[index - 1] ?? null;
    return time === null || before === null ? [] : time - before;
  });
  const onward = steps.filter((step) => step > 0);
  const frame = onward.toSorted((a, b) => a - b)[Math.floor(onward.length / 2)];
  if (frame === undefined) return null;
  const [first] = times;
  if (first == null || onward.length < shown.length - 1) return { stamps, frame };
  const stated = stamps.map((stamp, packet) => {
    const own = ticks[packet] ?? null;
    return { ...stamp, pts: own === null ? null : Math.round(own - first) };
  });
  return { stamps: stated, frame };
}
