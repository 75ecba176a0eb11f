import type { PendingTask, TaskResult } from './pending-task.ts';
import type { OperationInputs, OperationName, OperationResults, Task, TaskPlan } from './printed/schemas.ts';

export interface StartOptions {
  /** Ends an upload or the pause before the next try. A request that was sent may create its task; `delete()` stops it. */
  signal?: AbortSignal;
  /**
   * For 24 hours, the same key and request return the same task. Every call has a key of its own by default. A local file is uploaded again
   * by each call, which is another request: to repeat one, upload the file yourself and keep its `upload:` address.
   */
  idempotencyKey?: string;
  /** Headers of the operation, such as `X-ElevenLabs-Key`. */
  headers?: Record<string, string>;
}

/** A dry run: what the request would produce. */
export type PlannedTask<Name extends OperationName> = Task & {
  operation: Name;
  status: 'completed';
  plan: TaskPlan & { data: OperationResults[Name] };
};

/** Starts a task of an operation. Files in the request are uploaded first. */
export interface StartTask<Name extends OperationName> {
  (input: OperationInputs[Name] & { dry_run: true }, options?: StartOptions): PendingTask<PlannedTask<Name>>;
  (input: OperationInputs[Name], options?: StartOptions): PendingTask<TaskResult<Name>>;
}
