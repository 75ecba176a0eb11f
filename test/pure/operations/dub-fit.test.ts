import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitLines, isHeard, requiredSpeedUps } from '../../../transcoder/operations/redub/fit-to-slots.ts';
import type { Line } from '../../../transcoder/operations/redub/script.ts';

const line = (index: number, slot: Line['slot']): Line => ({
  ...{ id: `line${index}`, text: 'Words.', slot, pause: slot ? 0 : 0.45 },
  voiceId: undefined,
});
const slots = (...spans: [number, number][]) =>
  spans.map(([start, end], index) => line(index, { start, end }));
const options = { fit: 'stretch' as const, mostStretch: 1.25, total: 10 };

describe('a line in its slot', () => {
  it('is left as it is where it is short enough, and never slowed down', () => {
    const [placed] = fitLines(slots([1, 4]), [1.5], options);
    expect(placed).toMatchObject({ start: 1, seconds: 1.5, stretch: 1, cut: false, overrun: 0 });
  });

  it('borrows the pause before the next one, less 80 ms, before it is stretched', () => {
    const [first, second] = fitLines(slots([1, 2], [3, 4]), [1.9, 1], options);
    expect(first).toMatchObject({ seconds: 1.9, stretch: 1 });
    expect(first?.overrun).toBeCloseTo(0.9, 9);
    expect(second?.start).toBe(3);
    const [stretched] = fitLines(slots([1, 2], [3, 4]), [2.2, 1], options);
    expect(stretched?.seconds).toBeCloseTo(1.92, 9);
    expect(stretched?.stretch).toBeCloseTo(2.2 / 1.92, 9);
  });

  it('is spoken faster where stretching is not enough, half as fast again at most', () => {
    const lines = slots([0, 1], [1.08, 2], [2, 3]);
    expect([...requiredSpeedUps(lines, [1.2, 1.3, 9], options)]).toEqual([['line1', 1.3 / 0.92]]);
    expect(requiredSpeedUps(lines, [9, 9, 9], { ...options, total: 3 }).get('line2')).toBe(1.5);
    expect(requiredSpeedUps(lines, [9, 9, 9], { ...options, fit: 'none' }).size).toBe(0);
  });

  it('shifts the next one by what is left, and says so', () => {
    const [first, second] = fitLines(slots([0, 1], [1, 2]), [2.5, 0.5], { ...options, total: 2 });
    expect(first).toMatchObject({ seconds: 2, stretch: 1.25, overrun: 1 });
    expect(second).toMatchObject({ start: 2 });
  });

  it('is cut off at its end where that is wanted', () => {
    const [first, second] = fitLines(slots([0, 1], [1, 2]), [2.5, 0.5], { ...options, fit: 'trim' });
    expect(first).toMatchObject({ seconds: 1, stretch: 1, cut: true, overrun: 0 });
    expect(second).toMatchObject({ start: 1, cut: false });
  });

  it('shares the time with one that begins with it', () => {
    const both = slots([1, 4], [1, 4], [6, 7]);
    const [first, second] = fitLines(both, [1, 1], { ...options, fit: 'trim' });
    expect(first).toMatchObject({ start: 1, seconds: 1, cut: false });
    expect(second).toMatchObject({ start: 2, seconds: 1, cut: false });
    expect(requiredSpeedUps(both, [1, 1], options).size).toBe(0);
  });

  it('never lies over another, begins before its time or is played faster than allowed', () => {
    const times = fc.array(fc.tuple(fc.nat(3000), fc.integer({ min: 1, max: 3000 }), fc.nat(9000)), {
      minLength: 1,
      maxLength: 12,
    });
    const fits = fc.constantFrom('stretch' as const, 'none' as const, 'trim' as const);
    fc.assert(
      fc.property(times, fits, (made, fit) => {
        let at = 0;
        const spans = made.map(([gap, lasts]): [number, number] => {
          const start = at + gap / 1000;
          at = start + lasts / 1000;
          return [start, at];
        });
        const placed = fitLines(
          slots(...spans),
          made.map(([, , spoken]) => spoken / 1000),
          { ...options, fit, total: at + 1 },
        );
        let free = 0;
        for (const [index, { start, seconds, stretch }] of placed.entries()) {
          expect(start).toBeGreaterThanOrEqual(free - 1e-9);
          expect(start).toBeGreaterThanOrEqual(spans[index]?.[0] ?? 0);
          expect(stretch).toBeGreaterThanOrEqual(1);
          expect(stretch).toBeLessThanOrEqual(1.25);
          free = start + seconds;
        }
      }),
    );
  });
});

describe('a plain text', () => {
  const text = [line(0, null), line(1, null)];

  it('is spoken sentence after sentence, with a pause', () => {
    expect(fitLines(text, [2, 3], options)).toMatchObject([
      { start: 0, seconds: 2, stretch: 1 },
      { start: 2.45, seconds: 3, stretch: 1 },
    ]);
  });

  it('has shorter pauses where the video would end too early, and a quarter of a second at least', () => {
    const startOf = (total: number) => fitLines(text, [2, 3], { ...options, total })[1]?.start;
    expect(startOf(5.35)).toBeCloseTo(2.35, 9);
    expect(startOf(5.25)).toBeCloseTo(2.25, 9);
  });

  it('is not spoken behind the end where lines are cut off', () => {
    const placed = fitLines([...text, line(2, null)], [9, 9, 9], { ...options, fit: 'trim' });
    expect(placed.map(({ start, seconds }) => [start, seconds])).toEqual([
      [0, 9],
      [9.25, 0.75],
      [10, 0],
    ]);
    expect(placed.map(isHeard)).toEqual([true, true, false]);
  });

  it('is spoken faster as a whole where it would outlast the video', () => {
    const [first, second] = fitLines(text, [5, 5], { ...options, total: 9 });
    expect(first?.stretch).toBeCloseTo(10 / 8.75, 9);
    expect((second?.start ?? 0) + (second?.seconds ?? 0)).toBeCloseTo(9, 9);
    expect(requiredSpeedUps(text, [8, 8], { ...options, total: 9 }).size).toBe(2);
  });
});
