import { describe, expect, it } from 'vitest';
import { partsOf, timelineOf } from '../../../transcoder/media/libav/child/output-timeline.ts';
import { Ticks } from '../../../transcoder/model/numbers/ticks.ts';
import type { Piece } from '../../../transcoder/model/splice.ts';

/** A range of an input whose groups of pictures are ten frames long, a frame a tick. */
function range(input: number, from: number, to: number, at: number): Piece {
  const entry = Math.floor(from / 10) * 10;
  const count = (first: number, end: number) =>
    Array.from({ length: end - first }, (_, index) => first + index);
  const run = (first: number, end: number) => ({
    ...{ seek: entry, entry, packets: end - entry, frames: count(first, end) },
  });
  const first = Math.ceil(from / 10) * 10;
  if (first >= to) {
    return {
      kind: 'range',
      input,
      head: run(from, to),
      copy: null,
      tail: null,
      filters: null,
      zero: from,
      pinned: false,
      at,
    };
  }
  const copy = { seek: first, frames: new Ticks(count(first, to)) };
  const head = first > from ? run(from, first) : null;
  return { kind: 'range', input, head, copy, tail: null, filters: null, zero: from, pinned: false, at };
}

const units = [
  { num: 1, den: 30 },
  { num: 1, den: 90 },
];
const none = new Map<number, number[]>();

describe('pieces', () => {
  it('become parts in which rendered runs that touch are one', () => {
    const pieces = [range(0, 5, 25, 0), range(0, 1, 4, 20), range(0, 5, 8, 23), range(0, 12, 15, 26)];
    const parts = partsOf({ pieces }, units, none);
    expect(parts.map(({ kind, pts }) => [kind, pts.length])).toEqual([
      ['rendered', 5],
      ['copied', 15],
      ['rendered', 9],
    ]);
    expect([...timelineOf(parts, 1, null).pts]).toEqual(Array.from({ length: 29 }, (_, index) => index));
  });

  it('of which runs of one group follow one another decode it once', () => {
    const jobs = (pieces: Piece[]) => {
      const [part] = partsOf({ pieces }, units, none);
      return part?.kind === 'rendered'
        ? part.jobs.map((job) => job.kind === 'run' && [job.run.packets, job.run.frames])
        : null;
    };
    expect(jobs([range(0, 1, 3, 0), range(0, 6, 8, 2)])).toEqual([[8, [1, 2, 6, 7]]]);
    expect(jobs([range(0, 6, 8, 0), range(0, 1, 3, 2)])).toEqual([
      [8, [6, 7]],
      [3, [1, 2]],
    ]);
    expect(jobs([range(0, 1, 3, 0), range(1, 6, 8, 2)])).toHaveLength(2);
  });

  it('of another time base are scaled to that of the model', () => {
    const file: Piece = { kind: 'file', input: 1, frames: 3, at: 100 };
    const [part] = partsOf({ pieces: [file] }, units, new Map([[1, [7, 13, 10]]]));
    expect([...(part?.pts ?? [])]).toEqual([100, 102, 101]);
    expect(() => partsOf({ pieces: [file] }, units, new Map([[1, [7, 13]]]))).toThrow('2 frames, not 3');
  });

  it('begin with a frame that is held, which ends where the next one begins; the last ends where it is told to', () => {
    const head = { seek: 0, entry: 0, packets: 9, frames: [1, 6, 8] };
    const alone = { copy: null, tail: null, filters: null };
    const held: Piece = { kind: 'range', input: 0, head, ...alone, zero: 5, pinned: true, at: 100 };
    const parts = partsOf({ pieces: [held] }, units, none);
    const { pts, durations } = timelineOf(parts, 1, 107);
    expect([[...pts], [...durations]]).toEqual([
      [100, 101, 103],
      [1, 2, 4],
    ]);
    expect([...timelineOf(parts, 1, null).durations]).toEqual([1, 2, 1]);
  });

  it('decode the last frame so late that the track lasts as long as it is shown', () => {
    const coded = (pts: number[], until: number) => {
      const { dts, durations } = timelineOf([{ kind: 'rendered', jobs: [], pts }], 1, until);
      const last = pts.length - 1;
      const ends = pts.map((time, index) => time + (durations[index] ?? 0));
      return {
        decoded: (dts[last] ?? 0) + (durations[last] ?? 0) - (dts[0] ?? 0),
        shown: Math.max(...ends),
      };
    };
    expect(coded([0, 2, 1, 5, 8], 9)).toEqual({ decoded: 9, shown: 9 });
    expect(coded([0, 4, 2, 9, 5], 10)).toEqual({ decoded: 10, shown: 10 });
    // If the frame shown last is long and decoded earlier, only a longer duration makes the sum.
    expect(coded([0, 2, 1, 5, 3], 20)).toEqual({ decoded: 20, shown: 20 });
  });

  it('that overlap, or show two frames at once, are refused', () => {
    const timeline = (pieces: Piece[]) => [
      ...timelineOf(partsOf({ pieces }, units, none), 1, null).durations,
    ];
    expect(() => timeline([range(0, 0, 5, 0), range(0, 20, 25, 4)])).toThrow('overlap');
    expect(timeline([range(0, 0, 5, 0), range(0, 20, 25, 5)])).toEqual(Array(10).fill(1));
    expect(timeline([range(0, 0, 2, 0), range(0, 20, 22, 5)])).toEqual([1, 4, 1, 1]);
  });
});
