import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Lane, RenderedStretch } from '../../../transcoder/media/libav/child/encode-lane.ts';
import { Lanes } from '../../../transcoder/media/libav/child/lanes.ts';

const MIB = 1024 * 1024;

/** Stretches whose first time is their number. */
const stretchesOf = (count: number): RenderedStretch[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ jobs: [], pts: [index] },
    target: { seconds: 1, bitsPerPixel: 1, quantiser: null, maxKbps: null, fields: null, mastering: null },
    spent: { frames: 0, bytes: 0, largest: 0, pictures: [] },
  }));

/** Lanes that note what they do. RenderedStretch n comes as packets that begin with n, after as many turns of the event loop as `turns` says. */
function noting(
  count: number,
  { packets, turns, fails }: { packets: number[]; turns: (index: number) => number; fails?: number },
) {
  const events: string[] = [];
  let [working, most, sent] = [0, 0, 0];
  const lanes = Array.from({ length: count }, (_, lane) => ({
    encode: async ({ pts: [index = 0] }: RenderedStretch, onPacket: (data: Uint8Array) => Promise<void>) => {
      working += 1;
      most = Math.max(most, working);
      events.push(`${lane}:${index}`);
      try {
        for (const length of packets) {
          for (let turn = 0; turn < turns(index); turn++) await new Promise(setImmediate);
          if (index === fails) throw new Error(`stretch ${index} cannot be encoded`);
          await onPacket(new Uint8Array(length).fill(index));
          sent += length;
        }
      } finally {
        working -= 1;
      }
    },
    close: async () => {
      events.push(`closed ${lane} with ${working} at work`);
    },
  }));
  return {
    lanes: lanes as unknown as Lane[],
    events,
    state: () => ({ working, most, sent }),
  };
}

/** What comes of each stretch. */
async function taken(lanes: Lanes, count: number): Promise<number[][]> {
  const all: number[][] = [];
  for (let index = 0; index < count; index++) {
    const own: number[] = [];
    await lanes.next(async (data) => void own.push(data[0] ?? -1));
    all.push(own);
  }
  return all;
}

describe('stretches', () => {
  const uneven = (index: number) => (index * 7) % 5;

  test.each([0, 1, 2, 4])(
    'come in the order of the output, each from its own lane in turn, where %i lanes work at once',
    async (most) => {
      const noted = noting(4, { packets: [3, 2, 1], turns: uneven });
      const lanes = new Lanes(noted.lanes, stretchesOf(11), most);
      expect(await taken(lanes, 11)).toEqual(Array.from({ length: 11 }, (_, index) => [index, index, index]));
      await lanes.close();
      for (let lane = 0; lane < 4; lane++) {
        const own = noted.events.filter((event) => event.startsWith(`${lane}:`));
        expect(own).toEqual(
          [0, 4, 8].map((at) => at + lane).flatMap((at) => (at < 11 ? `${lane}:${at}` : [])),
        );
      }
      expect(noted.state().most).toBe(Math.max(1, most));
    },
  );

  test('are encoded ahead of their turn, but wait before they fill the memory', async () => {
    const noted = noting(4, { packets: Array<number>(40).fill(MIB), turns: () => 1 });
    const lanes = new Lanes(noted.lanes, stretchesOf(8), 4);
    let before = -1;
    while (noted.state().sent > before) {
      before = noted.state().sent;
      await pause(50);
    }
    expect(noted.state().sent).toBeGreaterThanOrEqual(64 * MIB);
    // The first stretch goes on, as it is the one that is needed.
    expect(noted.state().sent).toBeLessThanOrEqual((64 + 40 + 4) * MIB);
    expect((await taken(lanes, 8)).map(({ length }) => length)).toEqual(Array<number>(8).fill(40));
    await lanes.close();
  });

  test('that fail end the splice with their error, and stop the others', async () => {
    const noted = noting(4, { packets: Array<number>(300).fill(1), turns: uneven, fails: 5 });
    const lanes = new Lanes(noted.lanes, stretchesOf(40), 2);
    await expect(taken(lanes, 40)).rejects.toThrow('stretch 5 cannot be encoded');
    await lanes.close();
    expect(noted.events.slice(-4)).toEqual([0, 1, 2, 3].map((lane) => `closed ${lane} with 0 at work`));
    expect(noted.events.filter((event) => /^\d/.test(event))).toHaveLength(6);
    // Four have come to their end; the fifth was at its first third.
    expect(noted.state().sent).toBeGreaterThan(4 * 300);
    expect(noted.state().sent).toBeLessThan(4.5 * 300);
  });

  test('are left where they are when the splice ends early', async () => {
    const noted = noting(4, { packets: [1, 1, 1], turns: () => 3 });
    const lanes = new Lanes(noted.lanes, stretchesOf(40), 3);
    await lanes.next(async () => {});
    await lanes.close();
    expect(noted.events.at(-1)).toBe('closed 3 with 0 at work');
    expect(noted.events.length).toBeLessThan(20);
  });

  test('that were not planned are refused', async () => {
    const lanes = new Lanes(noting(1, { packets: [1], turns: () => 0 }).lanes, stretchesOf(1), 0);
    await taken(lanes, 1);
    await expect(lanes.next(async () => {})).rejects.toThrow('not planned');
  });
});
