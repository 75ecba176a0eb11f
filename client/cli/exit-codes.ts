import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  InvalidKeyError,
  NoFilesError,
  NotFoundError,
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
  refused: {
    code: 3,
    doc: 'the service refused the request, or does not offer what it needs; fix it before you send it again',
  },
  key: { code: 4, doc: 'the key is missing or not valid, or the plan does not include the operation' },
  failed: { code: 5, doc: 'the task failed' },
  unavailable: { code: 6, doc: 'the service cannot be reached, is busy or has an error; try again later' },
  interrupted: { code: 130, doc: 'Ctrl-C; a task that the command started is deleted' },
} as const;

/** The command line is not right. */
export class UsageError extends Error {}

/** There is no key to send. */
export class MissingKeyError extends Error {
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** A file of the result has the path of a source. */
export class ReplacesSourceError extends Error {
  override readonly name = 'ReplacesSourceError';
}

/** What went wrong after the task was created. */
export abstract class AfterStartError extends Error {
  readonly taskId: string;
  abstract readonly fix: string;

  constructor(message: string, taskId: string, cause: unknown) {
    super(message, { cause });
    this.taskId = taskId;
  }
}

/** The task is completed, but its result could not be saved. */
export class NotSavedError extends AfterStartError {
  readonly fix: string;

  constructor(taskId: string, cause: unknown) {
    super('The result could not be saved.', taskId, cause);
    this.fix = `The task is completed: \`spool wait ${taskId} -o PATH\` saves its result.`;
  }
}

/** The service was lost before the task ended. */
export class NotAwaitedError extends AfterStartError {
  readonly fix: string;

  constructor(taskId: string, cause: unknown) {
    super('The task was not awaited to its end.', taskId, cause);
    this.fix = `The task runs on: \`spool wait ${taskId}\` waits for it again and saves its result.`;
  }
}

/** What Ctrl-C ends a command with. */
export const interruption = () => new DOMException('Interrupted.', 'AbortError');

/** What ended the waiting for a task, with its id if the task goes on. */
export function waitError(error: unknown, taskId: string | undefined): unknown {
  const isEnd = [TaskFailedError, NotFoundError, NoFilesError].some((one) => error instanceof one);
  return taskId === undefined || isEnd || !(error instanceof SpoolError)
    ? error
    : new NotAwaitedError(taskId, error);
}

export function exitCodeOf(error: unknown): number {
  return exitCodes[kindOf(error)].code;
}

function kindOf(error: unknown): keyof typeof exitCodes {
  if (error instanceof AfterStartError) return kindOf(error.cause);
  if (error instanceof UsageError) return 'usage';
  if (error instanceof DOMException && error.name === 'AbortError') return 'interrupted';
  if (error instanceof TaskFailedError) return 'failed';
  const ofKey = [MissingKeyError, InvalidKeyError, AuthenticationError, PermissionError];
  if (ofKey.some((one) => error instanceof one)) return 'key';
  if (error instanceof ConnectionError || error instanceof RateLimitError) return 'unavailable';
  // A proxy in front of the service names no code, and does not say whether to try again.
  if (error instanceof ServiceError && (error.retryable || error.code === undefined)) return 'unavailable';
  if (error instanceof ApiError) return 'refused';
  return error instanceof SpoolError && error.retryable ? 'unavailable' : 'unexpected';
}
