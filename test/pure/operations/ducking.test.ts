import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VOICE_WINDOW } from '../../../transcoder/model/voice.ts';
import { onlyWithin, spokenIn, staysLowered } from '../../../transcoder/operations/redub/ducking.ts';

const levelsOf = (seconds: number, level: (second: number) => number) => {
  const rms = Float32Array.from({ length: seconds * 100 }, (_, window) => level(window / 100));
  return { rms, peak: rms };
};
/** Somebody speaks in every other two seconds. */
const speaks = (second: number) => second % 4 < 2;
const said = (seconds: number) => ({
  probability: Float32Array.from({ length: Math.floor(seconds / VOICE_WINDOW) }, (_, window) =>
    speaks(window * VOICE_WINDOW) ? 0.9 : 0,
  ),
});

describe('a voice', () => {
  test.each([
    ['without noise', 0.0001, false],
    ['with noise that is heard', 0.01, true],
  ])('%s keeps the background lowered between its sentences: %s, %s', (_, noise, stays) => {
    expect(staysLowered(levelsOf(20, (second) => (speaks(second) ? 0.1 : noise)))).toBe(stays);
  });

  test('is where somebody speaks, with a little around it', () => {
    const levels = levelsOf(20, (second) => (speaks(second) ? 0.1 : 0.01));
    const spans = spokenIn(levels, said(20)) ?? [];
    expect(spans).toHaveLength(5);
    for (const [index, { start, end }] of spans.entries()) {
      expect(start).toBeCloseTo(index * 4 - 0.1, 1);
      expect(end).toBeCloseTo(index * 4 + 2.2, 1);
    }
  });

  test('is not divided if there is no speech, or none was searched for', () => {
    const levels = levelsOf(20, () => 0.01);
    expect(spokenIn(levels, null)).toBeNull();
    expect(spokenIn(undefined, said(20))).toBeNull();
    expect(spokenIn(levels, { probability: new Float32Array(600) })).toBeNull();
  });
});

/** The value of such an expression at a time. */
function valueAt(expression: string, t: number): number {
  const lt = (a: number, b: number) => a < b;
  const between = (value: number, from: number, to: number) => (value >= from && value <= to ? 1 : 0);
  const choose = (which: boolean, yes: number, no: number) => (which ? yes : no);
  return new Function('t', 'lt', 'between', 'choose', `return ${expression.replaceAll('if(', 'choose(')}`)(
    t,
    lt,
    between,
    choose,
  );
}

const spans = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 5000 })), { maxLength: 200 })
  .map((lengths) => {
    let at = 0;
    return lengths.map(([gap, length]) => {
      const start = at + gap / 1000;
      at = start + length / 1000;
      return { start, end: at };
    });
  });

describe('a sound', () => {
  test('is heard within its spans and nowhere else', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 0, max: 2_000_000 }), (given, millis) => {
        const t = millis / 1000 + 0.0005;
        const inside = given.some(({ start, end }) => t > start && t < end);
        expect(valueAt(String(onlyWithin(given).options?.volume), t)).toBe(inside ? 1 : 0);
      }),
      { numRuns: 300 },
    );
  });

  test('that is spoken in ten thousand spans is silenced by an argument that programs take', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ start: index, end: index + 0.5 }));
    expect(String(onlyWithin(many).options?.volume).length).toBeLessThan(100_000);
  });
});
