import { DurableObject } from 'cloudflare:workers';
import { errorEntry } from '../../schema/errors.ts';
import { newId } from '../../schema/ids.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import { type PlanName, planOf } from '../../schema/plans.ts';
import type { TaskError } from '../../schema/task.ts';
import { LEASE_SECONDS, type Report, WIRE_VERSION } from '../../schema/wire.ts';
import type { Env } from '../bindings.ts';
import { type Context, makeContext } from '../context.ts';
import { errorText, log } from '../lib/log.ts';
import { type Creation, IdempotencyKeys, type Remembered } from './idempotency.ts';
import {
  type Effect,
  type LifeEvent,
  type LiveTask,
  nextDeadline,
  reduce,
  type State,
  type Step,
} from './lifecycle.ts';
import { rateState } from './rate.ts';
import { TaskWatch } from './task-watch.ts';
import { Watches } from './watches.ts';
import { WriteOrder } from './write-order.ts';

export type AccountStub = DurableObjectStub<Account>;

export interface NewTaskRequest {
  accountId: string;
  plan: PlanName;
  requestId: string;
  operation: OperationName;
  input: Record<string, unknown>;
  metadata: Record<string, string>;
  /** The caller's name for this request and what tells it from others; null without one. */
  idempotency: { key: string; digest: string } | null;
}

/** What the rate limit of creations says now, for the RateLimit headers. */
export interface Rate {
  remaining: number;
  /** Seconds until a token comes back. */
  nextSeconds: number;
}

export type Admission =
  | (Creation & { verdict: 'accepted'; replayed: boolean; rate: Rate })
  | { verdict: 'rate_limited' | 'queue_full' | 'idempotency_conflict' | 'idempotency_in_flight'; rate: Rate };

/** What an account keeps beside its live tasks; written with the first one. */
interface Ledger {
  accountId: string;
  plan: PlanName;
  nextSeq: number;
  spent: readonly number[];
}

const taskKey = (id: string) => `task:${id}`;

