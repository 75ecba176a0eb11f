import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { TextRead, TextRequest } from '../model/read-text.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { textRead } from '../operations/read-text.ts';
import { bundled } from '../process/bundles.mjs';
import { afterRunning } from '../source/running-time.ts';
import type { TextAnswer } from './read-text-thread.ts';

/** Longer texts are parsed in a thread, to keep the event loop free for other tasks. */
const IN_PLACE_CHARACTERS = 64 * 1024;
const THREAD = fileURLToPath(new URL('read-text-thread.ts', import.meta.url));

/** The largest allowed text needs a twentieth of each limit. */
const limits = { milliseconds: 20_000, megabytes: 1024 };

/**
 * Parses a text from the caller. Throws TaskFailure: `captions_invalid` if it cannot be parsed, or not within the
 * limits of time and memory.
 */
export async function readText(
  request: TextRequest,
  signal: AbortSignal,
  { milliseconds, megabytes } = limits,
): Promise<TextRead> {
  signal.throwIfAborted();
  if (request.text.length <= IN_PLACE_CHARACTERS) return textRead(request);
  const refused = (why: string) => new TaskFailure('captions_invalid', why);
  const ended = Promise.withResolvers<TextRead>();
  const thread = new Worker(bundled(THREAD), {
    workerData: request,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  thread.once('message', (answer: TextAnswer) => {
    if ('read' in answer) ended.resolve(answer.read);
    else ended.reject(refused(answer.refused));
  });
  thread.once('error', (error: NodeJS.ErrnoException) => {
    const full = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    ended.reject(
      full ? refused(`${request.field}: Reading the text takes too much memory. Use a shorter text.`) : error,
    );
  });
  thread.once('exit', (code) => ended.reject(new Error(`the text parser thread exited with code ${code}`)));
  const callOff = afterRunning(milliseconds, () =>
    ended.reject(refused(`${request.field}: Reading the text takes too long. Use a shorter text.`)),
  );
  const stop = () => ended.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await ended.promise;
  } finally {
    callOff();
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
}
