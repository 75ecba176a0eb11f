import { describe, expect, it } from 'vitest';
import { planNames, planOf, plans } from '../../../schema/api/plans.ts';
import { reduce } from '../../../worker/account/lifecycle.ts';
import { empty, type State } from '../../../worker/account/live-state.ts';
import { WINDOW_MS } from '../../../worker/account/rate.ts';

const T = 1_800_000_000_000;

describe.each(planNames)('the creation limit of %s', (name) => {
  const policy = { ...planOf(name), waiting: 10_000 };
  const limit = plans[name].creations_per_minute;
  const admit = (state: State, id: string, now: number) =>
    reduce(state, { type: 'admit', id, requestId: 'r', work: 'cut' }, policy, now);

  function admitted(count: number, at: (index: number) => number): State {
    let state = empty;
    for (let index = 0; index < count; index++) {
      const step = admit(state, `task_${index}`, at(index));
      expect(step.verdict).toBe('accepted');
      state = step.state;
    }
    return state;
  }

  it('lets the whole limit through at once and refuses the next one', () => {
    const full = admitted(limit, () => T);
    expect(admit(full, 'next', T).verdict).toBe('rate_limited');
  });

  it('refuses the next one until the last millisecond of the window and takes it at its end', () => {
    const full = admitted(limit, () => T);
    expect(admit(full, 'next', T + WINDOW_MS - 1).verdict).toBe('rate_limited');
    expect(admit(full, 'next', T + WINDOW_MS).verdict).toBe('accepted');
  });

  it('gives each token back one window after it was taken, so no window holds more than the limit', () => {
    const full = admitted(limit, (index) => T + index * 100);
    const edge = T + WINDOW_MS;
    const first = admit(full, 'first', edge);
    expect(first.verdict).toBe('accepted');
    expect(admit(first.state, 'second', edge).verdict).toBe('rate_limited');
    expect(admit(first.state, 'second', edge + 100).verdict).toBe('accepted');
  });

  it('takes no token for a refusal, so that hammering does not lengthen the wait', () => {
    let state = admitted(limit, () => T);
    for (let index = 0; index < 100; index++) state = admit(state, `late_${index}`, T + 1000).state;
    expect(admit(state, 'next', T + WINDOW_MS).verdict).toBe('accepted');
  });

  it('takes a token when the line is full, for the creation was asked for', () => {
    const small = { ...policy, running: 1, waiting: 0 };
    let state = reduce(empty, { type: 'admit', id: 'a', requestId: 'r', work: 'cut' }, small, T).state;
    for (let index = 1; index < limit; index++) {
      const step = reduce(state, { type: 'admit', id: `b${index}`, requestId: 'r', work: 'cut' }, small, T);
      expect(step.verdict).toBe('queue_full');
      state = step.state;
    }
    expect(reduce(state, { type: 'admit', id: 'c', requestId: 'r', work: 'cut' }, small, T).verdict).toBe(
      'rate_limited',
    );
  });
});
