/** The limits of a plan at which requests are refused with 429 until the account uses less. Owners get a mail about them. */
export const noticedLimits = ['creations_per_minute', 'waiting'] as const;
export type NoticedLimit = (typeof noticedLimits)[number];

/** Shares of a limit at which the mails are sent. */
export const noticedPercents = [80, 100] as const;
export type NoticedPercent = (typeof noticedPercents)[number];

/** The highest share that is reached; null below the first one. */
export function reachedPercent(used: number, most: number): NoticedPercent | null {
  return noticedPercents.findLast((percent) => used * 100 >= most * percent) ?? null;
}
