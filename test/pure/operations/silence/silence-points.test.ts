import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pacedFrames } from '../../../../transcoder/operations/plan/frames.ts';
import type { Segment } from '../../../../transcoder/operations/silence/detect.ts';
import {
  type CodedFrame,
  cheapEdges,
  type Reach,
} from '../../../../transcoder/operations/silence/snap-to-keyframes.ts';

const STEP = 1 / 30;
const COUNT = 300;

/** Groups of `gop` frames, each anchor before the `bFrames` that are shown before it. */
function coded(gop: number, bFrames: number): CodedFrame[] {
  const frames: CodedFrame[] = [];
  for (let key = 0; key < COUNT; key += gop) {
    const end = Math.min(COUNT, key + gop);
    frames.push({ time: key * STEP, entry: 'closed' });
    for (let first = key + 1; first < end; first += bFrames + 1) {
      const anchor = Math.min(first + bFrames, end - 1);
      frames.push({ time: anchor * STEP, entry: null });
      for (let at = first; at < anchor; at++) frames.push({ time: at * STEP, entry: null });
    }
  }
  return frames;
}

const reach: Reach = {
  grid: pacedFrames({ zero: 0, step: STEP, count: COUNT, until: COUNT * STEP }),
  ...{ before: 0.2, after: 0.2 },
  holds: () => false,
};
const kept = (start: number, end: number): Segment => ({ start, end, action: 'keep' });
const silent = (start: number, end: number): Segment => ({ start, end, action: 'silent' });
const edges = (segments: readonly Segment[]) => segments.slice(1).map(({ start }) => start);

describe('an edge', () => {
  test('at a start is moved to the keyframe near it, at an end behind the B-frames', () => {
    const frames = coded(30, 3);
    const list = [silent(0, 1.2), kept(1.2, 2.5), silent(2.5, 4.1), kept(4.1, 10)];
    expect(edges(cheapEdges(list, frames, reach))).toEqual([1, 2.566667, 4]);
  });

  test('is moved into the margin only by half of it, and never where something has to stay', () => {
    const frames = coded(30, 0);
    const list = [silent(0, 2.9), kept(2.9, 10)];
    expect(edges(cheapEdges(list, frames, reach))).toEqual([3]);
    expect(edges(cheapEdges(list, frames, { ...reach, before: 0.1 }))).toEqual([2.9]);
    expect(edges(cheapEdges(list, frames, { ...reach, holds: () => true }))).toEqual([2.9]);
  });

  test('without a margin stays', () => {
    const list = [silent(0, 1.1), kept(1.1, 2.5), silent(2.5, 4.1), kept(4.1, 10)];
    const none = { ...reach, before: 0, after: 0 };
    expect(cheapEdges(list, coded(30, 3), none)).toEqual(list);
  });

  test('at an end stays where nothing of the span is copied', () => {
    const list = [kept(0, 1), silent(1, 3.2), kept(3.2, 4.5), silent(4.5, 10)];
    const frames = coded(150, 3);
    expect(edges(cheapEdges(list, frames, reach)).slice(1)).toEqual([3.2, 4.5]);
  });
});

test('for any list and structure, segments stay in order and silences keep half of their length', () => {
  const lengths = fc.array(fc.integer({ min: 4, max: 80 }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(
      lengths,
      fc.boolean(),
      fc.integer({ min: 5, max: 90 }),
      fc.nat({ max: 7 }),
      (all, first, gop, b) => {
        let frame = 0;
        const list = all.map((length, index): Segment => {
          const start = frame * STEP;
          frame += length;
          return { start, end: frame * STEP, action: (index % 2 === 0) === first ? 'keep' : 'silent' };
        });
        const moved = cheapEdges(list, coded(gop, b), reach);
        expect(moved.map(({ action }) => action)).toEqual(list.map(({ action }) => action));
        for (const [index, { start, end, action }] of moved.entries()) {
          expect(start).toBeCloseTo(moved[index - 1]?.end ?? 0, 5);
          const before = list[index] ?? { start: 0, end: 0 };
          if (action === 'silent')
            expect(end - start).toBeGreaterThan((before.end - before.start) / 2 - STEP);
          expect(end).toBeGreaterThan(start);
          expect(start).toBeGreaterThan(before.start - 0.31);
          expect(end).toBeLessThan(before.end + 4.1 * STEP);
        }
      },
    ),
  );
});
