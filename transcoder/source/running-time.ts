/** A pause of this many periods is one of this process, not of the other side. */
const FROZEN = 3;

/**
 * Looks at something every so many milliseconds, and tells for how many this process has run since: time in which it was
 * frozen (SIGSTOP, a machine that slept, a blocked loop) is nobody else's. @returns what ends it.
 */
export function everyWhile(period: number, look: (runningMs: number) => void): () => void {
  let [running, before] = [0, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    running += now - before > FROZEN * period ? period : now - before;
    before = now;
    look(running);
  }, period);
  return () => clearInterval(timer);
}

const PERIOD = 500;

/** Calls once this process has run for so many milliseconds. @returns what calls it off. */
export function afterRunning(milliseconds: number, then: () => void): () => void {
  const stop = everyWhile(Math.min(PERIOD, milliseconds), (running) => {
    if (running < milliseconds) return;
    stop();
    then();
  });
  return stop;
}
