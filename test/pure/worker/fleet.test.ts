import { describe, expect, it } from 'vitest';
import { type PlanName, warmSeconds } from '../../../schema/api/plans.ts';
import { OFFER_MS, SCOUT_MS } from '../../../worker/fleet/allocate.ts';
import {
  emptyFleet,
  type FleetEvent,
  type FleetState,
  newMember,
  type Observation,
  permitsInUse,
} from '../../../worker/fleet/fleet-state.ts';
import { nextFleetDeadline, PERMIT_MS, reduceFleet } from '../../../worker/fleet/reduce.ts';

const T = 1_800_000_000_000;

/** A fleet with a clock. */
class Rig {
  state: FleetState = emptyFleet;
  now = T;
  readonly instances: number | null;
  readonly effects: string[] = [];
  readonly held = new Map<string, number[]>();
  #seq = 0;

  constructor(instances: number | null) {
    this.instances = instances;
  }

  #step(event: FleetEvent): number[] {
    const step = reduceFleet(this.state, event, { instances: this.instances }, this.now);
    this.state = step.state;
    for (const effect of step.effects)
      this.effects.push(
        effect.type === 'wake' ? `wake ${effect.account}` : `retire ${effect.account}/${effect.slot}`,
      );
    return step.granted ?? [];
  }

  /** The account asks, and keeps what it is granted. @returns the new slots */
  ask(account: string, wants: number, plan: PlanName = 'elite'): number[] {
    const slots = this.held.get(account) ?? [];
    this.#seq += 1;
    const granted = this.#step({ type: 'ask', question: { account, plan, seq: this.#seq, slots, wants } });
    this.held.set(account, [...slots, ...granted]);
    return granted;
  }

  /** The account returns a slot and asks on. */
  done(account: string, slot: number, wants: number, plan: PlanName = 'elite'): number[] {
    this.held.set(
      account,
      (this.held.get(account) ?? []).filter((other) => other !== slot),
    );
    return this.ask(account, wants, plan);
  }

  saw(account: string, slot: number, outcome: Observation['outcome'], more: Partial<Observation> = {}) {
    const observation = { account, slot, outcome, free: null, lined: false, ...more };
    this.#step({ type: 'observe', observation });
  }

  tick(ms: number): void {
    this.now += ms;
    this.#step({ type: 'tick' });
  }
}

describe('a fleet behind an address', () => {
  it('is tried with one task, and then given as many as the machine says', () => {
    const rig = new Rig(null);
    expect(rig.ask('a', 5)).toEqual([0]);
    expect(rig.ask('b', 5)).toEqual([]);
    rig.saw('a', 0, 'accepted', { free: 3 });
    expect(rig.state.machines.limit).toBe(4);
    expect(permitsInUse(rig.state)).toBe(5);
  });

  it('grows with every task that finds room, where machines say nothing of themselves', () => {
    const rig = new Rig(null);
    rig.ask('a', 20);
    for (let slot = 0; slot < 10; slot++) {
      rig.saw('a', slot, 'accepted');
      rig.ask('a', 20);
    }
    expect(rig.held.get('a')?.length).toBeGreaterThanOrEqual(10);
  });

  it('shrinks to what it holds where it has no room, and is tried less and less often', () => {
    const rig = new Rig(null);
    rig.ask('a', 1);
    rig.saw('a', 0, 'accepted', { free: 0 });
    let knocks = 0;
    for (let second = 0; second < 3600; second++) {
      rig.ask('a', 0);
      const [slot] = rig.ask('b', 1, 'basic');
      if (slot !== undefined) {
        knocks += 1;
        rig.saw('b', slot, 'busy');
        rig.done('b', slot, 1, 'basic');
      }
      rig.tick(1000);
    }
    expect(rig.state.machines.limit).toBe(1);
    expect(knocks).toBeGreaterThan(50);
    expect(knocks).toBeLessThan(75);
  });

  it('that does not answer is tried with one task at a time, up to a minute apart; then all go', () => {
    const rig = new Rig(null);
    rig.ask('a', 8);
    rig.saw('a', 0, 'accepted', { free: 7 });
    rig.ask('a', 8);
    for (const slot of [1, 2, 3]) rig.saw('a', slot, 'away');
    rig.held.set('a', [0]);
    expect(rig.ask('a', 8)).toEqual([]);
    expect(rig.state.machines.down).toBe(true);
    const knocks: number[] = [];
    for (let second = 0; second < 600; second++) {
      const [slot] = rig.ask('a', 8);
      if (slot !== undefined) {
        knocks.push(second);
        rig.saw('a', slot, 'away');
        rig.done('a', slot, 8);
      }
      rig.tick(1000);
    }
    const pauses = knocks.slice(1).map((at, index) => at - (knocks[index] ?? 0));
    expect(Math.max(...pauses)).toBe(60);
    expect(knocks.length).toBeLessThan(18);
    rig.tick(60_000);
    const [probe = -1] = rig.ask('a', 8);
    rig.saw('a', probe, 'accepted', { free: 6 });
    rig.ask('a', 8);
    expect(rig.held.get('a')?.length).toBeGreaterThanOrEqual(7);
  });

  it('that is never heard of is tried by another account as soon as no answer can come any more', () => {
    const rig = new Rig(null);
    expect(rig.ask('a', 1)).toEqual([0]);
    expect(rig.ask('b', 1)).toEqual([]);
    rig.tick(SCOUT_MS - 1);
    expect(rig.effects).toEqual([]);
    rig.tick(1);
    expect(rig.effects).toEqual(['wake b']);
    expect(rig.ask('b', 1)).toEqual([0]);
  });

  it('leaves other accounts alone where only one does not get through', () => {
    const rig = new Rig(null);
    rig.ask('a', 1);
    rig.saw('a', 0, 'accepted', { free: 9 });
    for (let tries = 0; tries < 5; tries++) {
      const [slot = 0] = rig.ask('b', 1);
      rig.saw('b', slot, 'unreachable');
      rig.done('b', slot, 1);
    }
    expect(rig.state.machines.down).toBe(false);
    expect(rig.ask('b', 1)).toEqual([]);
    expect(rig.ask('c', 2)).toEqual([0, 1]);
  });
});

