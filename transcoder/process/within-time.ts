import { createContext, Script } from 'node:vm';

/** What work throws that was not done in time. */
export class NotInTime extends Error {}

const context = createContext({ work: null });
const script = new Script('work()');

/**
 * Runs synchronous work and interrupts it if it has not ended in time; then the event loop goes on. What it has called to native code is
 * waited for, and its `finally` blocks are not run. Throws `NotInTime`, and whatever the work throws.
 */
export function withinTime<T>(work: () => T, milliseconds: number): T {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new NotInTime(`interrupted after ${milliseconds} ms`, { cause: error });
  } finally {
    context.work = null;
  }
}