/** One account's live tasks: the shell around lifecycle.ts. Loads, applies, saves, runs effects, arms one alarm. */
export class Account extends DurableObject<Env> {
  private state: State;
  private ledger: Ledger;
  private readonly context: Context;
  private readonly writes = new WriteOrder();
  private readonly watches = new Watches();
  private readonly keys: IdempotencyKeys;
  /** Keys of the creations that are under way in this object. */
  private readonly creating = new Set<string>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.context = makeContext(env);
    this.keys = new IdempotencyKeys(ctx.storage.sql);
    this.ledger = ctx.storage.kv.get<Ledger>('ledger') ?? {
      accountId: '',
      plan: 'basic',
      nextSeq: 1,
      spent: [],
    };
    const tasks = new Map<string, LiveTask>();
    for (const [, task] of ctx.storage.kv.list<LiveTask>({ prefix: 'task:' })) tasks.set(task.id, task);
    this.state = { nextSeq: this.ledger.nextSeq, spent: this.ledger.spent, tasks };
  }

  /** Admits a task, writes its record and starts it when a slot is free. */
  async submit(request: NewTaskRequest): Promise<Admission> {
    const { accountId, plan, requestId, operation, input, metadata, idempotency } = request;
    const known = idempotency && this.keys.find(idempotency.key, Date.now());
    const earlier = known && (await this.earlier(request, known));
    if (earlier) return earlier;
    // Until the key is remembered nothing is awaited, so that of two requests with one key only one comes here.
    const now = Date.now();
    this.ledger = { ...this.ledger, accountId, plan };
    const id = newId('task', now);
    const { verdict } = this.apply({ type: 'admit', id, requestId }, now);
    const limit = rateState(this.state.spent, planOf(plan), now);
    const rate: Rate = { remaining: limit.remaining, nextSeconds: Math.ceil(limit.nextMs / 1000) };
    if (verdict === 'rate_limited' || verdict === 'queue_full') return { verdict, rate };
    const task = this.state.tasks.get(id);
    if (!task) throw new Error(`admitted task ${id} is not live`);
    const waiting = [...this.state.tasks.values()].filter(
      (other) => other.seq <= task.seq && other.phase !== 'running',
    );
    const made: Creation = { taskId: id, seq: task.seq, createdAt: now, queuePosition: waiting.length };
    if (idempotency) {
      this.keys.remember(idempotency.key, idempotency.digest, made);
      this.creating.add(idempotency.key);
    }
    try {
      await this.context.tasks.create(
        { id, accountId, seq: task.seq, requestId, operation, input, metadata, createdAt: now },
        { remaining: limit.remaining, resetAt: limit.resetAt },
      );
    } catch (error) {
      this.apply({ type: 'abandoned', id }, Date.now());
      if (idempotency) this.keys.forget(idempotency.key, id);
      throw error;
    } finally {
      if (idempotency) this.creating.delete(idempotency.key);
    }
    this.apply({ type: 'recorded', id }, Date.now());
    if (idempotency) this.keys.confirm(idempotency.key, id);
    return { verdict: 'accepted', replayed: false, ...made, rate };
  }

  /** The answer to a request whose key is known; null where nothing came of the first one. */
  private async earlier(
    { accountId, plan, idempotency }: NewTaskRequest,
    known: Remembered,
  ): Promise<Admission | null> {
    if (!idempotency) return null;
    const { key, digest } = idempotency;
    const limit = rateState(this.state.spent, planOf(plan), Date.now());
    const rate: Rate = { remaining: limit.remaining, nextSeconds: Math.ceil(limit.nextMs / 1000) };
    const { taskId, seq, createdAt, queuePosition } = known;
    const replay: Admission = {
      verdict: 'accepted',
      replayed: true,
      taskId,
      seq,
      createdAt,
      queuePosition,
      rate,
    };
    if (known.digest !== digest) return { verdict: 'idempotency_conflict', rate };
    if (known.confirmed) return replay;
    if (this.creating.has(key)) return { verdict: 'idempotency_in_flight', rate };
    // The object was restarted before it heard whether the record is written.
    const written = await this.context.tasks.read(accountId, taskId);
    if (written) {
      this.keys.confirm(key, taskId);
      return replay;
    }
    const undecided = this.state.tasks.has(taskId) || this.keys.find(key, Date.now())?.taskId !== taskId;
    if (undecided) return { verdict: 'idempotency_in_flight', rate };
    this.keys.forget(key, taskId);
    return null;
  }

  /** Takes a report of an attempt. @returns false where the attempt is stale and must stop. */
  async report(taskId: string, attempt: number, report: Report): Promise<boolean> {
    switch (report.type) {
      case 'progress':
        return this.progress(taskId, attempt, report);
      case 'released':
        return this.apply({ type: 'released', id: taskId, attempt }, Date.now()).verdict === 'accepted';
      case 'completed':
      case 'failed':
        return this.end(taskId, attempt, report);
    }
  }

  /** The transcoder has no room for this attempt yet. */
  async deferred(taskId: string, attempt: number, seconds: number): Promise<void> {
    this.apply({ type: 'deferred', id: taskId, attempt, until: Date.now() + seconds * 1000 }, Date.now());
  }

  /** An attempt that cannot be delivered, or whose container is gone. */
  async lost(taskId: string, attempt: number): Promise<void> {
    this.apply({ type: 'lost', id: taskId, attempt }, Date.now());
  }

  /** A task of which D1 says that it has ended or never was. */
  async settled(taskId: string): Promise<void> {
    this.apply({ type: 'ended', id: taskId }, Date.now());
  }

  /** Stops a task where it runs and deletes its files and its record. @returns false where there is none. */
  async remove(accountId: string, taskId: string): Promise<boolean> {
    this.apply({ type: 'deleted', id: taskId }, Date.now());
    if (!(await this.context.tasks.read(accountId, taskId))) return false;
    await this.context.files.removeTask(taskId);
    const removed = await this.context.tasks.remove(accountId, taskId);
    this.watches.wake(taskId);
    return removed;
  }

  /** Waits for changes of a task. @returns null where as many are open as the plan allows */
  async watch(plan: PlanName, taskId: string): Promise<TaskWatch | null> {
    if (this.watches.open >= planOf(plan).connections) return null;
    const live = () => this.state.tasks.get(taskId);
    const settled = () => this.writes.settled(taskId);
    return new TaskWatch({ watches: this.watches, live, settled }, taskId);
  }

  /** What is used of the plan right now. */
  async usage(
    plan: PlanName,
  ): Promise<{ running: number; waiting: number; connections: number; rate: Rate }> {
    const live = [...this.state.tasks.values()];
    const limit = rateState(this.state.spent, planOf(plan), Date.now());
    return {
      running: live.filter((task) => task.slot !== null).length,
      waiting: live.filter((task) => task.slot === null).length,
      connections: this.watches.open,
      rate: { remaining: limit.remaining, nextSeconds: Math.ceil(limit.nextMs / 1000) },
    };
  }

  /** Looks after a task that the sweeper found without a sign of life. */
  async nudge(accountId: string, taskId: string): Promise<void> {
    const now = Date.now();
    if (this.state.tasks.has(taskId)) this.apply({ type: 'tick' }, now);
    else {
      const error = taskError('worker_lost', 'No machine holds this task.');
      this.announce(await this.context.tasks.fail(accountId, taskId, { error }, now));
    }
  }

  override async alarm(): Promise<void> {
    let earliest = 0;
    try {
      this.apply({ type: 'tick' }, Date.now());
    } catch (error) {
      // Six failures in a row would end the alarm for good.
      log('error', 'alarm_failed', { error: errorText(error) });
      earliest = Date.now() + 10_000;
    }
    const deadline = nextDeadline(this.state);
    if (deadline !== null) await this.ctx.storage.setAlarm(Math.max(deadline, earliest));
  }

  private async progress(
    taskId: string,
    attempt: number,
    at: Extract<Report, { type: 'progress' }>,
  ): Promise<boolean> {
    const { verdict } = this.apply({ type: 'heartbeat', id: taskId, attempt }, Date.now());
    if (verdict !== 'accepted') return false;
    const { accountId } = this.ledger;
    const leaseExpiresAt = Date.now() + LEASE_SECONDS * 1000;
    this.write(taskId, () =>
      this.context.tasks.progress(accountId, taskId, attempt, {
        stage: at.stage,
        progressPercent: at.progress_percent,
        etaSeconds: at.eta_seconds,
        leaseExpiresAt,
      }),
    );
    return true;
  }

  private async end(
    taskId: string,
    attempt: number,
    report: Extract<Report, { type: 'completed' | 'failed' }>,
  ): Promise<boolean> {
    const now = Date.now();
    // A terminal report is a sign of life too: it may be the first one to arrive.
    const alive = this.apply({ type: 'heartbeat', id: taskId, attempt }, now);
    if (alive.verdict !== 'accepted') return false;
    if (this.apply({ type: 'ending', id: taskId, attempt }, now).verdict !== 'accepted') return false;
    const { accountId, plan } = this.ledger;
    await this.writes.settled(taskId);
    const { tasks } = this.context;
    const ended =
      report.type === 'completed'
        ? await tasks.complete(
            accountId,
            taskId,
            attempt,
            report,
            now,
            now + planOf(plan).retention_seconds * 1000,
          )
        : await tasks.fail(
            accountId,
            taskId,
            {
              error: { ...taskError(report.failure.code, report.failure.detail), ...report.failure },
              metering: report.metering,
            },
            now,
          );
    this.apply({ type: 'ended', id: taskId }, Date.now());
    this.announce(ended);
    return ended !== null;
  }

  /** Queues the deliveries that were written with the end of a task. */
  private announce(ended: { deliveries: { id: string }[] } | null): void {
    const attempts = (ended?.deliveries ?? []).map(({ id }) => ({ delivery_id: id, attempt: 0 }));
    this.ctx.waitUntil(this.context.queueAttempts(attempts));
  }

  private apply(event: LifeEvent, now: number): Step {
    const before = this.state;
    const step = reduce(before, event, planOf(this.ledger.plan), now);
    this.state = step.state;
    this.save(before);
    for (const effect of step.effects) this.run(effect);
    // A deleted task is still to be read until its record is removed.
    if (event.type !== 'deleted')
      for (const id of before.tasks.keys()) if (!step.state.tasks.has(id)) this.watches.wake(id);
    return step;
  }

  private save(before: State): void {
    const { kv } = this.ctx.storage;
    for (const [id, task] of this.state.tasks) if (before.tasks.get(id) !== task) kv.put(taskKey(id), task);
    for (const id of before.tasks.keys()) if (!this.state.tasks.has(id)) kv.delete(taskKey(id));
    const { nextSeq, spent } = this.state;
    if (nextSeq !== before.nextSeq || spent !== before.spent) {
      this.ledger = { ...this.ledger, nextSeq, spent };
      kv.put('ledger', this.ledger);
    }
    const deadline = nextDeadline(this.state);
    if (deadline !== nextDeadline(before)) {
      this.ctx.waitUntil(
        deadline === null ? this.ctx.storage.deleteAlarm() : this.ctx.storage.setAlarm(deadline),
      );
    }
  }

  private run(effect: Effect): void {
    const { task } = effect;
    const { accountId } = this.ledger;
    switch (effect.type) {
      case 'dispatch':
        this.ctx.waitUntil(this.dispatch(accountId, task));
        return;
      case 'begin': {
        const now = Date.now();
        this.write(task.id, () =>
          this.context.tasks.begin(accountId, task.id, task.attempt, now, task.deadline ?? now),
        );
        return;
      }
      case 'requeue':
        this.write(task.id, () => this.context.tasks.requeue(accountId, task.id));
        return;
      case 'stop':
        this.ctx.waitUntil(this.stop(accountId, task));
        return;
      case 'give_up':
        this.ctx.waitUntil(this.giveUp(accountId, task));
        return;
    }
  }

  private async dispatch(accountId: string, task: LiveTask): Promise<void> {
    await this.writes.settled(task.id);
    try {
      await this.env.DISPATCH.send({
        v: WIRE_VERSION,
        task_id: task.id,
        account_id: accountId,
        attempt: task.attempt,
        slot: task.slot ?? 0,
        request_id: task.requestId,
      });
    } catch (error) {
      // The deadline of the phase sends it again.
      log('error', 'dispatch_send_failed', {
        task_id: task.id,
        request_id: task.requestId,
        error: errorText(error),
      });
    }
  }

  private async stop(accountId: string, task: LiveTask): Promise<void> {
    try {
      await this.context.transcoder.stop(accountId, task.slot ?? 0, task.id, task.attempt);
    } catch (error) {
      // Its next report is answered 409, which stops it too.
      log('warn', 'stop_failed', { task_id: task.id, request_id: task.requestId, error: errorText(error) });
    }
  }

  private async giveUp(accountId: string, task: LiveTask): Promise<void> {
    const error = taskError('worker_lost', `The machine doing the work was lost ${task.losses} times.`);
    this.announce(await this.context.tasks.fail(accountId, task.id, { error }, Date.now()));
    this.apply({ type: 'ended', id: task.id }, Date.now());
  }

  private write(taskId: string, work: () => Promise<void>): void {
    this.ctx.waitUntil(this.writes.add(taskId, work).then(() => this.watches.wake(taskId)));
  }
}

function taskError(code: TaskError['code'], detail: string): TaskError {
  const { title, fault, retryable, hint } = errorEntry(code);
  return { code, title, detail, fault, retryable, stage: 'waiting', hint };
}
