import type { ErrorCode, Problem, Task, TaskError } from './printed/schemas.ts';
import type { LocalFile } from './source.ts';

/** What this client throws. A `TypeError` or an `AbortError` comes from the caller. */
export class SpoolError extends Error {
  override readonly name: string = 'SpoolError';
  /** Whether the same call can succeed later. The client has tried again already where that is safe. */
  readonly retryable: boolean = false;
}

/** A response with an error: RFC 9457, with the code of the table at `/docs/errors`. */
export class ApiError extends SpoolError {
  override readonly name: string = 'ApiError';
  override readonly retryable: boolean;
  readonly status: number;
  /** Undefined if the response did not come from Spool, but from a proxy in front of it. */
  readonly code: ErrorCode | undefined;
  readonly title: string;
  /** The fields to fix. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Page that explains the error. */
  readonly docs: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try; undefined if the response does not say. */
  readonly retryAfter: number | undefined;
  /** The file that was being uploaded; undefined for other requests. */
  file: Blob | LocalFile | undefined;

  constructor(response: Response, problem: Partial<Problem>) {
    super(problem.detail ?? `${hostOf(response)} answered with the status ${response.status}.`);
    this.status = response.status;
    this.code = problem.code;
    this.title = problem.title ?? response.statusText;
    this.errors = problem.errors ?? [];
    this.docs = problem.type;
    this.requestId = problem.request_id ?? response.headers.get('x-request-id') ?? undefined;
    this.retryAfter = secondsOf(response.headers.get('retry-after'));
    this.retryable = problem.retryable ?? [408, 425, 429, 502, 503, 504].includes(response.status);
  }
}

/** 401: the key is missing or not valid. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}
/** 402 or 403: the plan or subscription of the account does not allow it. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}
/** 404 or 410: it does not exist, or no longer. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 409: not possible in the current state. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 400, 413, 415, 416 or 422: the request has to be changed; `errors` names the fields. */
export class RequestError extends ApiError {
  override readonly name = 'RequestError';
}
/** 429: too many requests, or the queue of the account is full. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}
/** 5xx. */
export class ServiceError extends ApiError {
  override readonly name = 'ServiceError';
}

/** The key has a character that no key has, so nothing was sent with it. */
export class InvalidKeyError extends SpoolError {
  override readonly name = 'InvalidKeyError';
}

/** No response, or not all of it: the service could not be reached, or took too long. */
export class ConnectionError extends SpoolError {
  override readonly name = 'ConnectionError';
  override readonly retryable = true;
}

/** The task ended with an error. */
export class TaskFailedError extends SpoolError {
  override readonly name = 'TaskFailedError';
  override readonly retryable: boolean;
  readonly task: Task;
  readonly code: ErrorCode;
  readonly title: string;
  /** How to fix it. */
  readonly hint: string;
  /** Who has to act: the sender of the request, the host of the media, or the operator of the service. */
  readonly fault: TaskError['fault'];
  readonly stage: TaskError['stage'];

  constructor(task: Task, error: TaskError) {
    super(error.detail);
    this.task = task;
    this.code = error.code;
    this.title = error.title;
    this.hint = error.hint;
    this.fault = error.fault;
    this.stage = error.stage;
    this.retryable = error.retryable;
  }
}

/** The task has completed without files, as a dry run does: its `plan` is in `task`. */
export class NoFilesError extends SpoolError {
  override readonly name = 'NoFilesError';
  readonly task: Task;

  constructor(task: Task) {
    super(`Task ${task.id} has no files: it is ${task.status}.`);
    this.task = task;
  }
}

/** The file that arrived is not the file of the task. */
export class DownloadError extends SpoolError {
  override readonly name = 'DownloadError';
  override readonly retryable = true;
}

/** A webhook that was not signed with this secret, or too long ago. */
export class WebhookVerificationError extends SpoolError {
  override readonly name = 'WebhookVerificationError';
}

const classes: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  402: PermissionError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  429: RateLimitError,
};

/** Responses that a test or a proxy made may have no address. */
const hostOf = ({ url }: Response) => (URL.canParse(url) ? new URL(url).host : 'The server');

/** Reads the error of a response. */
export async function apiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const problem = typeof body === 'object' && body !== null ? (body as Partial<Problem>) : {};
  const ErrorClass = classes[response.status] ?? (response.status >= 500 ? ServiceError : RequestError);
  return new ErrorClass(response, problem);
}

/** `Retry-After`: seconds, or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
