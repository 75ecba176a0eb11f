import type { ErrorCode } from '../schema/errors.ts';

/**
 * Ends a task with a code of schema/errors.ts. `detail` is shown to the caller: name the field, the source or the
 * figure; never a path, a host that was resolved or text of another program.
 */
export class TaskFailure extends Error {
  readonly code: ErrorCode;
  /** Which source, counted from 0, where it is about one. */
  readonly sourceIndex: number | undefined;

  constructor(code: ErrorCode, detail: string, options: { sourceIndex?: number; cause?: unknown } = {}) {
    super(detail, { cause: options.cause });
    this.name = 'TaskFailure';
    this.code = code;
    this.sourceIndex = options.sourceIndex;
  }
}
