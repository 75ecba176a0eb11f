/** The limits of a plan at which requests are refused with 429 until the account uses less. Owners get a mail about them. */
export type NoticedLimit = 'creations_per_minute' | 'waiting';

/** Shares of a limit at which the mails are sent. */
const percents = [80, 100] as const;
export type NoticedPercent = (typeof percents)[number];

/** The highest share that is reached; null below the first one. */
export function reachedPercent(used: number, most: number): NoticedPercent | null {
  return percents.findLast((percent) => used * 100 >= most * percent) ?? null;
}
