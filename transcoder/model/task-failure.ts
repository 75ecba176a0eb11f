import type { ErrorCode } from '../../schema/api/errors.ts';

interface FailureOptions {
  sourceIndex?: number;
  retryable?: boolean | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/**
 * Ends a task with a code of schema/api/errors.ts. `detail` is shown to the caller: name the field, the source or the
 * figure; never a path, a host that was resolved or text of another program.
 */
export class TaskFailure extends Error {
  readonly code: ErrorCode;
  /** Which source, counted from 0, where it is about one. */
  readonly sourceIndex: number | undefined;
  /** Whether the same request can succeed later, where that differs from what its code says. */
  readonly retryable: boolean | undefined;
  /** Seconds to wait before trying again, if the other side said so. */
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
