import { type ErrorCode, errorEntry } from '../../schema/api/errors.ts';
import type { TaskError } from '../../schema/task/task.ts';
import type { Report } from '../../schema/task/wire.ts';
import { recordTime } from '../lib/record-time.ts';
import { mayTryAgain, mayWaitForRoom } from './attempts.ts';
import type { LiveTask } from './live-state.ts';
import type { Shell } from './shell.ts';
import { whyGivenUp } from './why-given-up.ts';

/** Failures of one machine and its surroundings, which the next attempt may not meet. */
const fixedElsewhere: ReadonlySet<ErrorCode> = new Set(['storage_failed', 'out_of_memory']);

type Ending = Extract<Report, { type: 'completed' | 'planned' | 'failed' }>;

function taskError(code: TaskError['code'], detail: string, stage: TaskError['stage']): TaskError {
  const { title, fault, retryable, hint } = errorEntry(code);
  return { code, title, detail, fault, retryable, stage, hint };
}

/** The event that gives the task another attempt; null if the failure is final. */
function retryOf(code: ErrorCode, task: LiveTask): 'failed' | 'out_of_disk' | null {
  if (code === 'out_of_disk') return mayWaitForRoom(task) ? code : null;
  return fixedElsewhere.has(code) && mayTryAgain(task) ? 'failed' : null;
}

const filesOf = (ending: Ending) => (ending.type === 'completed' ? ending.result.files : null);

/** Writes the end of each task once and queues its webhooks. */
export class Endings {
  readonly #shell: Shell;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  /** Ends a task as its attempt reports. @returns false if the attempt is stale and its objects must be deleted */
  async reported(taskId: string, attempt: number, ending: Ending): Promise<boolean> {
    const { apply, context, state, writes } = this.#shell;
    const now = Date.now();
    // The final report may be the first one to arrive, so it also counts as a sign of life.
    const alive = apply({ type: 'heartbeat', id: taskId, attempt, started: true }, now);
    // A machine that missed the answer reports its result again; its objects must then be kept.
    const wasTaken = async () =>
      ending.type !== 'failed' &&
      (await writes.next(taskId, () =>
        context.tasks.isResultOf(state.accountId, taskId, attempt, filesOf(ending)),
      ));
    if (alive.verdict !== 'accepted') return wasTaken();
    const task = state.live.tasks.get(taskId);
    const retry = ending.type === 'failed' && task ? retryOf(ending.failure.code, task) : null;
    if (retry) return apply({ type: retry, id: taskId, attempt }, now).verdict === 'accepted';
    apply({ type: 'ending', id: taskId, attempt }, now);
    const ended = await writes.next(taskId, () =>
      this.#write(taskId, attempt, ending, recordTime(taskId, now)),
    );
    if (ended) this.#learn(taskId, ending);
    apply({ type: 'ended', id: taskId, ...(ended ? {} : { attempt }) }, Date.now());
    this.#announce(ended);
    return ended !== null || wasTaken();
  }

  /** Fails a task that gets no other machine. */
  async givenUp({ id, losses, failures }: LiveTask): Promise<void> {
    const { apply, state, writes } = this.#shell;
    await writes.next(id, () => this.abandoned(state.accountId, id, whyGivenUp(losses, failures)));
    apply({ type: 'ended', id }, Date.now());
  }

  /** Fails a task that no machine works on any more. */
  async abandoned(accountId: string, taskId: string, detail: string): Promise<void> {
    const { tasks } = this.#shell.context;
    const { stage = 'waiting' } = (await tasks.read(accountId, taskId)) ?? {};
    const error = taskError('worker_lost', detail, stage);
    this.#announce(await tasks.fail(accountId, taskId, { error }, recordTime(taskId, Date.now())));
  }

  #learn(taskId: string, { type, metering }: Ending): void {
    const { paces, state } = this.#shell;
    const work = state.live.tasks.get(taskId)?.work;
    if (work !== undefined && metering && type !== 'failed') paces.learn(work, metering);
  }

  #write(taskId: string, attempt: number, ending: Ending, now: number) {
    const { context, state } = this.#shell;
    const { accountId, plan } = state;
    const { metering } = ending;
    if (ending.type === 'failed') {
      const { retryable, ...failure } = ending.failure;
      const known = taskError(failure.code, failure.detail, failure.stage);
      const error = { ...known, ...failure, retryable: retryable ?? known.retryable };
      return context.tasks.fail(accountId, taskId, { error, metering }, now);
    }
    const product =
      ending.type === 'planned'
        ? { plan: ending.plan, warnings: ending.warnings }
        : { result: ending.result, expiresAt: now + plan.retention_seconds * 1000 };
    return context.tasks.complete(accountId, taskId, attempt, product, metering, now);
  }

  /** Queues the webhook deliveries that were written together with the end of a task. */
  #announce(ended: { deliveries: { id: string }[] } | null): void {
    const attempts = (ended?.deliveries ?? []).map(({ id }) => ({ delivery_id: id, attempt: 0 }));
    this.#shell.waitUntil(this.#shell.context.queueAttempts(attempts));
  }
}