describe('containers', () => {
  it('are not all given to one account, and idle ones make way for whoever waits', () => {
    const rig = new Rig(20);
    expect(rig.ask('a', 25)).toHaveLength(18);
    expect(rig.ask('b', 1, 'basic')).toEqual([0]);
    for (const slot of [...(rig.held.get('a') ?? [])]) {
      rig.saw('a', slot, 'accepted');
      rig.done('a', slot, 0);
    }
    rig.saw('b', 0, 'accepted');
    rig.ask('c', 10, 'boost');
    expect(rig.held.get('c')).toHaveLength(8);
    expect(rig.effects.filter((effect) => effect.startsWith('retire a/'))).toHaveLength(7);
  });

  it('that are warm are used again by their account first, and sleep after the time of its plan', () => {
    const rig = new Rig(20);
    rig.ask('a', 3);
    for (const slot of [0, 1, 2]) rig.saw('a', slot, 'accepted');
    rig.done('a', 2, 0);
    rig.done('a', 0, 0);
    rig.done('a', 2, 0);
    expect(rig.ask('a', 1)).toEqual([0]);
    rig.tick(warmSeconds.elite * 1000);
    expect(rig.state.members.get('a')?.warm.size).toBe(0);
  });

  it('that do not start are left alone for a while, others are used meanwhile', () => {
    const rig = new Rig(20);
    expect(rig.ask('a', 1)).toEqual([0]);
    rig.saw('a', 0, 'unreachable');
    expect(rig.done('a', 0, 1)).toEqual([1]);
  });

  it('come back from an account that is not heard of any more', () => {
    const rig = new Rig(1);
    expect(rig.ask('a', 1)).toEqual([0]);
    rig.tick(PERMIT_MS / 2);
    expect(rig.ask('b', 1)).toEqual([]);
    expect(nextFleetDeadline(rig.state, rig.now)).toBe(T + PERMIT_MS);
    rig.tick(PERMIT_MS / 2);
    expect(rig.effects).toContain('wake b');
    expect(rig.ask('b', 1)).toEqual([0]);
  });
});

describe('accounts that wait for the same machines', () => {
  /** Starts in an hour of tasks of ten seconds on four machines, by account. */
  function starts(accounts: readonly [string, PlanName][]): Record<string, number> {
    const rig = new Rig(4);
    const counts: Record<string, number> = {};
    const ends: { at: number; account: string; slot: number }[] = [];
    const plans = new Map(accounts);
    const ask = (account: string) => {
      for (const slot of rig.ask(account, 2, plans.get(account))) {
        counts[account] = (counts[account] ?? 0) + 1;
        rig.saw(account, slot, 'accepted');
        ends.push({ at: rig.now + 10_000, account, slot });
      }
    };
    for (let second = 0; second < 3600; second++) {
      for (const end of ends.filter(({ at }) => at <= rig.now)) {
        ends.splice(ends.indexOf(end), 1);
        rig.held.set(
          end.account,
          (rig.held.get(end.account) ?? []).filter((slot) => slot !== end.slot),
        );
        ask(end.account);
      }
      for (const effect of rig.effects.splice(0))
        if (effect.startsWith('wake ')) ask(effect.slice('wake '.length));
      if (second === 0) for (const [account] of accounts) ask(account);
      rig.tick(1000);
      if (second % 60 === 0) for (const [account] of accounts) ask(account);
    }
    return counts;
  }

  it('have the same share, and none is left out', () => {
    const counts = starts([...'abcdefgh'].map((name): [string, PlanName] => [name, 'basic']));
    const all = Object.values(counts);
    expect(all).toHaveLength(8);
    expect(Math.max(...all) / Math.min(...all)).toBeLessThan(1.2);
  });

  it('have three times the share with priority', () => {
    const counts = starts([
      ['elite', 'elite'],
      ...[...'abcdef'].map((name): [string, PlanName] => [name, 'basic']),
    ]);
    const { elite = 0, ...others } = counts;
    for (const count of Object.values(others)) {
      expect(elite / count).toBeGreaterThan(2);
      expect(elite / count).toBeLessThan(4.5);
    }
  });
});

it('wakes one of more waiting accounts than a call can have arguments, and looks at each once', () => {
  const ids = Array.from({ length: 130_000 }, (_, index) => `account-${index}`);
  const waiting = ids.map((id) => [id, { ...newMember(id, 'basic', 0, T), wants: 1 }] as const);
  const state = { ...emptyFleet, members: new Map(waiting), machines: { ...emptyFleet.machines, limit: 0 } };
  const step = reduceFleet(state, { type: 'tick' }, { instances: null }, T);
  expect(step.effects).toEqual([{ type: 'wake', account: 'account-0' }]);
  expect(nextFleetDeadline(step.state, T)).toBe(T + OFFER_MS);
});
