import { describe, expect, it } from 'vitest';
import { type LifeEvent, nextDeadline, reduce } from '../../worker/objects/lifecycle.ts';
import { empty, type Policy, type State, type Step } from '../../worker/objects/live-state.ts';

const policy: Policy = { creations_per_minute: 100, running: 2, waiting: 3 };
const T = 1_800_000_000_000;

/** A reducer with a clock: applies events and keeps what was asked for. */
function account(initial: State = empty) {
  let state = initial;
  const effects: string[] = [];
  return {
    get state() {
      return state;
    },
    effects,
    phase: (id: string) => state.tasks.get(id)?.phase,
    apply(event: LifeEvent, now = T): Step {
      const step = reduce(state, event, policy, now);
      state = step.state;
      for (const effect of step.effects)
        effects.push(
          effect.type === 'erase'
            ? `erase ${effect.id}`
            : `${effect.type} ${effect.task.id} #${effect.task.attempt} @${effect.task.slot}`,
        );
      return step;
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
    a.apply({ type: 'heartbeat', id: '2', attempt: 1 });
    a.apply({ type: 'ending', id: '2', attempt: 1 });
    a.apply({ type: 'ended', id: '2' });
    a.apply({ type: 'heartbeat', id: '1', attempt: 1 });
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
    a.apply({ type: 'heartbeat', id: '1', attempt: 1 });
    a.apply({ type: 'heartbeat', id: '1', attempt: 1 }, T + 6000);
    expect(a.effects).toEqual(['dispatch 1 #1 @0', 'begin 1 #1 @0']);
    expect(nextDeadline(a.state)).toBe(T + 36_000);
  });

  it('do not renew a lease that is fresh', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'heartbeat', id: '1', attempt: 1 });
    const before = a.state.tasks.get('1');
    a.apply({ type: 'heartbeat', id: '1', attempt: 1 }, T + 1000);
    expect(a.state.tasks.get('1')).toBe(before);
  });

  it('are lost when their lease is over, wait longer each time, and fail after the third loss', () => {
    const a = account();
    a.create('1');
    let now = T;
    for (const wait of [2_000, 10_000]) {
      const attempt = a.state.tasks.get('1')?.attempt ?? 0;
      a.apply({ type: 'heartbeat', id: '1', attempt }, now);
      now += 30_000;
      a.apply({ type: 'tick' }, now);
      expect(a.phase('1')).toBe('backoff');
      a.apply({ type: 'tick' }, now + wait - 1);
      expect(a.phase('1')).toBe('backoff');
      now += wait;
      a.apply({ type: 'tick' }, now);
      expect(a.phase('1')).toBe('dispatching');
    }
    a.apply({ type: 'heartbeat', id: '1', attempt: 3 }, now);
    a.apply({ type: 'tick' }, now + 30_000);
    expect(a.effects.at(-1)).toBe('give_up 1 #3 @0');
    a.apply({ type: 'ended', id: '1' }, now + 30_001);
    expect(a.state.tasks.size).toBe(0);
    expect(nextDeadline(a.state)).toBeNull();
  });

  it('do not count an attempt that was handed back', () => {
    const a = account();
    a.create('1');
    for (let attempt = 1; attempt <= 5; attempt++) {
      a.apply({ type: 'heartbeat', id: '1', attempt });
      a.apply({ type: 'released', id: '1', attempt });
    }
    expect(a.state.tasks.get('1')).toMatchObject({ attempt: 6, losses: 0, phase: 'dispatching' });
  });

  it('ignore every word of an attempt that is not the current one', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'heartbeat', id: '1', attempt: 1 });
    a.apply({ type: 'lost', id: '1', attempt: 1 });
    a.apply({ type: 'tick' }, T + 2000);
    const before = a.state;
    for (const type of ['heartbeat', 'ending', 'released', 'lost'] as const) {
      expect(a.apply({ type, id: '1', attempt: 1 }, T + 2001).verdict).toBe('stale');
    }
    expect(a.state).toBe(before);
    expect(a.apply({ type: 'heartbeat', id: 'x', attempt: 1 }).verdict).toBe('unknown');
  });

  it('keep their slot and number while the transcoder has no room, and are sent again', () => {
    const a = account();
    a.create('1');
    for (let again = 1; again <= 20; again++) {
      a.apply({ type: 'deferred', id: '1', attempt: 1, until: T + again * 2000 });
      a.apply({ type: 'tick' }, T + again * 2000);
    }
    expect(a.effects).toHaveLength(21);
    expect(a.state.tasks.get('1')).toMatchObject({ phase: 'dispatching', slot: 0, attempt: 1, losses: 0 });
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
    a.apply({ type: 'heartbeat', id: '1', attempt: 1 });
    a.apply({ type: 'deleted', id: '4' });
    a.apply({ type: 'deleted', id: '1' });
    expect(a.effects.slice(3)).toEqual(['stop 1 #1 @0', 'dispatch 3 #1 @0']);
    expect([...a.state.tasks.keys()]).toEqual(['2', '3']);
  });

  it('that wait for their next attempt block neither a slot nor the line', () => {
    const a = account();
    a.create('1');
    a.apply({ type: 'heartbeat', id: '1', attempt: 1 });
    a.apply({ type: 'lost', id: '1', attempt: 1 });
    a.create('2');
    a.create('3');
    expect(['2', '3'].map(a.phase)).toEqual(['dispatching', 'dispatching']);
  });
});
