import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  PermissionError,
  RateLimitError,
  ServiceError,
  SpoolError,
  TaskFailedError,
} from '../src/index.ts';

/** What the end of the program tells a script. */
export const exitCodes = {
  done: { code: 0, doc: 'done' },
  unexpected: { code: 1, doc: 'anything else, such as a file that cannot be written' },
  usage: { code: 2, doc: 'the command line is not right: nothing was sent' },
  refused: { code: 3, doc: 'the service refused the request; fix it before you send it again' },
  key: { code: 4, doc: 'the key is missing or not valid, or the plan does not include the operation' },
  failed: { code: 5, doc: 'the task failed' },
  unavailable: { code: 6, doc: 'the service cannot be reached, is busy or has an error; try again later' },
  interrupted: { code: 130, doc: 'Ctrl-C; a task that the command started is deleted' },
} as const;

/** The command line is not right. */
export class UsageError extends Error {}

/** A file of the result has the path of a source. */
export class ReplacesSourceError extends Error {
  override readonly name = 'ReplacesSourceError';
}

/** The task is completed, but its result could not be saved. */
export class NotSavedError extends Error {
  readonly taskId: string;

  constructor(taskId: string, cause: unknown) {
    super('The result could not be saved.', { cause });
    this.taskId = taskId;
  }
}

export function exitCodeOf(error: unknown): number {
  return exitCodes[kindOf(error)].code;
}

function kindOf(error: unknown): keyof typeof exitCodes {
  if (error instanceof NotSavedError) return kindOf(error.cause);
  if (error instanceof UsageError) return 'usage';
  if (error instanceof DOMException && error.name === 'AbortError') return 'interrupted';
  if (error instanceof TaskFailedError) return 'failed';
  if (error instanceof AuthenticationError || error instanceof PermissionError) return 'key';
  if (error instanceof ConnectionError || error instanceof RateLimitError || error instanceof ServiceError)
    return 'unavailable';
  if (error instanceof ApiError) return 'refused';
  return error instanceof SpoolError && error.retryable ? 'unavailable' : 'unexpected';
}
