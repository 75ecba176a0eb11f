import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../schema/task/ids.ts';
import { HEARTBEAT_SECONDS, LEASE_SECONDS } from '../../../schema/task/wire.ts';
import { IdempotencyKeys } from '../../../worker/account/idempotency.ts';
import { type LifeEvent, nextDeadline, reduce } from '../../../worker/account/lifecycle.ts';
import { empty, type Policy, type State, type Verdict } from '../../../worker/account/live-state.ts';
import { rateState, WINDOW_MS } from '../../../worker/account/rate.ts';
import { emptyFleet, type FleetEvent } from '../../../worker/fleet/fleet-state.ts';
import { reduceFleet } from '../../../worker/fleet/reduce.ts';
import { recordTime } from '../../../worker/lib/record-time.ts';

const T = 1_800_000_000_000;
const HOUR = 3600_000;
const DAY = 24 * HOUR;
const policy: Policy = { creations_per_minute: 3, running: 2, waiting: 1000 };
const jump = fc.constantFrom(-DAY, -HOUR, -61_000, -1000, 1000, 61_000, HOUR, DAY);

/** An account and a clock that can be set: `pass` is time in truth, `jump` is not. */
class Account {
  state: State = empty;
  now = T;
  effects: string[] = [];
  apply(event: LifeEvent): Verdict {
    const step = reduce(this.state, event, policy, this.now);
    this.state = step.state;
    this.effects.push(...step.effects.map(({ type }) => type));
    // The fleet grants whatever is wanted.
    for (const effect of step.effects) {
      if (effect.type !== 'ask') continue;
      const { seq, demand } = effect;
      const slots = [0, 1].filter((slot) => !demand.slots.includes(slot)).slice(0, demand.wants);
      this.apply({ type: 'permitted', seq, slots });
    }
    return step.verdict;
  }
  admit = (id: string) => this.apply({ type: 'admit', id, requestId: 'r', work: 'cut' });
  pass(ms: number) {
    this.now += ms;
  }
  beat = (id: string) => this.apply({ type: 'heartbeat', id, attempt: 1, started: true });
  start(id: string) {
    this.admit(id);
    this.apply({ type: 'recorded', id });
    this.apply({ type: 'claimed', id, attempt: 1 });
    this.apply({ type: 'accepted', id, attempt: 1 });
    this.beat(id);
  }
}

describe('whenever the clock is set', () => {
  it('no creation is refused for longer than the window of the limit', () => {
    const move = fc.oneof(
      fc.record({ create: fc.constant(true) }),
      fc.record({ pass: fc.integer({ min: 0, max: 2 * WINDOW_MS }) }),
      fc.record({ jump }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        const account = new Account();
        for (const [index, one] of moves.entries()) {
          if ('create' in one) account.admit(`${index}`);
          else account.now += 'pass' in one ? one.pass : one.jump;
        }
        const { nextMs, remaining, resetAt } = rateState(account.state.spent, policy, account.now);
        expect(nextMs).toBeLessThanOrEqual(WINDOW_MS);
        expect(resetAt - account.now).toBeLessThanOrEqual(WINDOW_MS);
        const verdict = account.admit('now');
        expect(verdict === 'accepted').toBe(remaining > 0);
        account.pass(WINDOW_MS);
        expect(account.admit('a window later')).toBe('accepted');
      }),
      { numRuns: 1000 },
    );
  });

  it('an attempt that goes on giving signs of life is not lost', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(jump, fc.boolean()), { maxLength: 10 }), (jumps) => {
        const account = new Account();
        account.start('1');
        for (const [by, alarmFirst] of jumps) {
          account.now += by;
          // The alarm of the lease is due at once where the clock was set forward.
          if (alarmFirst) account.apply({ type: 'tick' });
          for (let beat = 0; beat < 3; beat++) {
            account.pass(HEARTBEAT_SECONDS * 1000);
            expect(account.beat('1')).toBe('accepted');
            account.apply({ type: 'tick' });
          }
        }
        expect(account.state.tasks.get('1')).toMatchObject({ phase: 'running', attempt: 1, losses: 0 });
      }),
      { numRuns: 1000 },
    );
  });

  it('an attempt that is silent is lost within two leases of the first look', () => {
    fc.assert(
      fc.property(fc.array(jump, { minLength: 1, maxLength: 5 }), (jumps) => {
        const account = new Account();
        account.start('1');
        for (const by of jumps) account.now += by;
        account.apply({ type: 'tick' });
        const since = account.now;
        while (account.state.tasks.get('1')?.phase === 'running') {
          account.now = Math.max(account.now, nextDeadline(account.state) ?? Number.NaN);
          account.apply({ type: 'tick' });
        }
        expect(account.now - since).toBeLessThanOrEqual(2 * LEASE_SECONDS * 1000);
        expect(account.state.tasks.get('1')).toMatchObject({ attempt: 2, losses: 1 });
      }),
      { numRuns: 200 },
    );
  });

  it('an attempt that is silent is lost even where no alarm is ever on time', () => {
    const account = new Account();
    account.start('1');
    for (let sweep = 0; sweep < 2; sweep++) {
      account.pass(300_000);
      account.apply({ type: 'tick' });
    }
    expect(account.state.tasks.get('1')).toMatchObject({ attempt: 2, losses: 1 });
  });

  it('a deletion that was interrupted goes on within its longest pause', () => {
    fc.assert(
      fc.property(fc.array(jump, { minLength: 1, maxLength: 5 }), (jumps) => {
        const account = new Account();
        account.start('1');
        account.apply({ type: 'deleted', id: '1' });
        for (const by of jumps) {
          account.now += by;
          account.apply({ type: 'tick' });
        }
        account.effects = [];
        account.pass(600_000);
        account.apply({ type: 'tick' });
        expect(account.effects).toContain('erase');
      }),
      { numRuns: 200 },
    );
  });

  it('no record ends before it was made', () => {
    fc.assert(
      fc.property(jump, (by) => {
        const id = newId('task', T);
        expect(recordTime(id, T + by)).toBe(Math.max(T, T + by));
      }),
    );
  });
});

