import type { PlanName } from '../../schema/api/plans.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import type { Creation } from './idempotency.ts';

export interface NewTaskRequest {
  accountId: string;
  plan: PlanName;
  requestId: string;
  operation: OperationName;
  input: Record<string, unknown>;
  metadata: Record<string, string>;
  /** The tasks whose outputs it reads. */
  sourceIds: readonly string[];
  /** The caller's key of a provider, sealed; null without one. */
  sealedKey: string | null;
  /** The caller's name for this request and what tells it from others; null without one. */
  idempotency: { key: string; digest: string } | null;
}

export type ReplayRequest = Pick<NewTaskRequest, 'accountId' | 'plan' | 'idempotency'>;

/** What the rate limit of creations says now, for the RateLimit headers. */
export interface Rate {
  remaining: number;
  /** Seconds until a token comes back. */
  nextSeconds: number;
}

export type Admission =
  | (Creation & { verdict: 'accepted'; replayed: boolean; rate: Rate })
  | { verdict: 'rate_limited' | 'queue_full' | 'idempotency_conflict' | 'idempotency_in_flight'; rate: Rate };
