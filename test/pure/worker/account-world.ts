import { type LifeEvent, nextDeadline, reduce } from '../../../worker/account/lifecycle.ts';
import {
  type Demand,
  type Effect,
  empty,
  type LiveTask,
  type Policy,
  type State,
  type Verdict,
} from '../../../worker/account/live-state.ts';

interface TaskRecord {
  status: 'queued' | 'processing' | 'completed' | 'failed';
  attempt: number;
}

/** A task and the number of an attempt at it. */
interface Attempt {
  id: string;
  attempt: number;
}

type Ending = Attempt & { type: 'completed' | 'failed' };

/** The cron nudges tasks whose lease is over or cannot be true. */
const SWEEP_MS = 5 * 60_000;

/** How a write of the database goes: it may also be done and its answer lost. */
export type Fate = 'done' | 'failed' | 'unanswered';

/**
 * The world around the reducer, in memory: database, object store, queue and transcoders, moved one step at a time, with the
 * shell of worker/account/account.ts and its parts between them.
 */
export class AccountWorld {
  state: State = empty;
  now = 1_800_000_000_000;
  /** Milliseconds slept in truth, whatever the clock says. */
  slept = 0;
  readonly policy: Policy;
  readonly records = new Map<string, TaskRecord>();
  readonly objects = new Set<string>();
  readonly messages: Attempt[] = [];
  /** Questions to the fleet that are under way. */
  readonly questions: { seq: number; demand: Demand }[] = [];
  /** Attempts that a consumer of the queue has claimed and not yet handed over. */
  readonly claims: Attempt[] = [];
  readonly running: Attempt[] = [];
  /** Attempts that were taken for dead; some are not. */
  readonly zombies: Attempt[] = [];
  readonly recording: string[] = [];
  readonly ending: Ending[] = [];
  /** How often each task has reached an end. */
  readonly ends = new Map<string, number>();
  readonly ids: string[] = [];
  /** The tasks whose output a task reads. */
  readonly sources = new Map<string, readonly string[]>();
  /** How often a task was dispatched after a wait for its source. */
  waits = 0;
  readonly violations: string[] = [];
  /** What becomes of the next writes of the database. */
  readonly fates: Fate[] = [];

  constructor(policy: Policy) {
    this.policy = policy;
  }

  apply(event: LifeEvent): Verdict {
    const before = this.state;
    const step = reduce(before, event, this.policy, this.now);
    this.state = step.state;
    this.#check(before);
    for (const effect of step.effects) this.#run(effect);
    return step.verdict;
  }

  /** @param sources tasks whose output it reads */
  create(sources: readonly string[] = []): void {
    const id = `${this.ids.length + 1}`;
    if (this.apply({ type: 'admit', id, requestId: 'r', work: 'cut', sources }) !== 'accepted') return;
    this.ids.push(id);
    this.sources.set(id, sources);
    this.recording.push(id);
  }

  record(id: string): void {
    const written = this.#write(() => this.records.set(id, { status: 'queued', attempt: 0 }));
    if (!written || this.apply({ type: 'recorded', id }) === 'unknown') this.apply({ type: 'deleted', id });
  }

  /** The fleet answers with at most so many permits. */
  answer({ seq, demand }: { seq: number; demand: Demand }, most: number): void {
    const all = Array.from({ length: this.policy.running }, (_, slot) => slot);
    const free = all.filter((slot) => !demand.slots.includes(slot));
    this.apply({ type: 'permitted', seq, slots: free.slice(0, Math.min(demand.wants, most)) });
  }

  deliver(one: Attempt): void {
    if (this.apply({ type: 'claimed', ...one }) !== 'accepted') return;
    const status = this.records.get(one.id)?.status;
    if (status !== 'queued' && status !== 'processing') {
      this.apply({ type: 'ended', id: one.id });
      return;
    }
    const sources = this.sources.get(one.id) ?? [];
    const statuses = sources.map((id) => this.records.get(id)?.status ?? 'deleted');
    const early = sources.some((id, index) => isLive(statuses[index]) && !this.state.deletions.has(id));
    if (early) this.violations.push('a task was sent to a machine before its source had ended');
    if (this.state.tasks.get(one.id)?.after) this.waits += 1;
    // As `prepare` does for a source that has no output.
    if (statuses.some((source) => source !== 'completed')) this.report('failed', one);
    else this.claims.push(one);
  }

  /** The attempt reaches a machine; `heard`: its answer comes back. */
  hand(one: Attempt, heard: boolean): void {
    remove(this.claims, one);
    const twice = [...this.running, ...this.zombies].some((other) => key(other) === key(one));
    if (twice) this.violations.push('one attempt was handed to two machines');
    this.running.push(one);
    if (heard) this.apply({ type: 'accepted', ...one });
    else this.apply({ type: 'unsure', ...one });
  }

  refuse(one: Attempt): void {
    remove(this.claims, one);
    this.apply({ type: 'returned', pauseMs: 0, ...one });
  }

  heartbeat(one: Attempt, started = true): void {
    // One that says how it ended is silent otherwise.
    if (this.objects.has(key(one))) return;
    if (this.apply({ type: 'heartbeat', started, ...one }) !== 'accepted') this.#stopped(one);
  }

  release(one: Attempt): void {
    remove(this.running, one);
    this.apply({ type: 'released', ...one });
  }

  die(one: Attempt): void {
    remove(this.running, one);
    this.zombies.push(one);
  }

