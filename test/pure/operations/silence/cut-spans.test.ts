import { describe, expect, test } from 'vitest';
import { cutSpans } from '../../../../transcoder/operations/silence/words/cut-spans.ts';

describe('cuts', () => {
  /** Of 0.3 s, one every half second, from 0.5 s. */
  const words = ['one', 'two', 'three', 'four'].map((text, index) => ({
    ...{ text, start: 0.5 + index * 0.5, end: 0.8 + index * 0.5 },
  }));
  const cut = (removed: number[], more: object = {}) =>
    cutSpans({
      ...{ words, removed: words.map((_, index) => removed.includes(index)), ranges: [] },
      ...{ padding: 0.1, duration: 10, ...more },
    }).map(({ start, end }) => [Number(start.toFixed(3)), Number(end.toFixed(3))]);

  test.each<[string, number[], object, number[][]]>([
    ['leave padding on both sides', [1], {}, [[0.9, 1.4]]],
    ['leave the gap where it is shorter than the padding', [1], { padding: 1 }, [[1, 1.3]]],
    ['take words in a row together', [1, 2], {}, [[0.9, 1.9]]],
    [
      'take the silence at the ends along',
      [0, 3],
      {},
      [
        [0, 0.9],
        [1.9, 10],
      ],
    ],
    ['of ranges stop at words that stay', [], { ranges: [{ start: 0.7, end: 1.1 }] }, [[0.8, 1]]],
    [
      'of ranges go through words that are removed',
      [1],
      { ranges: [{ start: 0.9, end: 1.4 }] },
      [[0.9, 1.4]],
    ],
    ['are none where nothing is removed', [], {}, []],
  ])('%s', (_, removed, more, expected) => {
    expect(cut(removed, more)).toEqual(expected);
  });

  test('never lie in a word that stays, also where words overlap', () => {
    const crowded = [
      { text: 'a', start: 1, end: 2 },
      { text: 'b', start: 1.5, end: 2.5 },
      { text: 'c', start: 2.5, end: 3 },
    ];
    const removed = [false, true, false];
    const asked = { removed, ranges: [], padding: 0.1, duration: 4 };
    expect(cutSpans({ words: crowded, ...asked })).toEqual([{ start: 2, end: 2.5 }]);
  });

  test('remove whole words that reach over others, which are removed or stay', () => {
    const word = (start: number, end: number) => ({ text: 'a', start, end });
    const asked = { ranges: [], duration: 12 };
    const within = [word(0, 0.5), word(1, 2), word(1.2, 1.4), word(2, 3)];
    const removed = [false, true, true, false];
    expect(cutSpans({ words: within, removed, padding: 1, ...asked })).toEqual([{ start: 1, end: 2 }]);
    const over = [word(0, 10), word(3, 4), word(6, 7), word(11, 12)];
    expect(cutSpans({ words: over, removed: [true, false, false, false], padding: 0.1, ...asked })).toEqual([
      { start: 0, end: 3 },
      { start: 4, end: 6 },
      { start: 7, end: 10.9 },
    ]);
  });

  test('remove a word that begins a hair before the one that stays ends', () => {
    const words = [
      { text: 'so', start: 0.56, end: 0.56 + 0.16 },
      { text: 'um', start: 0.72, end: 1 },
      { text: 'we', start: 1, end: 2 },
    ];
    const removed = [false, true, false];
    const [cut, ...others] = cutSpans({ words, removed, ranges: [], padding: 0, duration: 2 });
    expect(others).toEqual([]);
    expect(cut?.start).toBeCloseTo(0.72, 9);
    expect(cut?.end).toBe(1);
  });
});
