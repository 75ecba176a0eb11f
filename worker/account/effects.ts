import { type DispatchMessage, WIRE_VERSION } from '../../schema/task/wire.ts';
import { errorText, log } from '../lib/log.ts';
import { recordTime } from '../lib/record-time.ts';
import type { Endings } from './endings.ts';
import type { Effect, LiveTask } from './live-state.ts';
import type { Shell } from './shell.ts';
import { statusOf } from './watches.ts';
import type { Progress } from './write-order.ts';

/**
 * Runs the effects of a life-cycle step. Failures are only logged, because the deadline of the task triggers the effect again, or the
 * next report or sweep writes what was lost.
 */
export class Effects {
  readonly #shell: Shell;
  readonly #endings: Endings;
  readonly #dispatches: Queue<DispatchMessage>;

  constructor(shell: Shell, endings: Endings, dispatches: Queue<DispatchMessage>) {
    this.#shell = shell;
    this.#endings = endings;
    this.#dispatches = dispatches;
  }

  /** Starts an effect. */
  run(effect: Effect): void {
    this.#shell.waitUntil(this.#attempt(effect));
  }

  /** Writes where an attempt is. */
  async progress(taskId: string, attempt: number, progress: Progress): Promise<void> {
    const { context, state, writes, watches } = this.#shell;
    await writes.addProgress(taskId, attempt, progress, (latest) =>
      context.tasks.progress(state.accountId, taskId, attempt, latest),
    );
    watches.wake(taskId);
  }

  /** Records that a task waits, if it does: a lost write of that is not repeated by any deadline. */
  async correct(taskId: string): Promise<void> {
    const { accountId, live } = this.#shell.state;
    const task = live.tasks.get(taskId);
    if (task && statusOf(task) === 'queued') await this.#requeue(accountId, task);
  }

  /** Deletes the files first and the record last, because the record is what finds half-deleted files. */
  async erase(accountId: string, taskId: string): Promise<boolean> {
    const { apply, context, watches } = this.#shell;
    await context.files.removeTask(taskId);
    const removed =
      (await context.tasks.remove(accountId, taskId)) ||
      (await context.archive.remove(accountId, taskId, Date.now()));
    watches.wake(taskId);
    apply({ type: 'erased', id: taskId }, Date.now());
    return removed;
  }

  async #attempt(effect: Effect): Promise<void> {
    try {
      await this.#work(effect);
    } catch (error) {
      const about =
        'task' in effect
          ? { task_id: effect.task.id, request_id: effect.task.requestId }
          : 'id' in effect && { task_id: effect.id };
      log('error', 'effect_failed', { effect: effect.type, ...about, error: errorText(error) });
    }
  }

  async #work(effect: Effect): Promise<void> {
    const { context, state } = this.#shell;
    const { accountId } = state;
    if (effect.type === 'erase') {
      await this.erase(accountId, effect.id);
      return;
    }
    if (effect.type === 'ask') return this.#ask(accountId, effect);
    const { task } = effect;
    switch (effect.type) {
      case 'dispatch':
        return this.#dispatch(accountId, task);
      case 'begin': {
        const now = Date.now();
        const at = recordTime(task.id, now);
        const begin = () => context.tasks.begin(accountId, task.id, task.attempt, at, task.deadline ?? now);
        return this.#write(task.id, begin);
      }
      case 'requeue':
        return this.#requeue(accountId, task);
      case 'stop':
        // If this fails, the next report of the attempt gets 409, which also stops it.
        return context.transcoder.stop(accountId, task.slot ?? 0, task.id, task.attempt);
      case 'give_up':
        return this.#endings.givenUp(task);
    }
  }

  #requeue(accountId: string, { id, attempt }: LiveTask): Promise<void> {
    return this.#write(id, () => this.#shell.context.tasks.requeue(accountId, id, attempt));
  }

  /** Writes about a task in order, and wakes those waiting for its changes. */
  async #write(taskId: string, work: () => Promise<void>): Promise<void> {
    await this.#shell.writes.add(taskId, work);
    this.#shell.watches.wake(taskId);
  }

  async #ask(accountId: string, { seq, demand }: Extract<Effect, { type: 'ask' }>): Promise<void> {
    const { apply, context, state } = this.#shell;
    try {
      const question = { account: accountId, plan: state.planName, seq, ...demand };
      const answer = await context.fleet.ask(question);
      if ('slots' in answer) apply({ type: 'permitted', seq, slots: answer.slots }, Date.now());
      else apply({ type: 'out_of_date', seq, heard: answer.heard }, Date.now());
    } catch (error) {
      apply({ type: 'unanswered', seq }, Date.now());
      throw error;
    }
  }

  async #dispatch(accountId: string, task: LiveTask): Promise<void> {
    await this.#shell.writes.settled(task.id);
    const expected = this.#shell.paces.expected(task.work);
    await this.#dispatches.send({
      v: WIRE_VERSION,
      task_id: task.id,
      account_id: accountId,
      attempt: task.attempt,
      slot: task.slot ?? 0,
      ...(expected ? { expected } : {}),
      request_id: task.requestId,
    });
  }
}
