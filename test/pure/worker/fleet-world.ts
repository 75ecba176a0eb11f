import { type PlanName, planOf } from '../../../schema/api/plans.ts';
import { type LifeEvent, nextDeadline, reduce } from '../../../worker/account/lifecycle.ts';
import { empty, type State } from '../../../worker/account/live-state.ts';
import {
  emptyFleet,
  type FleetEvent,
  type FleetPolicy,
  type FleetState,
  permitsInUse,
  type Question,
} from '../../../worker/fleet/fleet-state.ts';
import { nextFleetDeadline, PERMIT_MS, reduceFleet } from '../../../worker/fleet/reduce.ts';

/** An account with the real reducer of its tasks. */
export interface Tenant {
  id: string;
  plan: PlanName;
  state: State;
  made: number;
  /** Order in which its tasks were started for the first time. */
  started: number[];
}

interface Running {
  tenant: Tenant;
  id: string;
  attempt: number;
}

/** The fleet and its accounts in memory, with the messages between them in the hands of the test. */
export class FleetWorld {
  now = 1_800_000_000_000;
  fleet: FleetState = emptyFleet;
  readonly policy: FleetPolicy;
  readonly tenants: Tenant[];
  /** Questions that have not arrived. A copy may be here twice. */
  readonly questions: Question[] = [];
  readonly answers: { tenant: Tenant; event: LifeEvent }[] = [];
  readonly calls: Tenant[] = [];
  readonly running: Running[] = [];
  readonly violations: string[] = [];
  /** Once the fleet has lost its state it may give out too much, until all have renewed. */
  wiped = false;

  constructor(instances: number, plans: readonly PlanName[]) {
    this.policy = { instances };
    this.tenants = plans.map((plan, index) => ({
      ...{ id: `acct_${index}`, plan, state: empty, made: 0, started: [] },
    }));
  }

  apply(tenant: Tenant, event: LifeEvent): void {
    const step = reduce(tenant.state, event, planOf(tenant.plan), this.now);
    tenant.state = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'ask')
        this.questions.push({ account: tenant.id, plan: tenant.plan, seq: effect.seq, ...effect.demand });
      if (effect.type !== 'dispatch') continue;
      const { id, attempt } = effect.task;
      this.running.push({ tenant, id, attempt });
      if (attempt === 1) tenant.started.push(Number(id));
    }
    this.#check();
  }

  submit(tenant: Tenant): void {
    tenant.made += 1;
    const id = String(tenant.made);
    this.apply(tenant, { type: 'admit', id, requestId: 'r', work: 'cut' });
    if (tenant.state.tasks.has(id)) this.apply(tenant, { type: 'recorded', id });
    else tenant.made -= 1;
  }

  arrive(question: Question): void {
    const tenant = this.tenants.find(({ id }) => id === question.account);
    const granted = this.#step({ type: 'ask', question });
    if (!tenant) return;
    const { seq } = question;
    const heard = this.fleet.members.get(question.account)?.seq ?? 0;
    const event: LifeEvent = granted
      ? { type: 'permitted', seq, slots: granted }
      : { type: 'out_of_date', seq, heard };
    this.answers.push({ tenant, event });
  }

  complete({ tenant, id, attempt }: Running): void {
    this.#end(id, tenant);
    this.apply(tenant, { type: 'ended', id, attempt });
  }

  /** The task does not reach its machine. */
  bounce({ tenant, id, attempt }: Running): void {
    this.#end(id, tenant);
    const slot = tenant.state.tasks.get(id)?.slot ?? 0;
    const outcome = { outcome: 'unreachable', free: null, lined: false } as const;
    this.#step({ type: 'observe', observation: { account: tenant.id, slot, ...outcome } });
    this.apply(tenant, { type: 'returned', pauseMs: 0, id, attempt });
  }

  tick(): void {
    this.#step({ type: 'tick' });
    for (const tenant of this.tenants)
      if ((nextDeadline(tenant.state) ?? Number.POSITIVE_INFINITY) <= this.now)
        this.apply(tenant, { type: 'tick' });
  }

  /** The object of the account starts again: what it keeps in memory only is gone. */
  evict(tenant: Tenant): void {
    const fleet = { ...empty.fleet, told: null, deadline: 0 };
    if (tenant.state.tasks.size > 0) tenant.state = { ...tenant.state, fleet };
  }

  wipe(): void {
    this.fleet = emptyFleet;
    this.wiped = true;
  }

  /** Everything arrives, and every task completes. @returns whether all came to rest */
  calm(): boolean {
    for (let round = 0; round < 5000; round++) {
      for (const question of this.questions.splice(0)) this.arrive(question);
      for (const { tenant, event } of this.answers.splice(0)) this.apply(tenant, event);
      for (const tenant of this.calls.splice(0)) this.apply(tenant, { type: 'called' });
      for (const one of [...this.running]) this.complete(one);
      if (this.questions.length + this.answers.length + this.calls.length + this.running.length > 0) continue;
      const waits = this.tenants.flatMap(({ state }) => nextDeadline(state) ?? []);
      const next = Math.min(...waits, nextFleetDeadline(this.fleet, this.now) ?? Number.POSITIVE_INFINITY);
      if (this.tenants.every(({ state }) => state.tasks.size === 0) && waits.length === 0) return true;
      if (next === Number.POSITIVE_INFINITY) return false;
      this.now = Math.max(this.now, next);
      this.tick();
    }
    return false;
  }

  #step(event: FleetEvent): number[] | null {
    const { state, effects, granted } = reduceFleet(this.fleet, event, this.policy, this.now);
    this.fleet = state;
    for (const effect of effects) {
      const tenant = this.tenants.find(({ id }) => id === effect.account);
      if (effect.type === 'wake' && tenant) this.calls.push(tenant);
    }
    this.#check();
    return granted;
  }

  #end(id: string, tenant: Tenant): void {
    const at = this.running.findIndex((one) => one.id === id && one.tenant === tenant);
    if (at >= 0) this.running.splice(at, 1);
  }

  #check(): void {
    const { instances } = this.policy;
    if (instances === null) return;
    const expired = this.tenants.some(({ id }) => {
      const heard = this.fleet.members.get(id)?.heard;
      return heard !== undefined && heard + PERMIT_MS <= this.now;
    });
    if (this.wiped || expired) this.wiped = true;
    if (this.wiped) return;
    if (permitsInUse(this.fleet) > instances) this.violations.push('more permits than machines');
    let held = 0;
    for (const { id, state } of this.tenants) {
      const permits = this.fleet.members.get(id)?.permits;
      for (const { slot } of state.tasks.values()) {
        if (slot === null) continue;
        held += 1;
        if (!permits?.has(slot)) this.violations.push(`${id} uses a machine that the fleet may give away`);
      }
    }
    if (held > instances) this.violations.push('more tasks than machines');
  }
}
