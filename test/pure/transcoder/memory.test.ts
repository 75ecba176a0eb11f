import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planNames, plans } from '../../../schema/api/plans.ts';
import { largestOver } from '../../../transcoder/ffmpeg/memory-watch.ts';
import { memoryForTasks, memoryShare } from '../../../transcoder/model/memory-share.ts';

const MIB = 1024 ** 2;

describe('the memory of a process', () => {
  test('is never more than that of its slot, and those of all slots fit the machine', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 256 * MIB, max: 2 ** 40 }),
        fc.integer({ min: 1, max: 64 }),
        fc.constantFrom(...planNames),
        (machine, slots, plan) => {
          const slot = memoryForTasks(machine) / slots;
          const share = memoryShare(slot, plans[plan]);
          expect(share).toBeLessThanOrEqual(slot);
          expect(share * slots).toBeLessThan(machine);
        },
      ),
    );
  });

  test('grows with what the plan allows', () => {
    const [basic, boost, elite] = planNames.map((name) => memoryShare(Number.POSITIVE_INFINITY, plans[name]));
    expect(basic).toBeLessThan(boost ?? 0);
    expect(boost).toBeLessThan(elite ?? 0);
  });
});

describe('of processes that hold too much together', () => {
  const ancestor = 10;
  const processes = [
    { pid: 10, parent: 1, group: 10, bytes: 900 },
    { pid: 11, parent: 10, group: 11, bytes: 10 },
    { pid: 12, parent: 11, group: 11, bytes: 300 },
    { pid: 13, parent: 10, group: 13, bytes: 250 },
    { pid: 14, parent: 13, group: 13, bytes: 250 },
    { pid: 99, parent: 1, group: 99, bytes: 5000 },
  ];

  test('the largest group below the transcoder is chosen, never the transcoder or anything else', () => {
    expect(largestOver(processes, ancestor, 800)).toEqual({ group: 13, bytes: 500, together: 810 });
  });

  test('it is chosen also where the transcoder is the first process of its container', () => {
    const inContainer = [
      { pid: 1, parent: 0, group: 1, bytes: 900 },
      { pid: 5, parent: 1, group: 5, bytes: 500 },
      { pid: 6, parent: 5, group: 5, bytes: 400 },
      { pid: 7, parent: 1, group: 7, bytes: 100 },
    ];
    expect(largestOver(inContainer, 1, 800)).toEqual({ group: 5, bytes: 900, together: 1000 });
  });

  test('none is chosen while they keep the limit', () => {
    expect(largestOver(processes, ancestor, 810)).toBeNull();
  });
});
