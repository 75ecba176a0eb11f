/**
 * A question that many requests may need answered at once, such as whether the transcoder is there: it is asked once, and the
 * answer is good for as many milliseconds as `goodMs` says.
 */
export function sharedAnswer<T>(
  ask: () => Promise<T>,
  { goodMs, waitMs }: { goodMs: (answer: T) => number; waitMs: number },
): () => Promise<T | null> {
  let known: { answer: T; until: number } | null = null;
  let asking: { answered: Promise<void>; since: number } | null = null;

  /** @returns the answer; while none has come within `waitMs`, the one before, or null */
  return async () => {
    const now = Date.now();
    if (known && now < known.until) return known.answer;
    // The runtime drops the work of a request whose caller has gone: then nobody would ever be answered.
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
