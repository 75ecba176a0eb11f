/** A timer that is late by this many periods means that this process was paused. */
const FROZEN = 3;

/**
 * Calls `look` every `period` milliseconds with the time that this process has been running. Pauses of the process
 * (SIGSTOP, a sleeping machine, a blocked event loop) do not count, because the other side is not to blame for them.
 * @returns a function that stops it.
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

/** Calls `then` once this process has run for this long. @returns a function that cancels it. */
export function afterRunning(milliseconds: number, then: () => void): () => void {
  const stop = everyWhile(Math.min(PERIOD, milliseconds), (running) => {
    if (running < milliseconds) return;
    stop();
    then();
  });
  return stop;
}
