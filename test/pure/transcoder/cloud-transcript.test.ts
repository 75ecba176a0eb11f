import { describe, expect, test } from 'vitest';
import { transcriptOf } from '../../../transcoder/engines/speech/cloud/transcript.ts';

/** The words of an answer to a sound of 10 s, from words that are given one second each. */
const heard = (text: string, words: string[], more: object = {}) =>
  transcriptOf({ text, words: words.map((word, at) => ({ word, start: at, end: at + 1 })), ...more }, 10);

const timesOf = ({ words }: ReturnType<typeof heard>) =>
  words.map(({ text, start, end }) => [text, start, end]);

describe('signs that stand alone in a transcript', () => {
  test.each<[string, string, string[], unknown[]]>([
    [
      'which the provider does not list',
      'stieg um 50 % mehr',
      ['stieg', 'um', '50', 'mehr'],
      [
        ['stieg', 0, 1],
        ['um', 1, 2],
        ['50 %', 2, 3],
        ['mehr', 3, 4],
      ],
    ],
    [
      'which it lists as words',
      'um 50 % mehr, R & D.',
      [' um', ' 50', ' %', ' mehr,', ' R', ' &', ' D.'],
      [
        ['um', 0, 1],
        ['50 %', 1, 3],
        ['mehr,', 3, 4],
        ['R &', 4, 6],
        ['D.', 6, 7],
      ],
    ],
    [
      'at the beginning',
      '& more = 2',
      ['more', '2'],
      [
        ['& more =', 0, 1],
        ['2', 1, 2],
      ],
    ],
    [
      'in words that the text does not have',
      'something else',
      [' R', ' &', ' D', '.'],
      [
        ['R &', 0, 2],
        ['D.', 2, 3],
      ],
    ],
    [
      'in words without spaces that the text does not have',
      'something else',
      ['R', '&', 'D', '.'],
      [
        ['R &', 0, 2],
        ['D.', 2, 3],
      ],
    ],
  ])('are kept with the word before them: %s', (_, text, words, expected) => {
    expect(timesOf(heard(text, words))).toEqual(expected);
  });

  test('are kept where the provider gives no times of words', () => {
    const { words, guesses } = transcriptOf({ text: 'R & D grew by 50 %' }, 10);
    expect(words.map(({ text }) => text)).toEqual(['R &', 'D', 'grew', 'by', '50 %']);
    expect(guesses).toEqual([{ start: 0, end: 10, from: 0, to: 5 }]);
  });

  test('are no words where nothing else is said', () => {
    expect(heard('& %', ['&', '%']).words).toEqual([]);
    expect(transcriptOf({ text: '… % &' }, 10).words).toEqual([]);
  });
});

test('the end of a text, for which the provider lists no words, is placed after them as a guess', () => {
  const short = heard('one two, three four!', ['one', 'two']);
  expect(short.words.map(({ text }) => text)).toEqual(['one', 'two,', 'three', 'four!']);
  expect(short.guesses).toEqual([{ start: 2, end: 10, from: 2, to: 4 }]);
  expect(short.words.at(-1)).toMatchObject({ end: 10, confidence: null });

  const words = ['one', 'two'].map((word, at) => ({ word, start: at * 5, end: at * 5 + 5 }));
  const full = transcriptOf({ text: 'one two three', words }, 10);
  expect(full.guesses).toEqual([{ start: 5, end: 10, from: 1, to: 3 }]);
  expect(full.words.every(({ start, end }) => end - start > 1)).toBe(true);
});

describe('words without spaces that the provider divides otherwise than the text', () => {
  const said = (text: string, words: string[], more: object = {}) =>
    heard(text, words, more).words.map(
      (word) =>
        `${word.glued ? '+' : ''}${word.text} ${Number(word.start.toFixed(2))}-${Number(word.end.toFixed(2))}`,
    );

  test.each<[string, string[], string[]]>([
    ['今天天气，很好。', ['今天天', '气', '很', '好'], ['今天天气， 0-2', '+很好。 2-4']],
    ['今天 OK。', ['今', '天OK'], ['今天 0-0.86', 'OK。 0.86-2']],
    ['สวัสดีครับ!', ['สวัส', 'ดีครับ'], ['สวัสดีครับ! 0-2']],
    ['an ice cream', ['an', 'icecream'], ['an 0-1', 'ice 1-1.4', 'cream 1.4-2']],
  ])('keep the punctuation of %s', (text, words, expected) => {
    expect(said(text, words)).toEqual(expected);
  });

  test('are not drawn out where only a long run agrees again', () => {
    const words = said('今天天气很好我们去公园走走吧', ['今天天气很好我', '们去公园走走吧']);
    expect(words.length).toBeGreaterThan(1);
    expect(words.map((word) => word.replace(/^\+| .*/g, '')).join('')).toBe('今天天气很好我们去公园走走吧');
  });

  test('have no spaces where the text has others', () => {
    expect(said('Something else', ['今天', '天气', 'ok', '很好'])).toEqual([
      '今天 0-1',
      '+天气 1-2',
      'ok 2-3',
      '很好 3-4',
    ]);
  });

  test('have no spaces between segments either', () => {
    const segments = ['今天天气', '很好。', ' one', 'two'].map((text, at) => ({
      text,
      start: at,
      end: at + 1,
    }));
    expect(said('', ['今天天气', '很好', 'one', 'two'], { segments })).toEqual([
      '今天天气 0-1',
      '+很好。 1-2',
      'one 2-3',
      'two 3-4',
    ]);
  });
});
