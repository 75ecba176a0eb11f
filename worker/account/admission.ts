import type { PlanName } from '../../schema/api/plans.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import type { Creation, KeyedRequest } from './idempotency.ts';

export interface NewTaskRequest {
  accountId: string;
  plan: PlanName;
  requestId: string;
  /** The id that the task gets; absent in calls of the previous release. */
  taskId?: string;
  /** The answer to an earlier call with this id was lost: the task may exist. */
  again?: boolean;
  operation: OperationName;
  input: Record<string, unknown>;
  metadata: Record<string, string>;
  /** The tasks and uploads whose files this task reads. */
  sourceIds: readonly string[];
  /** The caller's providers, sealed; null if none were sent. */
  sealedKey: string | null;
  /** The Idempotency-Key, and a digest of the request that detects reuse with another request; null without a key. */
  idempotency: KeyedRequest | null;
}

export type ReplayRequest = Pick<NewTaskRequest, 'accountId' | 'plan' | 'idempotency'>;

/** State of the creation limit, for the RateLimit headers. */
export interface Rate {
  remaining: number;
  /** Seconds until the next token is back. */
  nextSeconds: number;
}

export type Admission =
  | (Creation & { verdict: 'accepted'; replayed: boolean; rate: Rate })
  | { verdict: 'rate_limited' | 'queue_full' | 'idempotency_conflict' | 'idempotency_in_flight'; rate: Rate };
