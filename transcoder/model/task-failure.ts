import type { ErrorCode } from '../../schema/api/errors.ts';

interface FailureOptions {
  sourceIndex?: number;
  retryable?: boolean | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/**
 * Ends a task with a code of schema/api/errors.ts. The caller sees `detail`: name the field, the source or the value; never
 * include a path, a resolved host or another program's output.
 */
export class TaskFailure extends Error {
  readonly code: ErrorCode;
  /** Index of the source at fault, if there is one. */
  readonly sourceIndex: number | undefined;
  /** Overrides whether the error code counts as retryable. */
  readonly retryable: boolean | undefined;
  /** Seconds to wait before a retry, if the other server stated them. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, detail: string, options: FailureOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'TaskFailure';
    this.code = code;
    this.sourceIndex = options.sourceIndex;
    this.retryable = options.retryable;
    this.retryAfter = options.retryAfter;
  }
}
