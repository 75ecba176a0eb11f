/**
 * Shares the answer to a question that many requests may have at once, such as whether the transcoder is reachable. It is asked
 * once, and the answer is reused for `goodMs` milliseconds.
 */
export function sharedAnswer<T>(
  ask: () => Promise<T>,
  { goodMs, waitMs }: { goodMs: (answer: T) => number; waitMs: number },
): () => Promise<T | null> {
  let known: { answer: T; until: number } | null = null;
  let asking: { answered: Promise<void>; since: number } | null = null;

  /** @returns the answer; the previous one (or null) if none arrives within `waitMs` */
  return async () => {
    const now = Date.now();
    if (known && now < known.until) return known.answer;
    // The runtime drops the work of a request whose caller disconnects, so a question without an answer is asked again after a
    // while.
    if (!asking || now - asking.since > 2 * waitMs) {
      const answered = ask()
        .then((answer) => {
          known = { answer, until: Date.now() + goodMs(answer) };
        })
        .finally(() => {
          asking = null;
        });
      asking = { answered, since: now };
    }
    const patience = new Promise((resolve) => setTimeout(resolve, waitMs));
    await Promise.race([asking.answered.catch(() => {}), patience]);
    return known?.answer ?? null;
  };
}
