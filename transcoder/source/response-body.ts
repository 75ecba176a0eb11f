import type { IncomingMessage } from 'node:http';
import { TaskFailure } from '../model/task-failure.ts';
import { everyWhile } from './running-time.ts';

/** Limits on how slow a source may be. */
export interface Pace {
  /** Longest pause between two bytes, in milliseconds. */
  idle: number;
  /** Period for the average speed, in milliseconds. */
  window: number;
  bytesPerSecond: number;
  /** Interval between checks, in milliseconds. */
  every: number;
}

export const securityPace: Pace = { idle: 15_000, window: 30_000, bytesPerSecond: 64 * 1024, every: 1000 };

/** Yields the body chunk by chunk. Errors are blamed on the source. */
export async function* received(
  response: IncomingMessage,
  pace: Pace,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const watch = watchPace(response, pace);
  const abort = () => response.destroy();
  signal.addEventListener('abort', abort, { once: true });
  try {
    for await (const chunk of response) {
      watch.arrived(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof TaskFailure) throw error;
    signal.throwIfAborted();
    throw truncated(error);
  } finally {
    signal.removeEventListener('abort', abort);
    watch.stop();
  }
  signal.throwIfAborted();
  if (!response.complete) throw truncated();
}

function watchPace(response: IncomingMessage, pace: Pace) {
  let total = 0;
  let [last, looked] = [0, 0];
  const marks = [{ at: 0, total }];
  const stop = everyWhile(pace.every, (now) => {
    marks.push({ at: now, total });
    while (marks[1] && now - marks[1].at >= pace.window) marks.shift();
    const [oldest] = marks;
    const span = oldest ? now - oldest.at : 0;
    const slow = oldest && span >= pace.window && (total - oldest.total) * 1000 < pace.bytesPerSecond * span;
    if (slow || now - last > pace.idle) {
      response.destroy(new TaskFailure('source_too_slow', 'The source sends data too slowly.'));
    }
    looked = now;
  });
  return {
    arrived(bytes: number) {
      total += bytes;
      last = looked;
    },
    stop,
  };
}

/** Length of the body as announced by the origin, or null. */
export function announcedBytes(response: IncomingMessage): number | null {
  const header = response.headers['content-length'];
  return header && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

export function truncated(cause?: unknown): TaskFailure {
  return new TaskFailure('source_truncated', 'The source sent fewer bytes than it announced.', { cause });
}
