import { describe, expect, it } from 'vitest';
import { mayWaitForRoom } from '../../../worker/account/attempts.ts';
import { type LifeEvent, nextDeadline, reduce } from '../../../worker/account/lifecycle.ts';
import {
  type Demand,
  empty,
  type Policy,
  type State,
  type Step,
} from '../../../worker/account/live-state.ts';

const policy: Policy = { creations_per_minute: 100, running: 2, waiting: 3 };
const T = 1_800_000_000_000;

/** A reducer with a clock: applies events and keeps what was asked for. */
function account(initial: State = empty, machines = 4) {
  let state = initial;
  const effects: string[] = [];
  return {
    /** How many machines the fleet gives to this account, whether it answers, and what it was asked. */
    machines,
    answers: true,
    asked: [] as Demand[],
    get state() {
      return state;
    },
    effects,
    phase: (id: string) => state.tasks.get(id)?.phase,
    task(id: string) {
      const task = state.tasks.get(id);
      if (!task) throw new Error(`there is no task ${id}`);
      return task;
    },
    apply(event: LifeEvent, now = T): Step {
      const step = reduce(state, event, policy, now);
      state = step.state;
      for (const effect of step.effects) {
        if (effect.type === 'ask') this.answer(effect, now);
        else if (effect.type === 'erase') effects.push(`erase ${effect.id}`);
        else effects.push(`${effect.type} ${effect.task.id} #${effect.task.attempt} @${effect.task.slot}`);
      }
      return step;
    },
    answer({ seq, demand }: { seq: number; demand: Demand }, now: number) {
      this.asked.push(demand);
      if (!this.answers) return;
      const free = [0, 1, 2, 3].filter((slot) => !demand.slots.includes(slot));
      const room = Math.max(0, this.machines - demand.slots.length);
      const slots = free.slice(0, Math.min(demand.wants, room));
      this.apply({ type: 'permitted', seq, slots }, now);
    },
    create(id: string, now = T) {
      const { verdict } = this.apply({ type: 'admit', id, requestId: 'r', work: 'cut' }, now);
      if (verdict === 'accepted') this.apply({ type: 'recorded', id }, now);
      return verdict;
    },
  };
}

