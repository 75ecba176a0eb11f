import { describe, expect, it } from 'vitest';
import { nextDeadline, reduce } from '../../../worker/account/lifecycle.ts';
import { empty, type State } from '../../../worker/account/live-state.ts';

const policy = { creations_per_minute: 100, running: 2, waiting: 3 };
const START = 1_800_000_000_000;
const HOUR_MS = 3600_000;
const COUNT = 2000;

/** An account in which this many deletions have failed, and the tries that follow. */
class Erasing {
  state: State = empty;
  now = START;
  readonly tries: { at: number; ids: string[] }[] = [];

  constructor(count: number) {
    for (let n = 0; n < count; n++) this.#apply({ type: 'deleted', id: `${n}` });
  }

  /** The alarm rings once more; `done`: what is tried then succeeds. @returns false if there is nothing left to do */
  ring(done: boolean): boolean {
    const deadline = nextDeadline(this.state);
    if (deadline === null) return false;
    this.now = Math.max(this.now, deadline);
    this.tick(done);
    return true;
  }

  tick(done: boolean): void {
    const ids = this.#apply({ type: 'tick' });
    this.tries.push({ at: this.now, ids });
    if (done) for (const id of ids) this.#apply({ type: 'erased', id });
  }

  #apply(event: Parameters<typeof reduce>[1]): string[] {
    const { state, effects } = reduce(this.state, event, policy, this.now);
    this.state = state;
    return effects.flatMap((effect) => (effect.type === 'erase' ? [effect.id] : []));
  }
}

describe('thousands of deletions that failed', () => {
  it('are tried again a few at a time and one batch after the other, until all are done', () => {
    const erasing = new Erasing(COUNT);
    erasing.now += HOUR_MS;
    while (erasing.ring(true));
    expect(erasing.tries.flatMap(({ ids }) => ids).toSorted()).toEqual(
      Array.from({ length: COUNT }, (_, n) => `${n}`).toSorted(),
    );
    for (const [index, { at, ids }] of erasing.tries.entries()) {
      expect(ids.length).toBeLessThanOrEqual(20);
      expect(at - (erasing.tries[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(1000);
    }
    expect(erasing.now - START - HOUR_MS).toBeLessThan(200_000);
  });

  it('each have their turn while all go on failing', () => {
    const erasing = new Erasing(COUNT);
    while (erasing.now < START + HOUR_MS) erasing.ring(false);
    const counts = new Map<string, number>();
    for (const { ids } of erasing.tries) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    expect(counts.size).toBe(COUNT);
    expect(Math.min(...counts.values())).toBeGreaterThan(5);
  });

  it('go on with the first event after the clock was set back by a day', () => {
    const erasing = new Erasing(COUNT);
    erasing.now += HOUR_MS;
    erasing.ring(false);
    erasing.now -= 24 * HOUR_MS;
    const back = erasing.now;
    erasing.tick(true);
    while (erasing.ring(true));
    expect(erasing.now - back).toBeLessThan(15 * 60_000);
  });
});
