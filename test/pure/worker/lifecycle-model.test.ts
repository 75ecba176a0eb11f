import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccountWorld } from './account-world.ts';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;
/** More than two attempts that are lost take, with their pauses, and what the moves before have left to wait for. */
const LONGEST_MS = HOUR_MS;

/** Each takes the nth of those it can be done to, and does nothing where there is none. */
const commands: Record<
  string,
  (world: AccountWorld, pick: <T>(list: readonly T[]) => T | undefined) => void
> = {
  create: (world) => world.create(),
  'create from another': (world, pick) => given(pick(world.ids), (id) => world.create([id])),
  'create from the latest two': (world) => world.create(world.ids.slice(-2)),
  record: (world, pick) => take(pick(world.recording), world.recording, (id) => world.record(id)),
  deliver: (world, pick) => take(pick(world.messages), world.messages, (one) => world.deliver(one)),
  'deliver twice': (world, pick) => given(pick(world.messages), (one) => world.deliver(one)),
  'lose the message': (world, pick) => take(pick(world.messages), world.messages, () => {}),
  'fleet grants all': (world, pick) =>
    take(pick(world.questions), world.questions, (one) => world.answer(one, 9)),
  'fleet grants one': (world, pick) =>
    take(pick(world.questions), world.questions, (one) => world.answer(one, 1)),
  'fleet grants none': (world, pick) =>
    take(pick(world.questions), world.questions, (one) => world.answer(one, 0)),
  'fleet answers twice': (world, pick) => given(pick(world.questions), (one) => world.answer(one, 9)),
  'fleet fails': (world, pick) =>
    take(pick(world.questions), world.questions, ({ seq }) => world.apply({ type: 'unanswered', seq })),
  'fleet knows better': (world, pick) =>
    take(pick(world.questions), world.questions, ({ seq }) =>
      world.apply({ type: 'out_of_date', seq, heard: seq + 5 }),
    ),
  'fleet calls': (world) => world.apply({ type: 'called' }),
  'dead letter': (world, pick) =>
    take(pick(world.messages), world.messages, (one) => {
      if (world.apply({ type: 'claimed', ...one }) === 'accepted')
        world.apply({ type: 'returned', pauseMs: 10_000, ...one });
    }),
  'hand over': (world, pick) => given(pick(world.claims), (one) => world.hand(one, true)),
  'hand over unheard': (world, pick) => given(pick(world.claims), (one) => world.hand(one, false)),
  'find no machine': (world, pick) => given(pick(world.claims), (one) => world.refuse(one)),
  'consumer dies': (world, pick) => take(pick(world.claims), world.claims, () => {}),
  'refuse the job': (world, pick) =>
    take(pick(world.claims), world.claims, (one) => world.apply({ type: 'failed', ...one })),
  'find the disk full': (world, pick) =>
    take(pick(world.running), world.running, (one) => world.apply({ type: 'out_of_disk', ...one })),
  'wait in the line of a machine': (world, pick) =>
    given(pick(world.running), (one) => world.heartbeat(one, false)),
  heartbeat: (world, pick) => given(pick(world.running), (one) => world.heartbeat(one)),
  preempt: (world, pick) => given(pick(world.running), (one) => world.release(one)),
  kill: (world, pick) => given(pick(world.running), (one) => world.die(one)),
  complete: (world, pick) => given(pick(world.running), (one) => world.report('completed', one)),
  fail: (world, pick) => given(pick(world.running), (one) => world.report('failed', one)),
  'stale complete': (world, pick) => given(pick(world.zombies), (one) => world.report('completed', one)),
  'stale heartbeat': (world, pick) => given(pick(world.zombies), (one) => world.heartbeat(one)),
  land: (world, pick) => given(pick(world.ending), (one) => world.land(one)),
  delete: (world, pick) => given(pick(world.ids), (id) => world.delete(id)),
  'database fails': (world) => void world.fates.push('failed'),
  'database does not answer': (world) => void world.fates.push('unanswered'),
  tick: (world) => void world.sleep(),
  'tick late': (world, pick) => {
    world.now += pick([1000, 5000, 29_000, 31_000, 130_000, HOUR_MS]) ?? 0;
    world.tick();
  },
  'clock jumps': (world, pick) => {
    world.now += pick([-HOUR_MS, HOUR_MS, -DAY_MS, DAY_MS, -61_000, 61_000]) ?? 0;
  },
  wait: (world, pick) => {
    world.now += pick([10, 1000, 5000, 29_000, 31_000]) ?? 0;
  },
};

const names = Object.keys(commands);
const moves = fc.array(fc.nat(names.length * 64 - 1), { minLength: 5, maxLength: 90, size: 'max' });

function given<T>(one: T | undefined, work: (one: T) => unknown): void {
  if (one !== undefined) work(one);
}

function take<T>(one: T | undefined, list: T[], work: (one: T) => unknown): void {
  if (one === undefined) return;
  list.splice(list.indexOf(one), 1);
  work(one);
}

function play(policy: { running: number; waiting: number }, script: readonly number[]): AccountWorld {
  const world = new AccountWorld({ ...policy, creations_per_minute: 1000 });
  for (const move of script) {
    const nth = Math.floor(move / names.length);
    commands[names[move % names.length] ?? '']?.(world, (list) => list[nth % list.length]);
  }
  return world;
}

/** Lets what is under way arrive, and then nobody answers any more, or everybody does. */
function calm(world: AccountWorld, answers: boolean): void {
  world.fates.length = 0;
  for (const id of world.recording.splice(0)) world.record(id);
  for (const ending of [...world.ending]) world.land(ending);
  for (let step = 0; step < 10_000; step++) {
    for (const question of world.questions.splice(0)) world.answer(question, 9);
    for (const message of world.messages.splice(0)) world.deliver(message);
    for (const one of [...world.claims]) world.hand(one, true);
    // A machine that does not answer has taken the work and dies with it.
    if (answers) for (const one of [...world.running]) world.report('completed', one);
    else for (const one of [...world.running]) world.die(one);
    for (const ending of [...world.ending]) world.land(ending);
    if (world.messages.length + world.questions.length === 0 && !world.sleep()) return;
  }
  world.violations.push('the alarm never comes to rest');
}

const policies = fc.record({
  running: fc.integer({ min: 1, max: 3 }),
  waiting: fc.integer({ min: 1, max: 4 }),
});

describe('whatever happens to an account', () => {
  it.each([1, 2, 3, 4])(
    'every task ends once, with one output, in its turn and in bounded time, and nothing is left behind (%i)',
    (seed) => {
      const ended = { completed: 0, failed: 0, deleted: 0 };
      let waits = 0;
      fc.assert(
        fc.property(policies, moves, fc.boolean(), (policy, script, answers) => {
          const world = play(policy, script);
          const since = world.slept;
          calm(world, answers);
          expect(world.violations).toEqual([]);
          expect([...world.state.tasks.keys()], 'slots and leases').toEqual([]);
          expect([...world.state.deletions.keys()], 'deletions').toEqual([]);
          expect(world.slept - since).toBeLessThan(LONGEST_MS * Math.max(1, world.ids.length));
          waits += world.waits;
          for (const id of world.ids) {
            const status = world.records.get(id)?.status ?? 'deleted';
            expect(status).toMatch(/^(completed|failed|deleted)$/);
            ended[status as keyof typeof ended] += 1;
          }
        }),
        { numRuns: 2500, seed },
      );
      expect(waits).toBeGreaterThan(1000);
      // A model in which nothing ever ends proves nothing.
      for (const count of Object.values(ended)) expect(count).toBeGreaterThan(500);
    },
  );
});
