import { type Failure, WIRE_VERSION } from '../../schema/task/wire.ts';
import type { Slots, Ticket } from '../model/slots.ts';
import { Interruption, type Why } from './interruption.ts';
import type { Task } from './job.ts';
import { Reporter } from './reporter.ts';
import { type Outcome, runTask, type TaskContext } from './run-task.ts';
import { removeObjects } from './upload.ts';

interface Attempt {
  task: Task;
  abort: (why: Why) => void;
  ended: Promise<void>;
}

const REMEMBERED = 1000;
const internal = (detail: string, stage: Failure['stage']): Failure => ({
  code: 'internal_error',
  detail,
  stage,
});
const notRecorded = {
  completed: 'The result could not be recorded.',
  planned: 'The plan could not be recorded.',
  failed: 'The task failed, and the reason could not be recorded.',
};

/** An attempt that threw has no account of what it used. */
type Ended = Outcome | { type: 'failed'; failure: Failure };

/** The attempts of this process. Each runs once, can be stopped, and is handed back when the process shuts down. */
export class Attempts {
  readonly #ctx: TaskContext;
  readonly #slots: Slots;
  readonly #live = new Set<Attempt>();
  /** Keys of accepted attempts, oldest first. A repeated dispatch must not run again. */
  readonly #seen = new Set<string>();
  #draining = false;

  constructor(ctx: TaskContext, slots: Slots) {
    this.#ctx = ctx;
    this.#slots = slots;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Slots that work, or whose end is not yet reported: until then a result can be lost with this process. */
  get busy(): number {
    return Math.max(this.#slots.busy, Math.min(this.#slots.size, this.#live.size));
  }

  /** How many more tasks could start immediately. */
  get free(): number {
    return this.#draining ? 0 : this.#slots.free;
  }

  /** @returns false if there is no capacity. */
  submit(task: Task): boolean {
    const key = `${task.task_id}/${task.attempt}`;
    if (this.#seen.has(key)) return true;
    if (this.#draining) return false;
    const others = this.#ofTask(task.task_id);
    if (others.some((other) => other.task.attempt > task.attempt)) return true;
    const ticket = this.#slots.acquire();
    if (!ticket) return false;
    for (const other of others) other.abort('stale');
    this.#remember(key);
    const controller = new AbortController();
    const abort = (why: Why) => controller.abort(new Interruption(why));
    const ended = this.#run(task, ticket, controller.signal, abort);
    const attempt: Attempt = { task, abort, ended };
    this.#live.add(attempt);
    void ended.finally(() => this.#live.delete(attempt));
    return true;
  }

  /** Stops this and earlier attempts of the task. Resolves when they have ended. */
  async stop(taskId: string, attempt: number): Promise<void> {
    const live = this.#ofTask(taskId).filter((other) => other.task.attempt <= attempt);
    for (const other of live) other.abort('stopped');
    await Promise.all(live.map(({ ended }) => ended));
  }

  /** Refuses new tasks, hands back all running ones, and resolves when they have ended. */
  async drain(): Promise<void> {
    this.#draining = true;
    const live = [...this.#live];
    for (const attempt of live) attempt.abort('released');
    await Promise.all(live.map(({ ended }) => ended));
  }

  async #run(task: Task, ticket: Ticket, signal: AbortSignal, abort: (why: Why) => void): Promise<void> {
    const log = this.#ctx.log.with({
      request_id: task.request_id,
      task_id: task.task_id,
      attempt: task.attempt,
    });
    const ctx = { ...this.#ctx, log };
    const reporter = new Reporter({
      url: task.callback_url,
      secret: task.callback_secret,
      log,
      expected: task.expected,
      onStale: () => abort('stale'),
    });
    const outcome = await this.#perform(ctx, task, ticket, signal, reporter)
      .catch((error): Ended => {
        log.error('an attempt threw', { error });
        return { type: 'failed', failure: internal('An internal error occurred.', 'rendering') };
      })
      .finally(() => ticket.release());
    log.info('attempt ended', { outcome: outcome.type === 'interrupted' ? outcome.why : outcome.type });
    await this.#tell(ctx, reporter, outcome, signal);
  }

  async #perform(
    ctx: TaskContext,
    task: Task,
    ticket: Ticket,
    signal: AbortSignal,
    reporter: Reporter,
  ): Promise<Outcome> {
    await Promise.race([ticket.ready, aborted(signal)]);
    // Ends the work alone: that it took too long is then reported for as long as any other end.
    const wall = new AbortController();
    const expiry = setTimeout(
      () => wall.abort(new Interruption('timed_out')),
      task.limits.task_seconds * 1000,
    );
    try {
      return await runTask(ctx, task, AbortSignal.any([signal, wall.signal]), reporter);
    } finally {
      clearTimeout(expiry);
    }
  }

  async #tell(ctx: TaskContext, reporter: Reporter, outcome: Ended, signal: AbortSignal): Promise<void> {
    const v = WIRE_VERSION;
    if (outcome.type === 'interrupted') {
      if (outcome.why === 'released') await reporter.finish({ v, type: 'released' });
      else reporter.close();
      return;
    }
    const receipt = await reporter.finish({ v, ...outcome }, signal);
    const refused = receipt === 'stale' || receipt === 'rejected';
    // Without a response the Worker may still have accepted the result, so the objects are deleted only after a
    // refusal.
    if (refused && outcome.type === 'completed')
      await removeObjects(
        ctx,
        outcome.result.files.map(({ key }) => key),
      );
    // In silence, the next attempts would end in the same way, and then the machine would be blamed. An older Worker may not know the code
    // of a failure.
    if (receipt === 'rejected')
      await reporter.finish({ v, type: 'failed', failure: internal(notRecorded[outcome.type], 'uploading') });
  }

  #ofTask(taskId: string): Attempt[] {
    return [...this.#live].filter(({ task }) => task.task_id === taskId);
  }

  #remember(key: string): void {
    this.#seen.add(key);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
