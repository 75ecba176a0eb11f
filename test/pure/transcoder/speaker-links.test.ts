import { describe, expect, test } from 'vitest';
import { aloneIn, peopleOf } from '../../../transcoder/engines/hosts/speaker-links.ts';

/** A voice of two numbers at an angle in degrees. */
const voice = (degrees: number, seconds = 10, loud = 1) => ({
  ...{ seconds },
  embedding: Float32Array.of(
    loud * Math.cos((degrees * Math.PI) / 180),
    loud * Math.sin((degrees * Math.PI) / 180),
  ),
});

describe('people', () => {
  test('are the voices that are alike, whatever the length of their embeddings', () => {
    expect(peopleOf([voice(0), voice(90), voice(20, 10, 7), voice(80), voice(170)], null)).toEqual([
      ...[0, 1, 0, 1, 2],
    ]);
    expect(peopleOf([], null)).toEqual([]);
    expect(peopleOf([voice(3)], 2)).toEqual([0]);
  });

  test('are joined by the mean of their voices, so a row of similar voices does not become one person', () => {
    const row = [0, 40, 80, 120, 160].map((degrees) => voice(degrees));
    expect(new Set(peopleOf(row, null)).size).toBeGreaterThan(1);
  });

  test('are as many as are wanted at most, the most similar joined first', () => {
    const voices = [voice(0), voice(70), voice(170), voice(175)];
    expect(peopleOf(voices, null)).toEqual([0, 1, 2, 2]);
    expect(peopleOf(voices, 2)).toEqual([0, 0, 1, 1]);
    expect(peopleOf(voices, 1)).toEqual([0, 0, 0, 0]);
    expect(peopleOf(voices, 9)).toEqual([0, 1, 2, 3]);
  });

  test('who sound alike stay apart if there are two, and noise is none of them', () => {
    expect(peopleOf([voice(0, 60), voice(50, 60), voice(180, 1)], 2)).toEqual([0, 1, 1]);
    expect(peopleOf([voice(0, 60), voice(50, 60), voice(180, 1)], null)).toEqual([0, 0, 0]);
  });

  test('who hardly speak are one of the others, unless all are short', () => {
    expect(peopleOf([voice(0, 60), voice(90, 60), voice(100, 1), voice(200, 2)], null)).toEqual([0, 1, 1, 1]);
    expect(peopleOf([voice(0, 1), voice(90, 1)], null)).toEqual([0, 1]);
  });

  test('are found among the voices of the longest source in a moment', () => {
    const voices = Array.from({ length: 900 }, (_, index) => voice((index % 4) * 90 + (index % 7), 20));
    const before = performance.now();
    const people = peopleOf(voices, null);
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(people).toEqual(voices.map((_, index) => index % 4));
  });
});

describe('what a speaker says alone', () => {
  test('is without the parts in which others speak, the longest first, up to a length', () => {
    const segments = [
      { start: 0, end: 10, speaker: 5 },
      { start: 4, end: 5, speaker: 2 },
      { start: 12, end: 13, speaker: 2 },
    ];
    expect(aloneIn(segments, 8)).toEqual([
      {
        speaker: 5,
        seconds: 10,
        spans: [
          { start: 5, end: 10 },
          { start: 0, end: 3 },
        ],
      },
      { speaker: 2, seconds: 2, spans: [{ start: 12, end: 13 }] },
    ]);
  });

  test('is all that they say if others always speak too', () => {
    const segments = [
      { start: 0, end: 10, speaker: 0 },
      { start: 4, end: 5, speaker: 1 },
    ];
    expect(aloneIn(segments, 8)[1]).toEqual({ speaker: 1, seconds: 1, spans: [{ start: 4, end: 5 }] });
  });
});
