import type { PlanName } from '../../schema/api/plans.ts';
import type { Report } from '../../schema/task/wire.ts';
import type { Admission, NewTaskRequest, Rate, ReplayRequest } from './admission.ts';
import type { TaskWatch } from './task-watch.ts';

/** The outcome of sending a claimed attempt to a machine. */
export type Dispatched = { type: 'accepted' | 'unsure' | 'failed' } | { type: 'returned'; pauseMs: number };

/** How much of its plan an account uses right now. */
export interface PlanUse {
  running: number;
  waiting: number;
  connections: number;
  rate: Rate;
}

/**
 * The methods of an Account that the rest of the Worker calls. Bindings and context use this interface instead of the class,
 * because the class itself needs both.
 */
export interface AccountRpc extends Rpc.DurableObjectBranded {
  /** Admits a task, writes its record, and starts it if a slot is free. */
  submit(request: NewTaskRequest): Promise<Admission>;

  /** Whether an attempt is the current one of a live task, and has a machine. */
  isRunning(taskId: string, attempt: number): Promise<boolean>;

  /** The caller's providers that a live task was submitted with, sealed; null if it had none. */
  providerKey(taskId: string): Promise<string | null>;

  /** The answer to an earlier request with the same Idempotency-Key; null if the key is new. */
  replay(request: ReplayRequest): Promise<Admission | null>;

  /** Takes a report of an attempt. @returns false if the attempt is stale and must stop */
  report(taskId: string, attempt: number, report: Report): Promise<boolean>;

  /** Claims an attempt before it is sent to the machine of a slot. @returns false if it must not be sent or is already claimed */
  claim(taskId: string, attempt: number, slot: number): Promise<boolean>;

  /** Takes the outcome of a dispatch. */
  dispatched(taskId: string, attempt: number, outcome: Dispatched): Promise<void>;

  /** Learns that the fleet has reserved a permit for this account. */
  permitFree(): Promise<void>;

  /** Learns that the container of an attempt has ended. */
  lost(taskId: string, attempt: number): Promise<void>;

  /** Learns that D1 has no live record of a task: it has ended or never existed. */
  settled(taskId: string): Promise<void>;

  /**
   * Stops a task and deletes its files and its record. An interrupted deletion resumes by itself.
   * @returns false if there is no such task
   */
  remove(accountId: string, taskId: string): Promise<boolean>;

  /** Waits for changes of a task. @returns null if the plan's limit of open connections is reached */
  watch(plan: PlanName, taskId: string): Promise<TaskWatch | null>;

  usage(plan: PlanName): Promise<PlanUse>;

  /** Learns the plan of its account, which may have changed. Tasks that wait, and those that run, go on with it. */
  planIs(plan: PlanName): Promise<void>;

  /**
   * Does overdue work, for a task without a recent sign of life, and corrects its record. A task that the account does not hold fails.
   * @returns whether the account holds it
   */
  nudge(accountId: string, taskId: string): Promise<boolean>;

  /** Deletes all that this object has stored. @returns false, with nothing deleted, if tasks are live or being deleted */
  forget(): Promise<boolean>;
}

export type AccountStub = DurableObjectStub<AccountRpc>;
