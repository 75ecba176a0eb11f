import { describe, expect, test } from 'vitest';
import { parseCaptions } from '../../../../schema/media/captions.ts';
import { wordsOfText } from '../../../../transcoder/model/segment-words.ts';
import { escaped } from '../../../../transcoder/operations/plan/captions/ass-text.ts';
import {
  coloring,
  passagesOf,
  replacing,
  textOf,
  wordsOfCue,
} from '../../../../transcoder/operations/plan/captions/words.ts';
import {
  divided,
  saidIn,
  spelled,
  spelledText,
} from '../../../../transcoder/operations/silence/words/spelled.ts';

/** As they are seen in a list of words. */
const words = (text: string) => wordsOfText(text).map((word) => word.text.replace(/[\u00a0\u202f]/g, '~'));

describe('no-break spaces', () => {
  test.each([
    ['Ça va\u00a0? Oui\u202f!', ['Ça', 'va~?', 'Oui~!']],
    ['il y a 10\u202f000\u00a0€ ici', ['il', 'y', 'a', '10~000~€', 'ici']],
    ['«\u00a0Bonjour\u00a0»', ['«~Bonjour~»']],
    ['\u00a0one \u00a0 two\u202f', ['one', 'two']],
    ['\u00a0 \u202f', []],
    [
      'This\u00a0was\u00a0copied\u00a0from\u00a0a\u00a0web\u00a0page',
      ['This', 'was', 'copied', 'from', 'a', 'web', 'page'],
    ],
    ['今日は\u00a0街', ['今日', 'は', '街']],
  ])('divide no words: %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test.each([
    [
      'SubRip',
      '1\n00:00:01,000 --> 00:00:02,000\n\u00a0Ça va\u00a0<i>?</i> Oui\u00a0\u00a0\nnon&nbsp;! \u00a0\n',
    ],
    ['WebVTT', 'WEBVTT\n\n00:01.000 --> 00:02.000\n&nbsp;Ça va&#160;? Oui&nbsp;&nbsp;\nnon\u00a0!&nbsp;\n'],
    [
      'ASS',
      '[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,{\\an8}\\hÇa va\\h? Oui\\h\\h\\Nnon\u00a0!\\h',
    ],
  ])('of %s are kept where they stand alone between words', (_, text) => {
    const parsed = parseCaptions(text);
    if (!('cues' in parsed)) return expect.unreachable();
    expect(parsed.cues.map((cue) => cue.text)).toEqual(['Ça va\u00a0? Oui non\u00a0!']);
  });

  test('are kept in words with times, and drawn', () => {
    const given = [{ start: 0, end: 1, text: '10\u202f000' }];
    expect(passagesOf({ kind: 'words', words: given })[0]?.words.map(({ text }) => text)).toEqual([
      '10\u202f000',
    ]);
    expect(escaped('10\u202f000\u00a0€\t\n!')).toBe('10\u202f000\u00a0€ !');
  });

  test('are kept in sentences with times', () => {
    const given = [
      { start: 0, end: 1, text: 'Ça va\u00a0?' },
      { start: 1, end: 4, text: 'Il a\n10\u202f000\u00a0€.' },
    ];
    const [passage] = passagesOf({ kind: 'words', words: given });
    expect(passage?.words.map(({ text }) => text)).toEqual([
      ...['Ça', 'va\u00a0?'],
      ...['Il', 'a', '10\u202f000\u00a0€.'],
    ]);
  });

  test('are ordinary spaces where words are compared', () => {
    const said = wordsOfCue({ start: 0, end: 4, text: 'Il a 10\u202f000\u00a0€ et ça va\u00a0?' });
    const changed = (from: string, to: string) => textOf(replacing([{ from, to }])(said));
    expect(changed('10 000', 'dix mille')).toBe('Il a dix mille € et ça va\u00a0?');
    expect(changed('10\u00a0000', 'dix mille')).toBe('Il a dix mille € et ça va\u00a0?');
    expect(changed('€', 'euros')).toBe('Il a 10 000 euros et ça va\u00a0?');
    expect(changed('va', 'marche')).toBe('Il a 10\u202f000\u00a0€ et ça marche\u00a0?');
    const colored = coloring([{ text: '10 000 €', color: '#ff0000' }])(said);
    expect(colored.filter(({ color }) => color !== undefined).map(({ text }) => text)).toEqual([
      '10',
      '000',
      '€',
    ]);
    const heard = divided(spelled(['il', 'a', '10\u202f000', 'ici']));
    expect(saidIn(heard, spelledText('10\u00a0000 ici'))).toEqual([[2, 3]]);
    expect(saidIn(divided(spelled(['10', '000'])), spelledText('10\u00a0000'))).toEqual([[0, 1]]);
  });
});
