const EVERY_MS = 1000;
let said = Number.NEGATIVE_INFINITY;
let tell: (() => void) | null = null;

/** @param say Called when work goes on, at most once a second. */
export function onWork(say: () => void): void {
  tell = say;
}

/**
 * To be called wherever a packet or a frame is done. What the parent hears of progress are steps in the result; one of them may take
 * minutes on a busy machine, and the parent ends a process from which it hears nothing.
 */
export function atWork(): void {
  if (!tell || performance.now() - said < EVERY_MS) return;
  said = performance.now();
  tell();
}
