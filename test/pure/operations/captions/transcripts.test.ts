import { describe, expect, test } from 'vitest';
import type { EngineId } from '../../../../schema/media/engines.ts';
import type { Warning } from '../../../../schema/task/task.ts';
import type { SpokenWord } from '../../../../transcoder/model/plan.ts';
import {
  asSentences,
  languageOf,
  recognized,
} from '../../../../transcoder/operations/plan/speech/recognition.ts';
import { sentenced } from '../../../../transcoder/operations/plan/speech/sentences.ts';

/** Words of 0.3 s, 0.1 s apart; a number is a pause of that many seconds. */
function spoken(text: string, confidence: (index: number) => number | null = () => 1): SpokenWord[] {
  const words: SpokenWord[] = [];
  let at = 0;
  for (const token of text.split(' ')) {
    if (/^\d+(\.\d+)?$/.test(token)) {
      at += Number(token) - 0.1;
      continue;
    }
    words.push({ text: token, start: at, end: at + 0.3, glued: false, confidence: confidence(words.length) });
    at += 0.4;
  }
  return words;
}

const texts = (words: readonly { text: string }[]) => words.map(({ text }) => text).join(' ');

describe('words without punctuation become sentences', () => {
  test.each([
    ['at a pause', 'hello there 0.7 we begin', 'Hello there. We begin.'],
    ['not at a breath', 'hello there 0.4 we begin', 'Hello there we begin.'],
    ['never after an article or preposition', 'look at the 0.8 old house', 'Look at the old house.'],
    ['after any word at a very long pause', 'look at the 2.5 we begin', 'Look at the. We begin.'],
    ['not after words that only lead into one', 'we left 0.7 so 0.8 the end', 'We left. So the end.'],
    ['after the same words where they close one', 'i think so 0.8 good', 'I think so. Good.'],
    [
      'with capitals of days, months and nations',
      'on monday in june an english man',
      'On Monday in June an English man.',
    ],
    ['with endings on such words', "sunday's talk and i'm and i've", "Sunday's talk and I'm and I've."],
    ['without a guess at words with two meanings', 'it may march on', 'It may march on.'],
    ['with letters that are spelled out', "b. b. c.'s plan b. 0.8 it works", "B B C's plan B. It works."],
    ['with initials and times of day', 'at d.c. by five p.m. today', 'At D.C. by five p.m. today.'],
    ['without a second full stop', 'we met at five p.m. 0.8 it rained', 'We met at five p.m. It rained.'],
    ['without question marks', 'who are you 0.8 me', 'Who are you. Me.'],
    ['of one word', 'yes', 'Yes.'],
    ['of none', '', ''],
  ])('%s', (_, words, text) => {
    expect(texts(sentenced(words === '' ? [] : spoken(words), new Set()))).toBe(text);
  });

  test('and keep their times and confidences', () => {
    const words = spoken('hello there 0.7 we begin', (index) => index / 10);
    const bare = (each: SpokenWord) => ({ ...each, text: '' });
    expect(sentenced(words, new Set()).map(bare)).toEqual(words.map(bare));
  });

  test('with words of the caller as the caller spells them', () => {
    const words = spoken('npm 0.1 iPhone 0.8 npm');
    expect(texts(asSentences(words, 'pocketsphinx', ['npm and iPhone']))).toBe('npm iPhone. npm.');
  });

  test('only of engines that give none', () => {
    const words = spoken('well hello 0.8 i go');
    expect(asSentences(words, 'parakeet', [])).toEqual(words);
    expect(texts(asSentences(words, 'pocketsphinx', []))).toBe('Well hello. I go.');
  });
});

describe('a result of recognition says how far it can be trusted', () => {
  const warned = (
    engine: EngineId,
    confidence: (index: number) => number | null,
    scripted = false,
    missed = 0,
  ) => {
    const warnings: Warning[] = [];
    const words = spoken('one two three four five six seven eight nine ten', confidence);
    recognized({ words: { engine, words, missed } }, scripted, warnings);
    return warnings.map(({ code }) => code);
  };
  const sureOf = (count: number) => (index: number) => (index < count ? 0.95 : 0.3);

  test.each<[string, EngineId, number, string[]]>([
    ['PocketSphinx is basic, also where it is sure', 'pocketsphinx', 10, ['basic_engine']],
    ['a third of its words may be doubtful, as in clear readings', 'pocketsphinx', 7, ['basic_engine']],
    ['four of ten are too many', 'pocketsphinx', 6, ['basic_engine', 'low_confidence']],
    ['a model is trusted', 'parakeet', 9, []],
    ['and doubted sooner, because it is surer of right words', 'parakeet', 8, ['low_confidence']],
  ])('%s', (_, engine, sure, codes) => {
    expect(warned(engine, sureOf(sure))).toEqual(codes);
  });

  test('a few sure words do not hide many doubtful ones, as they would in a mean', () => {
    const confidences = (index: number) => (index < 5 ? 1 : 0.45);
    expect(warned('pocketsphinx', confidences)).toContain('low_confidence');
  });

  test('words without a confidence count as neither', () => {
    expect(warned('parakeet', () => null)).toEqual([]);
    expect(warned('parakeet', (index) => (index === 0 ? 0.1 : null))).toEqual(['low_confidence']);
  });

  test('a script is trusted unless much of it was not heard, whatever the engine is', () => {
    expect(warned('pocketsphinx', sureOf(2), true, 0.2)).toEqual([]);
    expect(warned('pocketsphinx', sureOf(2), true, 0.3)).toEqual(['low_confidence']);
  });

  test('the language is that of the request, of the engine, the recognized one, or unknown', () => {
    const warnings: Warning[] = [];
    const heard = (engine: EngineId, language: string | null = null) => ({ engine, language });
    expect(languageOf({ language: 'de' }, heard('pocketsphinx'), warnings)).toBe('de');
    expect(languageOf({ language: 'auto' }, heard('parakeet'), warnings)).toBeNull();
    expect(languageOf({ language: 'auto' }, heard('speech_api', 'nl'), warnings)).toBe('nl');
    expect(languageOf({ language: 'auto' }, null, warnings)).toBeNull();
    expect(warnings).toEqual([]);
    expect(languageOf({ language: 'auto' }, heard('pocketsphinx'), warnings)).toBe('en');
    expect(warnings).toEqual([
      { code: 'language_assumed', detail: 'PocketSphinx supports English only, so English was assumed.' },
    ]);
  });
});