describe('an Idempotency-Key', () => {
  const keys = () => {
    const database = new DatabaseSync(':memory:');
    const exec = (sql: string, ...values: (string | number | null)[]) => {
      const statement = database.prepare(sql);
      return {
        toArray: () => statement.all(...values),
        ...(/^select/i.test(sql) ? {} : statement.run(...values)),
      };
    };
    return new IdempotencyKeys({ exec } as never);
  };
  const made = (createdAt: number) => ({
    taskId: 'task_1',
    seq: 1,
    createdAt,
    queuePosition: 1,
    etaSeconds: null,
  });

  it('stands for its request after the clock was set back or an hour forward', () => {
    for (const by of [-DAY, -HOUR, HOUR]) {
      const known = keys();
      const request = { key: 'key', digest: 'digest' };
      known.remember(request, made(T));
      expect(known.find(request, T + by)).toMatchObject({ taskId: 'task_1', sameRequest: true });
      // Another key does not drop it either.
      known.remember({ key: 'other', digest: 'digest' }, made(T + by));
      expect(known.find(request, T + by)?.taskId).toBe('task_1');
      expect(known.find({ ...request, digest: 'another' }, T + by)?.sameRequest).toBe(false);
    }
  });
});

describe('a machine', () => {
  const policies = [{ instances: 2 }, { instances: null }];

  it('leaves no machine and no account alone for longer than its own pauses, whenever the clock is set', () => {
    const outcome = fc.constantFrom('accepted', 'busy', 'unreachable', 'away' as const);
    const move = fc.oneof(
      fc.record({ pass: fc.integer({ min: 0, max: 200_000 }) }),
      fc.record({ jump }),
      fc.record({ account: fc.constantFrom('a', 'b'), wants: fc.integer({ min: 0, max: 2 }) }),
      fc.record({ account: fc.constantFrom('a', 'b'), outcome }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...policies), fc.array(move, { maxLength: 40 }), (fleet, moves) => {
        let state = emptyFleet;
        let at = T;
        let seq = 0;
        const take = (event: FleetEvent) => {
          const step = reduceFleet(state, event, fleet, at);
          state = step.state;
          return step.granted;
        };
        const ask = (account: string, slots: number[], wants: number) =>
          take({ type: 'ask', question: { account, plan: 'boost', seq: ++seq, slots, wants } });
        for (const one of moves) {
          if ('pass' in one) at += one.pass;
          else if ('jump' in one) at += one.jump;
          else if ('wants' in one) ask(one.account, [], one.wants);
          else {
            const observation = {
              account: one.account,
              slot: 0,
              outcome: one.outcome,
              free: 1,
              lined: false,
            };
            take({ type: 'observe', observation });
          }
        }
        // Whoever is alone and asks again has a machine after the longest pause, whatever the clock did before.
        ask('b', [], 0);
        ask('a', [], 1);
        for (let minute = 0; minute < 4; minute++) {
          at += 61_000;
          if ((ask('a', [], 1) ?? []).length > 0) return;
        }
        throw new Error('no machine after four minutes');
      }),
      { numRuns: 1000 },
    );
  });
});
