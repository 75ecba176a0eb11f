import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanName } from '../../../schema/api/plans.ts';
import { FleetWorld } from './fleet-world.ts';

type Pick = <T>(list: readonly T[]) => T | undefined;

function drawn<T>(list: T[], pick: Pick, work: (one: T) => void): void {
  const one = pick(list);
  if (one === undefined) return;
  list.splice(list.indexOf(one), 1);
  work(one);
}

/** Each takes the nth of those it can be done to, and does nothing where there is none. */
const commands: Record<string, (world: FleetWorld, pick: Pick) => void> = {
  submit: (world, pick) => {
    const tenant = pick(world.tenants);
    if (tenant) world.submit(tenant);
  },
  'submit again': (world, pick) => commands.submit?.(world, pick),
  'question arrives': (world, pick) => drawn(world.questions, pick, (one) => world.arrive(one)),
  'question arrives twice': (world, pick) => {
    const one = pick(world.questions);
    if (one) world.arrive(one);
  },
  'question is lost': (world, pick) => drawn(world.questions, pick, () => {}),
  'answer arrives': (world, pick) =>
    drawn(world.answers, pick, ({ tenant, event }) => world.apply(tenant, event)),
  'answer is lost': (world, pick) =>
    drawn(world.answers, pick, ({ tenant, event }) => {
      if ('seq' in event) world.apply(tenant, { type: 'unanswered', seq: event.seq });
    }),
  'answer vanishes': (world, pick) => drawn(world.answers, pick, () => {}),
  'call arrives': (world, pick) =>
    drawn(world.calls, pick, (tenant) => world.apply(tenant, { type: 'called' })),
  'call is lost': (world, pick) => drawn(world.calls, pick, () => {}),
  complete: (world, pick) => {
    const one = pick(world.running);
    if (one) world.complete(one);
  },
  bounce: (world, pick) => {
    const one = pick(world.running);
    if (one) world.bounce(one);
  },
  'account starts again': (world, pick) => {
    const tenant = pick(world.tenants);
    if (tenant) world.evict(tenant);
  },
  'time passes': (world, pick) => {
    world.now += pick([10, 500, 3000, 16_000]) ?? 0;
    world.tick();
  },
};
const names = Object.keys(commands);
const moves = fc.array(fc.nat(names.length * 64 - 1), { minLength: 20, maxLength: 250, size: 'max' });
const worlds = fc.record({
  instances: fc.integer({ min: 1, max: 6 }),
  plans: fc.array(fc.constantFrom<PlanName>('basic', 'boost', 'elite'), { minLength: 1, maxLength: 5 }),
});

function play(world: FleetWorld, script: readonly number[]): void {
  for (const move of script) {
    const nth = Math.floor(move / names.length);
    commands[names[move % names.length] ?? '']?.(world, (list) => list[nth % list.length]);
  }
}

function expectWell(world: FleetWorld): void {
  expect(world.calm(), 'comes to rest').toBe(true);
  expect(world.violations).toEqual([]);
  for (const { started, made } of world.tenants) {
    // Each task was started, and those that came first were started first.
    expect([...new Set(started)]).toEqual(Array.from({ length: made }, (_, index) => index + 1));
  }
  for (const { permits, offered, wants } of world.fleet.members.values())
    expect({ permits: permits.size, offered, wants }).toEqual({ permits: 0, offered: 0, wants: 0 });
}

describe('a fleet and its accounts, whatever becomes of their messages', () => {
  it.each([1, 2, 3])(
    'never give out more machines than there are, nor one twice, and let every task start in its turn (%i)',
    (seed) => {
      let tasks = 0;
      fc.assert(
        fc.property(worlds, moves, ({ instances, plans }, script) => {
          const world = new FleetWorld(instances, plans);
          play(world, script);
          expectWell(world);
          for (const { made } of world.tenants) tasks += made;
        }),
        { numRuns: 400, seed },
      );
      expect(tasks).toBeGreaterThan(4000);
    },
  );

  it('recover when the fleet has lost all that it knew', () => {
    fc.assert(
      fc.property(worlds, moves, moves, ({ instances, plans }, before, after) => {
        const world = new FleetWorld(instances, plans);
        play(world, before);
        world.wipe();
        play(world, after);
        expectWell(world);
      }),
      { numRuns: 300, seed: 4 },
    );
  });
});
