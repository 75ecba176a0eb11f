import { DurableObject } from 'cloudflare:workers';
import { type PlanName, planOf } from '../../schema/api/plans.ts';
import { LEASE_SECONDS, type Report } from '../../schema/task/wire.ts';
import type { Env } from '../bindings.ts';
import { makeContext } from '../context.ts';
import { errorText, log } from '../lib/log.ts';
import { recordTime } from '../lib/record-time.ts';
import type { AccountRpc, Dispatched, PlanUse } from './account-rpc.ts';
import { AccountState } from './account-state.ts';
import type { Admission, NewTaskRequest, ReplayRequest } from './admission.ts';
import { Creations, rateOf } from './creations.ts';
import { Effects } from './effects.ts';
import { Endings } from './endings.ts';
import { type LifeEvent, nextDeadline } from './lifecycle.ts';
import type { Step } from './live-state.ts';
import { Paces } from './paces.ts';
import { ProviderKeys } from './provider-keys.ts';
import type { Shell } from './shell.ts';
import { TaskWatch } from './task-watch.ts';
import { Watches } from './watches.ts';
import { WriteOrder } from './write-order.ts';

/** One account's live tasks: the shell around lifecycle.ts, with the methods that the rest of the service calls. */
export class Account extends DurableObject<Env> implements AccountRpc {
  private shell!: Shell;
  private creations!: Creations;
  private endings!: Endings;
  private effects!: Effects;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.assemble();
  }

  async submit(request: NewTaskRequest): Promise<Admission> {
    return this.creations.submit(request);
  }

  async providerKey(taskId: string): Promise<string | null> {
    return this.shell.providerKeys.find(taskId);
  }

  async isRunning(taskId: string, attempt: number): Promise<boolean> {
    const task = this.shell.state.live.tasks.get(taskId);
    return task !== undefined && task.slot !== null && task.attempt === attempt;
  }

  async replay(request: ReplayRequest): Promise<Admission | null> {
    return this.creations.replay(request);
  }

  async report(taskId: string, attempt: number, report: Report): Promise<boolean> {
    switch (report.type) {
      case 'progress':
        return this.progress(taskId, attempt, report);
      case 'released':
        return this.apply({ type: 'released', id: taskId, attempt }, Date.now()).verdict === 'accepted';
      case 'completed':
      case 'planned':
      case 'failed':
        return this.endings.reported(taskId, attempt, report);
    }
  }

  async claim(taskId: string, attempt: number, slot: number): Promise<boolean> {
    return this.apply({ type: 'claimed', id: taskId, attempt, slot }, Date.now()).verdict === 'accepted';
  }

  async dispatched(taskId: string, attempt: number, outcome: Dispatched): Promise<void> {
    this.apply({ id: taskId, attempt, ...outcome }, Date.now());
  }

  async permitFree(): Promise<void> {
    this.apply({ type: 'called' }, Date.now());
  }

  async lost(taskId: string, attempt: number): Promise<void> {
    this.apply({ type: 'lost', id: taskId, attempt }, Date.now());
  }

  async settled(taskId: string): Promise<void> {
    this.apply({ type: 'ended', id: taskId }, Date.now());
  }

  async remove(accountId: string, taskId: string): Promise<boolean> {
    const { tasks, archive } = this.shell.context;
    const known = (await tasks.read(accountId, taskId)) ?? (await archive.find(accountId, taskId));
    if (!known) return false;
    this.apply({ type: 'deleted', id: taskId }, Date.now());
    return this.effects.erase(accountId, taskId);
  }

  async watch(plan: PlanName, taskId: string): Promise<TaskWatch | null> {
    const { watches, state, writes } = this.shell;
    if (watches.open >= planOf(plan).connections) return null;
    const live = () => state.live.tasks.get(taskId);
    const settled = () => writes.settled(taskId);
    return new TaskWatch({ watches, live, settled }, taskId);
  }

  async usage(plan: PlanName): Promise<PlanUse> {
    await this.planIs(plan);
    const { state, watches } = this.shell;
    const tasks = [...state.live.tasks.values()];
    return {
      running: tasks.filter((task) => task.slot !== null).length,
      waiting: tasks.filter((task) => task.slot === null).length,
      connections: watches.open,
      rate: rateOf(state.live, plan, Date.now()),
    };
  }

  async planIs(plan: PlanName): Promise<void> {
    const { state } = this.shell;
    if (plan === state.planName || state.live.tasks.size === 0) return;
    state.changesTo(plan);
    this.apply({ type: 'tick' }, Date.now());
  }

  async nudge(accountId: string, taskId: string): Promise<boolean> {
    const { tasks, deletions } = this.shell.state.live;
    const held = tasks.has(taskId) || deletions.has(taskId);
    if (!held) {
      await this.endings.abandoned(accountId, taskId, 'The machine that processed this task was lost.');
      return false;
    }
    this.apply({ type: 'tick' }, Date.now());
    await this.effects.correct(taskId);
    return true;
  }

  async forget(): Promise<boolean> {
    const { tasks, deletions } = this.shell.state.live;
    if (tasks.size > 0 || deletions.size > 0) return false;
    await this.ctx.storage.deleteAll();
    this.assemble();
    return true;
  }

  override async alarm(): Promise<void> {
    let earliest = 0;
    try {
      this.apply({ type: 'tick' }, Date.now());
    } catch (error) {
      // Cloudflare gives up an alarm after six failures in a row.
      log('error', 'alarm_failed', { error: errorText(error) });
      earliest = Date.now() + 10_000;
    }
    const deadline = nextDeadline(this.shell.state.live);
    if (deadline !== null) await this.ctx.storage.setAlarm(Math.max(deadline, earliest));
  }

  private async progress(
    taskId: string,
    attempt: number,
    at: Extract<Report, { type: 'progress' }>,
  ): Promise<boolean> {
    // A transcoder may queue tasks itself; a task counts as queued until the transcoder starts it.
    const started = at.stage !== 'waiting';
    const { verdict } = this.apply({ type: 'heartbeat', id: taskId, attempt, started }, Date.now());
    if (verdict !== 'accepted') return false;
    if (!started) return true;
    const now = Date.now();
    const { stage, progress_percent: progressPercent, eta_seconds: etaSeconds } = at;
    const since = { [stage]: recordTime(taskId, now) };
    const leaseExpiresAt = now + LEASE_SECONDS * 1000;
    this.shell.waitUntil(
      this.effects.progress(taskId, attempt, { stage, progressPercent, etaSeconds, leaseExpiresAt, since }),
    );
    return true;
  }

  /** Makes the parts of this object from what its storage holds. */
  private assemble(): void {
    const { ctx, env } = this;
    const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
    this.shell = {
      context: makeContext(env),
      state: new AccountState(ctx.storage, waitUntil),
      paces: new Paces(ctx.storage.kv),
      writes: new WriteOrder(),
      watches: new Watches(),
      providerKeys: new ProviderKeys(ctx.storage.sql),
      apply: (event, now) => this.apply(event, now),
      waitUntil,
    };
    this.creations = new Creations(this.shell, ctx.storage.sql);
    this.endings = new Endings(this.shell);
    this.effects = new Effects(this.shell, this.endings, env.DISPATCH);
  }

  private apply(event: LifeEvent, now: number): Step {
    const before = this.shell.state.live;
    const step = this.shell.state.step(event, now);
    for (const id of before.tasks.keys()) if (!step.state.tasks.has(id)) this.shell.providerKeys.forget(id);
    for (const effect of step.effects) this.effects.run(effect);
    // A deleted task stays readable until its record is removed.
    if (event.type !== 'deleted')
      for (const id of before.tasks.keys()) if (!step.state.tasks.has(id)) this.shell.watches.wake(id);
    return step;
  }
}