describe("an account's live tasks", () => {
  it('run as many as the plan has slots; the rest wait in line, and beyond the line is refused', () => {
    const a = account();
    expect(['1', '2', '3', '4', '5', '6'].map((id) => a.create(id))).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'queue_full',
    ]);
    expect(a.effects).toEqual(['dispatch 1 #1 @0', 'dispatch 2 #1 @1']);
    expect(['1', '3', '5'].map(a.phase)).toEqual(['dispatching', 'waiting', 'waiting']);
  });

  it('start in the order of their admission, into the slot that became free', () => {
    const a = account();
    for (const id of ['1', '2', '3', '4', '5']) a.create(id);
    a.apply({ type: 'heartbeat', started: true, id: '2', attempt: 1 });
    a.apply({ type: 'ending', id: '2', attempt: 1 });
    a.apply({ type: 'ended', id: '2' });
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 });
    a.apply({ type: 'ending', id: '1', attempt: 1 });
    a.apply({ type: 'ended', id: '1' });
    expect(a.effects.filter((effect) => effect.startsWith('dispatch'))).toEqual([
      'dispatch 1 #1 @0',
      'dispatch 2 #1 @1',
      'dispatch 3 #1 @1',
      'dispatch 4 #1 @0',
    ]);
  });

  it('keep their order even when a later record is written first', () => {
    const a = account();
    for (const id of ['1', '2', '3']) a.apply({ type: 'admit', id, requestId: 'r', work: 'cut' });
    a.apply({ type: 'recorded', id: '3' });
    a.apply({ type: 'recorded', id: '2' });
    a.apply({ type: 'recorded', id: '1' });
    expect(a.effects).toEqual(['dispatch 2 #1 @1', 'dispatch 1 #1 @0']);
    expect(a.phase('3')).toBe('waiting');
  });

  it('leave their slot to the next when their record could not be written', () => {
    const a = account();
    for (const id of ['1', '2', '3']) a.apply({ type: 'admit', id, requestId: 'r', work: 'cut' });
    a.apply({ type: 'recorded', id: '3' });
    a.apply({ type: 'deleted', id: '1' });
    expect(a.effects).toEqual(['dispatch 3 #1 @0']);
  });

  it('are told to begin at the first sign of life only', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 });
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 }, T + 6000);
    expect(a.effects).toEqual(['dispatch 1 #1 @0', 'begin 1 #1 @0']);
    expect(nextDeadline(a.state)).toBe(T + 36_000);
  });

  it('do not renew a lease that is fresh', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 });
    const before = a.state.tasks.get('1');
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 }, T + 1000);
    expect(a.state.tasks.get('1')).toBe(before);
  });

  it('are lost when their lease is over, and after the second loss given to no other machine', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 });
    a.apply({ type: 'tick' }, T + 30_000);
    expect(a.phase('1')).toBe('backoff');
    a.apply({ type: 'tick' }, T + 31_999);
    expect(a.phase('1')).toBe('backoff');
    a.apply({ type: 'tick' }, T + 32_000);
    expect(a.phase('1')).toBe('dispatching');
    a.apply({ type: 'claimed', id: '1', attempt: 2 }, T + 32_000);
    a.apply({ type: 'accepted', id: '1', attempt: 2 }, T + 32_000);
    a.apply({ type: 'tick' }, T + 62_000);
    expect(a.effects.at(-1)).toBe('give_up 1 #2 @0');
    a.apply({ type: 'ended', id: '1' }, T + 62_001);
    expect(a.state.tasks.size).toBe(0);
    expect(nextDeadline(a.state)).toBeNull();
  });

  it('are given to a third machine where the first two reported failures of their own', () => {
    const a = account();
    a.create('1');
    let now = T;
    for (const attempt of [1, 2]) {
      a.apply({ type: 'heartbeat', started: true, id: '1', attempt }, now);
      a.apply({ type: 'failed', id: '1', attempt }, now);
      now += 60_000;
      a.apply({ type: 'tick' }, now);
      expect(a.phase('1')).toBe('dispatching');
    }
    expect(a.state.tasks.get('1')).toMatchObject({ attempt: 3, losses: 0, failures: 2 });
  });

  it('wait for room on a disk, longer each time, and still have all attempts for losses', () => {
    const a = account();
    a.create('1');
    let now = T;
    for (const [index, pause] of [2, 10, 30, 60, 60].entries()) {
      const attempt = index + 1;
      a.apply({ type: 'heartbeat', started: true, id: '1', attempt }, now);
      expect(mayWaitForRoom(a.task('1'))).toBe(true);
      a.apply({ type: 'out_of_disk', id: '1', attempt }, now);
      now += pause * 1000;
      a.apply({ type: 'tick' }, now - 1);
      expect(a.phase('1')).toBe('backoff');
      a.apply({ type: 'tick' }, now);
      expect(a.phase('1')).toBe('dispatching');
    }
    expect(a.task('1')).toMatchObject({ attempt: 6, losses: 0, failures: 0 });
    expect(mayWaitForRoom(a.task('1'))).toBe(false);
  });

  it('do not count an attempt that was handed back', () => {
    const a = account();
    a.create('1');
    for (let attempt = 1; attempt <= 5; attempt++) {
      a.apply({ type: 'heartbeat', started: true, id: '1', attempt });
      a.apply({ type: 'released', id: '1', attempt });
    }
    expect(a.state.tasks.get('1')).toMatchObject({ attempt: 6, losses: 0, phase: 'dispatching' });
  });

  it('give an attempt its own time after one that was handed back', () => {
    const a = account(empty, 1);
    a.create('1');
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 });
    a.machines = 0;
    a.apply({ type: 'released', id: '1', attempt: 1 });
    expect(a.phase('1')).toBe('waiting');
    const later = T + 9 * 3600 * 1000;
    a.machines = 1;
    a.create('2', later);
    a.apply({ type: 'claimed', id: '1', attempt: 2, slot: a.task('1').slot ?? 0 }, later);
    a.apply({ type: 'accepted', id: '1', attempt: 2 }, later);
    expect(a.phase('1')).toBe('accepted');
    const { verdict } = a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 2 }, later + 5000);
    expect(verdict).toBe('accepted');
    expect(a.task('1')).toMatchObject({ attempt: 2, losses: 0 });
  });

  it('ignore every word of an attempt that is not the current one', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 });
    a.apply({ type: 'lost', id: '1', attempt: 1 });
    a.apply({ type: 'tick' }, T + 2000);
    const before = a.state;
    const said = ['claimed', 'accepted', 'unsure', 'ending', 'released', 'failed', 'lost'] as const;
    for (const type of said) {
      expect(a.apply({ type, id: '1', attempt: 1 }, T + 2001).verdict).toBe('stale');
    }
    const late = { type: 'heartbeat', started: true, id: '1', attempt: 1 } as const;
    expect(a.apply(late, T + 2001).verdict).toBe('stale');
    expect(a.state).toBe(before);
    expect(a.apply({ type: 'heartbeat', started: true, id: 'x', attempt: 1 }).verdict).toBe('unknown');
  });

  it('are first in line again, with the same number and no loss, however often they do not reach a machine', () => {
    const a = account(empty, 1);
    a.create('1');
    a.create('2');
    for (let again = 1; again <= 100; again++) {
      a.apply({ type: 'claimed', id: '1', attempt: 1 }, T + again);
      a.apply({ type: 'returned', pauseMs: 0, id: '1', attempt: 1 }, T + again);
    }
    expect(a.state.tasks.get('1')).toMatchObject({
      ...{ phase: 'dispatching', slot: 0, attempt: 1, losses: 0 },
    });
    expect(a.effects).toEqual(Array(101).fill('dispatch 1 #1 @0'));
  });

  it('get a new number, and no loss, where nobody can say whether a machine has them', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'claimed', id: '1', attempt: 1 });
    a.apply({ type: 'unsure', id: '1', attempt: 1 });
    a.apply({ type: 'tick' }, T + 10_000);
    expect(a.state.tasks.get('1')).toMatchObject({ phase: 'dispatching', attempt: 2, losses: 0 });
  });

  it('go on with the attempt that was in doubt once it is heard of', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'claimed', id: '1', attempt: 1 });
    a.apply({ type: 'unsure', id: '1', attempt: 1 });
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 }, T + 1000);
    a.apply({ type: 'tick' }, T + 10_000);
    expect(a.state.tasks.get('1')).toMatchObject({ phase: 'running', attempt: 1 });
  });

  it('refuse an attempt that was thought not to have arrived, and never use its number again', () => {
    const a = account(empty, 1);
    a.create('1');
    a.create('2');
    a.apply({ type: 'deleted', id: '1' });
    a.apply({ type: 'claimed', id: '2', attempt: 1 });
    a.apply({ type: 'returned', pauseMs: 5000, id: '2', attempt: 1 });
    const late = { type: 'heartbeat', started: true, id: '2', attempt: 1 } as const;
    expect(a.apply(late, T + 100).verdict).toBe('stale');
    a.apply({ type: 'tick' }, T + 5000);
    expect(a.state.tasks.get('2')).toMatchObject({ phase: 'dispatching', attempt: 2, losses: 0 });
  });

  it('go to the slot that they have, although the message for an earlier slot comes late', () => {
    const a = account();
    for (const id of ['1', '2']) a.create(id);
    a.apply({ type: 'claimed', id: '2', attempt: 1, slot: 1 });
    a.apply({ type: 'ended', id: '1' });
    a.apply({ type: 'returned', id: '2', attempt: 1, pauseMs: 0 });
    expect(a.task('2')).toMatchObject({ phase: 'dispatching', attempt: 1, slot: 0 });
    const claim = (slot: number) => a.apply({ type: 'claimed', id: '2', attempt: 1, slot }).verdict;
    expect([1, 0, 0].map(claim)).toEqual(['stale', 'accepted', 'stale']);
  });

  it('are handed to a machine once, however often the queue brings the message', () => {
    const a = account();
    a.create('1');
    const claims = [1, 2, 3].map(() => a.apply({ type: 'claimed', id: '1', attempt: 1 }).verdict);
    expect(claims).toEqual(['accepted', 'stale', 'stale']);
  });

  it('begin when a machine starts them, not while they wait in its own line', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'claimed', id: '1', attempt: 1 });
    a.apply({ type: 'accepted', id: '1', attempt: 1 });
    a.apply({ type: 'heartbeat', started: false, id: '1', attempt: 1 }, T + 20_000);
    a.apply({ type: 'tick' }, T + 40_000);
    expect(a.effects).toEqual(['dispatch 1 #1 @0']);
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 }, T + 45_000);
    expect(a.effects).toEqual(['dispatch 1 #1 @0', 'begin 1 #1 @0']);
  });

  it('start in their order as the fleet grants machines, and what is not needed is given back', () => {
    const a = account(empty, 0);
    for (const id of ['1', '2', '3']) a.create(id);
    expect(a.effects).toEqual([]);
    expect(a.state.fleet.told).toEqual({ slots: [], wants: 2 });
    a.machines = 1;
    a.apply({ type: 'called' });
    a.machines = 2;
    a.apply({ type: 'called' });
    expect(a.effects).toEqual(['dispatch 1 #1 @0', 'dispatch 2 #1 @1']);
    for (const id of ['1', '2', '3']) a.apply({ type: 'deleted', id });
    expect(a.state.fleet.told).toEqual({ slots: [], wants: 0 });
    expect(a.state.fleet.deadline).toBeNull();
  });

  it('ask again where the fleet does not answer, and say what they hold before it is forgotten', () => {
    const a = account();
    a.answers = false;
    a.create('1');
    expect(a.asked).toHaveLength(1);
    a.apply({ type: 'tick' }, T + 15_000);
    a.apply({ type: 'tick' }, T + 16_000);
    expect(a.asked).toHaveLength(2);
    a.answers = true;
    a.apply({ type: 'tick' }, T + 31_000);
    a.apply({ type: 'tick' }, T + 33_000);
    expect(a.effects).toEqual(['dispatch 1 #1 @0']);
    const before = a.asked.length;
    a.apply({ type: 'tick' }, T + 93_000);
    expect(a.asked.slice(before)).toEqual([{ slots: [0], wants: 0 }]);
  });

  it('are sent again when no sign of life comes', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'tick' }, T + 120_000);
    expect(a.effects).toEqual(['dispatch 1 #1 @0', 'dispatch 1 #1 @0']);
  });

  it('are stopped where they run when they are deleted, and give their slot to the next at once', () => {
    const a = account();
    for (const id of ['1', '2', '3', '4']) a.create(id);
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 });
    a.apply({ type: 'deleted', id: '4' });
    a.apply({ type: 'deleted', id: '1' });
    expect(a.effects.slice(3)).toEqual(['stop 1 #1 @0', 'dispatch 3 #1 @0']);
    expect([...a.state.tasks.keys()]).toEqual(['2', '3']);
  });

  it('that wait for their next attempt block neither a slot nor the line', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'heartbeat', started: true, id: '1', attempt: 1 });
    a.apply({ type: 'lost', id: '1', attempt: 1 });
    a.create('2');
    a.create('3');
    expect(['2', '3'].map(a.phase)).toEqual(['dispatching', 'dispatching']);
  });
});
