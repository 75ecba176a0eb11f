import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Marking, Modification } from '../../../../transcoder/bitstream/h264-commands.ts';
import { commandsFor, initialLists, modifiedList } from '../../../../transcoder/bitstream/h264-lists.ts';
import { CopiedReferences, type Picture } from '../../../../transcoder/bitstream/h264-references.ts';
import type { Slice } from '../../../../transcoder/bitstream/h264-slice.ts';

const WRAP = 16;
const current = (frameNum: number, order: number) => ({ frameNum, order, wrap: WRAP });

const type = { P: 0, B: 1, I: 2 } as const;
interface Coded {
  kind: keyof typeof type;
  frameNum: number;
  order: number;
  /** Whether later pictures may refer to it. */
  kept?: boolean;
  /** Entries of each list. */
  active?: number[];
  modifications?: Modification[][];
  marking?: Marking[] | null;
}

function picture({
  kind,
  frameNum,
  order,
  kept = true,
  active = [],
  marking = null,
  ...more
}: Coded): Picture {
  const { modifications = active.map(() => []) } = more;
  const slice = { type: type[kind], head: kept ? 0x61 : 0x01, active, modifications, marking };
  return { frameNum, order, slices: [slice as unknown as Slice] };
}

const unmark = (difference: number): Marking => ({ operation: 1, values: [difference - 1] });
const limits = { wrap: WRAP, most: 3 };
const entered = (strict = false) => new CopiedReferences({ frameNum: 5, order: 0 }, limits, strict);

describe('reference lists', () => {
  it('begin with the latest picture in P slices, across the wrap', () => {
    const known = [14, 15, 0].map((frameNum, order) => ({ frameNum, order }));
    const [list] = initialLists(known, current(1, 9), false);
    expect(list?.map(({ frameNum }) => frameNum)).toEqual([0, 15, 14]);
  });

  it('go away from the picture in B slices, and differ in their first two entries', () => {
    const known = [0, 4, 8].map((order, frameNum) => ({ frameNum, order }));
    const orders = (order: number) =>
      initialLists(known, current(3, order), true).map((list) => list.map((each) => each.order));
    expect(orders(6)).toEqual([
      [4, 0, 8],
      [8, 4, 0],
    ]);
    expect(orders(10)).toEqual([
      [8, 4, 0],
      [4, 8, 0],
    ]);
  });

  it('are made by commands, whatever they hold', () => {
    const frames = fc.uniqueArray(fc.nat(WRAP - 1), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        frames,
        fc.array(fc.nat(5), { minLength: 1, maxLength: 8 }),
        fc.nat(WRAP - 1),
        (numbers, at, now) => {
          const known = numbers
            .filter((frameNum) => frameNum !== now)
            .map((frameNum) => ({ frameNum, order: 0 }));
          if (known.length === 0) return;
          const list = at.flatMap((index) => known[index % known.length] ?? []);
          const about = { known, current: current(now, 1), count: list.length };
          expect(modifiedList([], about, commandsFor(list, current(now, 1)))).toEqual(list);
        },
      ),
    );
  });
});

describe('a copy that begins at an open entry', () => {
  it('counts frames from 0, and without the leading ones', () => {
    const copy = entered();
    copy.leave(picture({ kind: 'B', frameNum: 6, order: -4, active: [1, 1] }));
    const kept = copy.keep(picture({ kind: 'P', frameNum: 7, order: 8, active: [1], marking: [unmark(1)] }));
    expect(kept).toEqual({ frameNum: 1, references: [{ modifications: [[]], marking: [] }] });
  });

  it('names the entry by its new distance', () => {
    const copy = entered();
    copy.leave(picture({ kind: 'B', frameNum: 6, order: -4, active: [1, 1] }));
    // In the source, the leading picture is first in the list, and a command puts the entry before it.
    const modifications = [[{ kind: 0, value: 1 }]];
    const kept = copy.keep(picture({ kind: 'P', frameNum: 7, order: 8, active: [1], modifications }));
    expect(kept.references).toEqual([{ modifications: [[]], marking: null }]);
    const next = copy.keep(
      picture({ kind: 'P', frameNum: 8, order: 16, active: [2], modifications: [[{ kind: 0, value: 2 }]] }),
    );
    expect(next.references[0]?.modifications).toEqual([
      [
        { kind: 0, value: 1 },
        { kind: 1, value: 0 },
      ],
    ]);
  });

  it('leaves out commands that name pictures from before it', () => {
    const marking = [unmark(4), unmark(3), { operation: 2, values: [0] }];
    const kept = entered().keep(picture({ kind: 'P', frameNum: 6, order: 8, active: [1], marking }));
    expect(kept.references[0]?.marking).toEqual([]);
  });

  it('removes by command what the leading pictures have pushed out of the source', () => {
    const copy = entered();
    for (const frameNum of [6, 7, 8]) {
      copy.leave(picture({ kind: 'B', frameNum, order: frameNum - 10, active: [1, 1] }));
    }
    const kept = copy.keep(picture({ kind: 'I', frameNum: 9, order: 8 }));
    expect(kept.references[0]?.marking).toEqual([unmark(1)]);
  });

  it('fills unused entries, unless the stream does not promise that they are not used', () => {
    const wide = picture({ kind: 'P', frameNum: 6, order: 8, active: [3] });
    const kept = entered().keep(wide);
    expect(kept.references[0]?.modifications[0]).toHaveLength(3);
    expect(() => entered(true).keep(wide)).toThrow(RangeError);
  });

  it.each([
    ['a missing frame', { kind: 'P', frameNum: 7, order: 8, active: [1] }],
    [
      'a long-term picture',
      { kind: 'P', frameNum: 6, order: 8, active: [1], marking: [{ operation: 6, values: [0] }] },
    ],
    ['a reset', { kind: 'P', frameNum: 6, order: 8, active: [1], marking: [{ operation: 5, values: [] }] }],
    ['a list whose order depends on earlier pictures', { kind: 'B', frameNum: 6, order: 8, active: [1, 1] }],
  ] as const)('is refused for %s', (_, coded) => {
    expect(() => entered().keep(picture(coded as unknown as Coded))).toThrow(RangeError);
  });
});
