import { randomUUID } from 'node:crypto';
import { AV_LOG_ERROR, type AVLogLevel } from 'node-av/constants';
import { Log } from 'node-av/lib';

/** Does something while `take` receives what libav logs, call by call. A process handles one request at a time. */
export async function withMessages<T>(
  level: AVLogLevel,
  take: (message: string) => void,
  work: () => T | Promise<T>,
): Promise<T> {
  const end = randomUUID();
  const { promise, resolve } = Promise.withResolvers<void>();
  Log.setCallback((_, message) => (message === end ? resolve() : take(message)), { maxLevel: level });
  Log.setLevel(level);
  try {
    return await work();
  } finally {
    // Messages arrive later than they are logged.
    Log.log(level, end);
    Log.setLevel(AV_LOG_ERROR);
    await promise;
    Log.resetCallback();
  }
}
