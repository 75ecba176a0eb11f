/** Duration of one tick in seconds, as a fraction. */
export interface TimeBase {
  num: number;
  den: number;
}

/** Parses ffprobe's notation, such as `1/15360`. */
export function timeBaseOf(text: string): TimeBase {
  const [num = 1, den = 1] = text.split('/').map(Number);
  return { num, den };
}

type Rounding = 'nearest' | 'down' | 'up';

/** Converts ticks to another timebase, exact except for the final rounding; halves are rounded up. */
export function rescale(
  value: number | bigint,
  from: TimeBase,
  to: TimeBase,
  rounding: Rounding = 'nearest',
): number {
  const dividend = BigInt(value) * BigInt(from.num) * BigInt(to.den);
  const divisor = BigInt(from.den) * BigInt(to.num);
  if (rounding === 'down') return Number(floored(dividend, divisor));
  if (rounding === 'up') return Number(-floored(-dividend, divisor));
  return Number(floored(2n * dividend + divisor, 2n * divisor));
}

function floored(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

export const MICROSECONDS: TimeBase = { num: 1, den: 1_000_000 };
const NANOSECONDS: TimeBase = { num: 1, den: 1_000_000_000 };

/**
 * Converts seconds to ticks. A tick that was converted to seconds comes back as the same tick, because no timebase is finer than
 * the nanoseconds used in between.
 */
export function ticksOf(seconds: number, base: TimeBase, rounding?: Rounding): number {
  return rescale(Math.round(seconds * NANOSECONDS.den), NANOSECONDS, base, rounding);
}

export const secondsOf = (ticks: number, { num, den }: TimeBase): number => (ticks * num) / den;

/** Ticks per second with a precision of 0.05 ms; mp4 is written with at least as many. */
const FINE = 10_000;

/** A multiple of this timebase that is fine enough for the times of other tracks. */
export function finer({ den }: TimeBase): TimeBase {
  let ticks = den;
  while (ticks < FINE) ticks *= 2;
  return { num: 1, den: ticks };
}
