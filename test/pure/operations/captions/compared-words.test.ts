import { describe, expect, test } from 'vitest';
import { pronounced } from '../../../../schema/media/spoken-text.ts';
import { namesIn } from '../../../../transcoder/operations/plan/captions/speakers.ts';
import {
  coloring,
  picturing,
  replacing,
  textOf,
  wordsOfCue,
} from '../../../../transcoder/operations/plan/captions/words.ts';

const said = (text: string) => wordsOfCue({ start: 0, end: 4, text });

describe.each([
  ["don't", 'don’t'],
  ['don’t', "don't"],
])('%s is the same word as %s', (one, other) => {
  test('in captions', () => {
    const words = said(`I ${other}, no.`);
    expect(textOf(replacing([{ from: `i ${one}`, to: 'never' }])(words))).toBe('never, no.');
    expect(coloring([{ text: one, color: '#ff0000' }])(words).map(({ color }) => color)).toEqual([
      undefined,
      '#ff0000',
      undefined,
    ]);
    expect(picturing([{ text: one, emoji: '🚫' }])(words)[1]).toMatchObject({ emoji: '🚫' });
  });

  test('in pronunciations and names', () => {
    expect(pronounced(`I ${other}.`, { [one]: 'dohnt' })).toBe('I dohnt.');
    expect(namesIn([{ speaker: one }, { speaker: other }])).toHaveLength(1);
  });
});
