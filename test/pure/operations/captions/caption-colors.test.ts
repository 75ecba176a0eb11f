import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../../schema/operations/index.ts';
import { farFrom, readableOn } from '../../../../transcoder/operations/plan/captions/contrast.ts';
import { coloring, textOf, wordsOfCue } from '../../../../transcoder/operations/plan/captions/words.ts';

const [red, green] = ['#ff0000', '#00ff00'];

/** The text, with the words of each color in brackets. */
const marked = (text: string, keywords: { text: string; color: string }[]) =>
  textOf(
    coloring(keywords)(wordsOfCue({ start: 0, end: 1, text })).map((word) => ({
      ...word,
      text: word.color ? `[${word.color === red ? 'r' : 'g'} ${word.text}]` : word.text,
    })),
  );

describe('keywords', () => {
  test.each([
    [
      'a word in any letter case, with its punctuation',
      'Big, "BIG" and bigger',
      ['big'],
      '[r Big,] [r "BIG"] and bigger',
    ],
    [
      'a phrase',
      'the new York times, New York!',
      ['new york'],
      'the [r new] [r York] times, [r New] [r York!]',
    ],
    ['words of Japanese', '今日は街を歩く', ['今日'], '[r 今日]は街を歩く'],
    ['words of Arabic', 'هذا الفيديو القصير', ['الفيديو'], 'هذا [r الفيديو] القصير'],
    ['nothing else', 'a smallest thing', ['small'], 'a smallest thing'],
  ])('color %s', (_, text, keywords, wanted) => {
    expect(
      marked(
        text,
        keywords.map((one) => ({ text: one, color: red })),
      ),
    ).toBe(wanted);
  });

  test('color the longest phrase', () => {
    const keywords = [
      { text: 'New', color: red },
      { text: 'new york', color: green },
    ];
    expect(marked('New York is new', keywords)).toBe('[g New] [g York] is [r new]');
  });

  test('have letters, and highlight colors are given once', () => {
    const request = { video_url: 'https://media.example.com/a.mp4' };
    const pathOf = (input: object) =>
      operations.captions_auto.input.safeParse({ ...request, ...input }).error?.issues[0]?.path;
    expect(pathOf({ keywords: [{ text: '?!', color: red }] })).toEqual(['keywords', 0, 'text']);
    const style = { highlight_color: red, highlight_colors: [red, green] };
    expect(pathOf({ style })).toEqual(['style', 'highlight_colors']);
    expect(pathOf({ style: { highlight_colors: [red, red, red, red] } })).toEqual([
      'style',
      'highlight_colors',
    ]);
  });
});

test('black or white can be read on any color', () => {
  const level = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(level, level, level, (...levels) => {
      const color = `#${levels.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
      expect(readableOn(farFrom(color), color)).toBe(true);
    }),
  );
});
