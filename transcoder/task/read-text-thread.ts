import { parentPort, workerData } from 'node:worker_threads';
import type { TextRead, TextRequest } from '../model/read-text.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { textRead } from '../operations/read-text.ts';

/** Response of the thread that read-text.ts starts. */
export type TextAnswer = { read: TextRead } | { refused: string };

function answer(request: TextRequest): TextAnswer {
  try {
    return { read: textRead(request) };
  } catch (error) {
    if (error instanceof TaskFailure && error.code === 'captions_invalid') return { refused: error.message };
    throw error;
  }
}

parentPort?.postMessage(answer(workerData as TextRequest));
