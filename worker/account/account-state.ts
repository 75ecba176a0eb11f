import { type Plan, type PlanName, planOf } from '../../schema/api/plans.ts';
import type { Deletion } from './deletions.ts';
import { type LifeEvent, nextDeadline, reduce } from './lifecycle.ts';
import { type LiveTask, newFleetLink, nothing, type State, type Step } from './live-state.ts';

/** What an account stores in addition to its live tasks; written with the first task. */
interface Ledger {
  accountId: string;
  plan: PlanName;
  nextSeq: number;
  spent: readonly number[];
}

/** Written by this release or the previous one, which did not count failures. */
type StoredTask = Omit<LiveTask, 'failures'> & Partial<Pick<LiveTask, 'failures'>>;

const taskKey = (id: string) => `task:${id}`;
const deletionKey = (id: string) => `deletion:${id}`;

/**
 * The state of lifecycle.ts in the storage of an Account: loaded once, saved after each step, with one alarm for the next
 * deadline.
 */
export class AccountState {
  readonly #storage: DurableObjectStorage;
  readonly #waitUntil: (work: Promise<unknown>) => void;
  #ledger: Ledger;
  #live: State;

  constructor(storage: DurableObjectStorage, waitUntil: (work: Promise<unknown>) => void) {
    this.#storage = storage;
    this.#waitUntil = waitUntil;
    const { kv } = storage;
    this.#ledger = kv.get<Ledger>('ledger') ?? { accountId: '', plan: 'basic', nextSeq: 1, spent: [] };
    const tasks = new Map<string, LiveTask>();
    for (const [, task] of kv.list<StoredTask>({ prefix: 'task:' }))
      tasks.set(task.id, { failures: 0, ...task });
    const deletions = new Map<string, Deletion>();
    for (const [, deletion] of kv.list<Deletion>({ prefix: 'deletion:' }))
      deletions.set(deletion.id, deletion);
    this.#live = {
      ...{ nextSeq: this.#ledger.nextSeq, spent: this.#ledger.spent, tasks, deletions, erasuresFrom: 0 },
      fleet: newFleetLink(tasks.size === 0 ? nothing : null),
    };
  }

  get live(): State {
    return this.#live;
  }

  get accountId(): string {
    return this.#ledger.accountId;
  }

  get planName(): PlanName {
    return this.#ledger.plan;
  }

  get plan(): Plan {
    return planOf(this.planName);
  }

  /** Sets the owner and the plan; saved with the first admission. */
  belongsTo(accountId: string, plan: PlanName): void {
    this.#ledger = { ...this.#ledger, accountId, plan };
  }

  /** Sets the plan of an account with tasks; the next step counts on it. */
  changesTo(plan: PlanName): void {
    if (plan === this.#ledger.plan) return;
    this.#ledger = { ...this.#ledger, plan };
    this.#storage.kv.put('ledger', this.#ledger);
  }

  /** Takes one step and saves it. The caller runs the effects. If saving fails, the step is not taken. */
  step(event: LifeEvent, now: number): Step {
    const before = this.#live;
    const step = reduce(before, event, this.plan, now);
    this.#storage.transactionSync(() => this.#save(before, step.state));
    const { nextSeq, spent } = step.state;
    this.#ledger = { ...this.#ledger, nextSeq, spent };
    this.#live = step.state;
    this.#arm(before);
    return step;
  }

  #save(before: State, { tasks, deletions, nextSeq, spent }: State): void {
    const { kv } = this.#storage;
    for (const [id, task] of tasks) if (before.tasks.get(id) !== task) kv.put(taskKey(id), task);
    for (const id of before.tasks.keys()) if (!tasks.has(id)) kv.delete(taskKey(id));
    for (const [id, deletion] of deletions)
      if (before.deletions.get(id) !== deletion) kv.put(deletionKey(id), deletion);
    for (const id of before.deletions.keys()) if (!deletions.has(id)) kv.delete(deletionKey(id));
    if (nextSeq !== before.nextSeq || spent !== before.spent)
      kv.put('ledger', { ...this.#ledger, nextSeq, spent });
  }

  #arm(before: State): void {
    const deadline = nextDeadline(this.#live);
    if (deadline !== nextDeadline(before)) {
      this.#waitUntil(deadline === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(deadline));
    }
  }
}
