import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TimeMap } from '../../../schema/task/task.ts';
import type { TextCue } from '../../../transcoder/model/plan.ts';
import { mappedCues } from '../../../transcoder/operations/plan/tracks/mapped-cues.ts';

const tenths = (most: number) => fc.integer({ min: 0, max: most * 10 }).map((value) => value / 10);
const cue = fc
  .tuple(tenths(60), fc.integer({ min: 1, max: 90 }), fc.constantFrom('one', 'two', 'three'))
  .map(([start, length, text]): TextCue => ({ start, end: start + length / 10, text }));
const clip = fc.tuple(tenths(50), fc.integer({ min: 1, max: 200 }), fc.boolean());

/** A time map whose clips follow each other, some of them backwards. */
const map = fc.array(clip, { minLength: 1, maxLength: 6 }).map((clips): TimeMap => {
  let at = 0;
  return clips.map(([start, length, backwards]) => {
    const [begin, seconds] = [at, length / 10];
    at += seconds;
    const span: [number, number] = backwards ? [start + seconds, start] : [start, start + seconds];
    return { source: 0, in: span, out: [begin, at] };
  });
});

describe('cues of a text track', () => {
  test('are where each of them is by itself, in whichever order they come', () => {
    fc.assert(
      fc.property(fc.array(cue, { maxLength: 12 }), map, (cues, clips) => {
        const numbered = cues.map((one, index) => ({ ...one, text: `${one.text} ${index}` }));
        const sort = (list: TextCue[]) =>
          list.toSorted((a, b) => a.start - b.start || (a.text < b.text ? -1 : 1));
        const alone = numbered.flatMap((one) => mappedCues([one], clips) ?? []);
        expect(sort(mappedCues(numbered, clips) ?? [])).toEqual(sort(alone));
        expect(sort(mappedCues(numbered.toReversed(), clips) ?? [])).toEqual(sort(alone));
      }),
    );
  });

  test('of a long track are placed in time that grows with them alone', () => {
    const cues = Array.from({ length: 50_000 }, (_, index) => ({
      ...{ start: index / 5, end: index / 5 + 0.2, text: `Line ${index}` },
    }));
    const clips: TimeMap = Array.from({ length: 3000 }, (_, index) => ({
      ...{ source: 0, in: [index * 3, index * 3 + 2], out: [index * 2, index * 2 + 2] },
    }));
    const began = performance.now();
    expect(mappedCues(cues, clips)?.length).toBeGreaterThan(25_000);
    // It took longer than the lease of a task where each cue was compared with all before it.
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test('that last throughout are not made for each part of a long edit', () => {
    const cues = Array.from({ length: 2000 }, () => ({ start: 0, end: 9000, text: 'A' }));
    const clips: TimeMap = Array.from({ length: 3000 }, (_, index) => ({
      ...{ source: 0, in: [index * 3, index * 3 + 2], out: [index * 2, index * 2 + 2] },
    }));
    expect(mappedCues(cues, clips, 0, { cues: 200_000 })).toBeNull();
    const room = { cues: 200_000 };
    expect(mappedCues(cues, clips.slice(0, 50), 0, room)).not.toBeNull();
    expect(room.cues).toBe(100_000);
  });
});
