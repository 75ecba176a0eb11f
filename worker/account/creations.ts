import { type PlanName, planOf } from '../../schema/api/plans.ts';
import { newId } from '../../schema/task/ids.ts';
import { Outage } from '../lib/outage.ts';
import type { Admission, NewTaskRequest, Rate, ReplayRequest } from './admission.ts';
import { type Creation, IdempotencyKeys, type Remembered } from './idempotency.ts';
import { LimitNotices } from './limit-notices.ts';
import type { State } from './live-state.ts';
import { rateState } from './rate.ts';
import type { Shell } from './shell.ts';

export function rateOf(state: State, plan: PlanName, now: number): Rate {
  const { remaining, nextMs } = rateState(state.spent, planOf(plan), now);
  return { remaining, nextSeconds: Math.ceil(nextMs / 1000) };
}

/** A dry run takes much less time than the operation, so the two are measured separately. */
const workOf = ({ operation, input }: NewTaskRequest) =>
  input.dry_run === true ? `${operation} dry_run` : operation;

/** Admits new tasks; requests with the same Idempotency-Key create one task. */
export class Creations {
  readonly #shell: Shell;
  readonly #keys: IdempotencyKeys;
  readonly #limits: LimitNotices;
  /** Keys of the creations in progress in this object. */
  readonly #underWay = new Set<string>();

  constructor(shell: Shell, sql: SqlStorage) {
    this.#shell = shell;
    this.#keys = new IdempotencyKeys(sql);
    this.#limits = new LimitNotices(shell);
  }

  /** Admits a task, writes its record and starts it if a slot is free. */
  async submit(request: NewTaskRequest): Promise<Admission> {
    const { accountId, plan, requestId, idempotency, sourceIds: sources } = request;
    const known = request.again && (await this.#known(request));
    if (known) return known;
    const replay = this.replay(request);
    const earlier = replay && (await replay);
    if (earlier) return earlier;
    // Nothing may be awaited until the key is stored; otherwise two requests with one key could both pass.
    const now = Date.now();
    const { state } = this.#shell;
    state.belongsTo(accountId, plan);
    const id = request.taskId ?? newId('task', now);
    if (state.live.tasks.has(id))
      return { verdict: 'idempotency_in_flight', rate: rateOf(state.live, plan, now) };
    const work = workOf(request);
    const { verdict } = this.#shell.apply({ type: 'admit', id, requestId, work, sources }, now);
    const rate = rateOf(state.live, plan, now);
    this.#limits.check(now);
    if (verdict === 'rate_limited' || verdict === 'queue_full') return { verdict, rate };
    const task = state.live.tasks.get(id);
    if (!task) throw new Error(`admitted task ${id} is not live`);
    if (request.sealedKey !== null) this.#shell.providerKeys.keep(id, request.sealedKey);
    const waiting = [...state.live.tasks.values()].filter(
      (other) => other.seq <= task.seq && other.phase !== 'running',
    );
    const made: Creation = {
      ...{ taskId: id, seq: task.seq, createdAt: now },
      ...{ queuePosition: waiting.length, etaSeconds: null },
    };
    if (idempotency) {
      this.#keys.remember(idempotency, made);
      this.#underWay.add(idempotency.key);
    }
    try {
      made.etaSeconds = await this.#record(request, made);
    } catch (error) {
      // The write may have succeeded despite the error.
      this.#shell.apply({ type: 'deleted', id }, Date.now());
      if (idempotency) this.#keys.forget(idempotency.key, id);
      throw error;
    } finally {
      if (idempotency) this.#underWay.delete(idempotency.key);
    }
    if (idempotency) this.#keys.confirm(idempotency.key, made);
    return { verdict: 'accepted', replayed: false, ...made, rate };
  }

  /** The stored answer for a known key. Resolves to null if the first request failed; returns null at once for an unknown key. */
  replay(request: ReplayRequest): Promise<Admission | null> | null {
    const { idempotency } = request;
    const known = idempotency && this.#keys.find(idempotency, Date.now());
    return known && this.#earlier(request, known);
  }

  /**
   * The task of an earlier call whose answer was lost; null if it was not written, or not yet.
   * @throws Outage if the task was abandoned: its id cannot be used again
   */
  async #known({ accountId, plan, taskId = '' }: NewTaskRequest): Promise<Admission | null> {
    const { state, context } = this.#shell;
    const written = await context.tasks.read(accountId, taskId);
    if (state.live.deletions.has(taskId)) throw new Outage(`the record of ${taskId} could not be written`);
    if (!written) return null;
    this.#shell.apply({ type: 'recorded', id: taskId }, Date.now());
    const { seq, createdAt, etaSeconds, queuePosition } = written;
    const made: Creation = { taskId, seq, createdAt, etaSeconds, queuePosition: queuePosition ?? 0 };
    return { verdict: 'accepted', replayed: false, ...made, rate: rateOf(state.live, plan, Date.now()) };
  }

  async #record(request: NewTaskRequest, { taskId: id, seq, createdAt }: Creation): Promise<number | null> {
    const { accountId, plan, requestId, operation, input, metadata, sourceIds } = request;
    const { remaining, resetAt } = rateState(this.#shell.state.live.spent, planOf(plan), createdAt);
    const expectedSeconds = this.#shell.paces.expected(workOf(request))?.typical_seconds ?? null;
    const etaSeconds = await this.#shell.context.tasks.create(
      { id, accountId, seq, requestId, operation, input, metadata, createdAt, expectedSeconds },
      sourceIds,
      { remaining, resetAt },
    );
    if (this.#shell.apply({ type: 'recorded', id }, Date.now()).verdict === 'unknown') {
      throw new Error(`the record of ${id} was written after the task was abandoned`);
    }
    return etaSeconds;
  }

  async #earlier(
    { accountId, plan, idempotency }: ReplayRequest,
    known: Remembered,
  ): Promise<Admission | null> {
    if (!idempotency) return null;
    const { key } = idempotency;
    const rate = rateOf(this.#shell.state.live, plan, Date.now());
    const { sameRequest, confirmed, ...made } = known;
    const { taskId } = made;
    const replay: Admission = { verdict: 'accepted', replayed: true, ...made, rate };
    if (!sameRequest) return { verdict: 'idempotency_conflict', rate };
    if (confirmed) return replay;
    if (this.#underWay.has(key)) return { verdict: 'idempotency_in_flight', rate };
    // The object restarted before it knew whether the record was written.
    const written = await this.#shell.context.tasks.read(accountId, taskId);
    if (written) {
      this.#shell.apply({ type: 'recorded', id: taskId }, Date.now());
      this.#keys.confirm(key, made);
      return replay;
    }
    const undecided =
      this.#shell.state.live.tasks.has(taskId) || this.#keys.find(idempotency, Date.now())?.taskId !== taskId;
    if (undecided) return { verdict: 'idempotency_in_flight', rate };
    this.#keys.forget(key, taskId);
    return null;
  }
}