  /** The attempt says how it ended; whether that is written is seen when it lands. */
  report(type: Ending['type'], one: Attempt): void {
    if (type === 'completed') this.objects.add(key(one));
    if (this.apply({ type: 'heartbeat', started: true, ...one }) !== 'accepted') {
      // The answer waits for the writes that are under way.
      for (const ending of this.ending.filter(({ id }) => id === one.id)) this.land(ending);
      this.#answer({ ...one, type }, false);
      return;
    }
    this.apply({ type: 'ending', ...one });
    this.ending.push({ ...one, type });
  }

  land(ending: Ending): void {
    remove(this.ending, ending);
    let changed = false;
    const written = this.#write(() => {
      changed = this.#end(ending.id, ending.type, ending.attempt);
    });
    if (!written) return;
    const { id, attempt } = ending;
    this.apply({ type: 'ended', id, ...(changed ? {} : { attempt }) });
    this.#answer(ending, changed);
  }

  delete(id: string): void {
    if (!this.records.has(id)) return;
    this.apply({ type: 'deleted', id });
    this.#erase(id);
  }

  tick(): void {
    this.apply({ type: 'tick' });
  }

  /** Lets time pass until the alarm, or until the sweeper looks after the account. @returns false where no alarm is set. */
  sleep(): boolean {
    const deadline = nextDeadline(this.state);
    if (deadline === null) return false;
    const wait = Math.min(SWEEP_MS, Math.max(0, deadline - this.now));
    this.now += wait;
    this.slept += wait;
    this.tick();
    return true;
  }

  #answer(one: Ending, changed: boolean): void {
    const record = this.records.get(one.id);
    const taken = changed || (record?.status === 'completed' && record.attempt === one.attempt);
    if (!taken) this.objects.delete(key(one));
    remove(this.running, one);
  }

  #stopped(one: Attempt): void {
    remove(this.running, one);
    this.objects.delete(key(one));
  }

  #end(id: string, status: 'completed' | 'failed', attempt: number): boolean {
    const record = this.records.get(id);
    if (!record || record.status === 'completed' || record.status === 'failed') return false;
    if (status === 'completed' && record.attempt > attempt) return false;
    this.records.set(id, { status, attempt });
    this.ends.set(id, (this.ends.get(id) ?? 0) + 1);
    return true;
  }

  #erase(id: string): void {
    for (const object of this.objects) if (object.startsWith(`${id}/`)) this.objects.delete(object);
    if (this.#write(() => this.records.delete(id))) this.apply({ type: 'erased', id });
  }

  #run(effect: Effect): void {
    if (effect.type === 'erase') {
      this.#erase(effect.id);
      return;
    }
    if (effect.type === 'ask') {
      this.questions.push(effect);
      return;
    }
    const { id, attempt } = effect.task;
    const record = this.records.get(id);
    const live = record?.status === 'queued' || record?.status === 'processing';
    switch (effect.type) {
      case 'dispatch':
        this.messages.push({ id, attempt });
        return;
      case 'begin':
        if (live) this.#write(() => this.records.set(id, { status: 'processing', attempt }));
        return;
      case 'requeue':
        if (record?.status === 'processing')
          this.#write(() => this.records.set(id, { ...record, status: 'queued' }));
        return;
      case 'stop':
        for (const one of this.running.filter((other) => other.id === id && other.attempt <= attempt))
          this.#stopped(one);
        return;
      case 'give_up':
        if (this.#write(() => this.#end(id, 'failed', attempt))) this.apply({ type: 'ended', id });
        return;
    }
  }

  /** @returns false where the writer is told that it failed. */
  #write(work: () => void): boolean {
    const fate = this.fates.shift() ?? 'done';
    if (fate !== 'failed') work();
    return fate === 'done';
  }

  #check(before: State): void {
    const live = [...this.state.tasks.values()];
    const slots = live.flatMap(({ slot }) => (slot === null ? [] : [slot]));
    if (new Set(slots).size !== slots.length) this.violations.push('two tasks share a slot');
    if (slots.length > this.policy.running) this.violations.push('more tasks run than the plan allows');
    const waits = ({ after = [] }: LiveTask) => after.some((id) => this.state.tasks.has(id));
    if (live.some((task) => task.slot !== null && waits(task)))
      this.violations.push('a task that waits for its source has a slot');
    const line = live.filter((task) => task.slot === null && task.phase !== 'backoff' && !waits(task));
    const { fleet } = this.state;
    const unasked = fleet.asked === null && fleet.told?.wants === 0;
    if (line.length > 0 && slots.length < this.policy.running && unasked)
      this.violations.push('a task waits, and the fleet is not asked');
    for (const { losses } of live)
      if (losses > 2) this.violations.push('a task was given to a third machine after it had cost two');
    const first = Math.min(...line.map(({ seq }) => seq));
    for (const { id, seq, slot } of live) {
      const placed = slot !== null && (before.tasks.get(id)?.slot ?? null) === null;
      if (placed && seq > first) this.violations.push('a task overtook one that came before it');
    }
    for (const { slot, deadline } of live)
      if (slot !== null && deadline === null) this.violations.push('a slot is held without a lease');
    for (const [id, record] of this.records) {
      if (record.status !== 'completed' || this.state.deletions.has(id)) continue;
      if (!this.objects.has(key({ id, attempt: record.attempt })))
        this.violations.push('a completed task has lost its file');
    }
    for (const count of this.ends.values())
      if (count > 1) this.violations.push('a task has ended more than once');
  }
}

const isLive = (status: string | undefined) => status === 'queued' || status === 'processing';

const key = ({ id, attempt }: Attempt) => `${id}/${attempt}`;

function remove(list: Attempt[], one: Attempt): void {
  const index = list.findIndex(({ id, attempt }) => id === one.id && attempt === one.attempt);
  if (index >= 0) list.splice(index, 1);
}
