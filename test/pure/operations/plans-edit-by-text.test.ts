import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { editByText } from '../../../transcoder/operations/silence/edit-by-text.ts';
import { masks, notSaid, removals } from '../../../transcoder/operations/silence/words/choose-words.ts';
import { isProfane } from '../../../transcoder/operations/silence/words/spoken-words.ts';
import { withDurations } from '../../../transcoder/operations/silence/words/timeless-words.ts';
import { closed } from './plan-graph.ts';
import { linesOf } from './plan-lines.ts';
import { like, means, source } from './sources.ts';

const url = 'https://media.example.com/a';
const song: MediaProbe = { ...source, format: 'mp3', container: 'mp3', video: null };

/** Words of 0.3 s, one every half second, from 0.5 s. */
const said = (text: string) =>
  text.split(' ').map((each, index) => ({
    text: each,
    start: 0.5 + index * 0.5,
    end: 0.8 + index * 0.5,
  }));

const input = (request: object) => operations.edit_by_text.input.parse({ audio_url: url, ...request });

describe('words are chosen', () => {
  const left = (text: string, request: object, language: string | null = null) => {
    const words = said(text);
    const reasons = removals(words, input(request), language);
    return words.flatMap((word, index) => (reasons[index] === null ? [word.text] : [])).join(' ');
  };

  test.each<[string, string, object, string]>([
    ['fillers', 'So, um, we uh go', { fillers: true }, 'So, we go'],
    ['a word twice', 'the the house', { repeats: true }, 'the house'],
    ['a word thrice', 'the the the house', { repeats: true }, 'the house'],
    ['a group twice', 'I think I think so', { repeats: true }, 'I think so'],
    ['a group twice with a filler', 'I think um I think so', { repeats: true, fillers: true }, 'I think so'],
    ['no double that is meant', 'very very good', { repeats: true }, 'very very good'],
    ['no numbers', 'call 5 5 5', { repeats: true }, 'call 5 5 5'],
    ['no numbers of other digits', 'call ٥ ٥ ٥', { repeats: true }, 'call ٥ ٥ ٥'],
    ['no groups of numbers', 'call 5 three 5 three', { repeats: true }, 'call 5 three 5 three'],
    ['groups that have a number', 'call 5 or call 5 or 6', { repeats: true }, 'call 5 or 6'],
    ['no double of a double that is meant', 'no no no no', { repeats: true }, 'no no no no'],
    ['groups of doubles', 'that long that long road', { repeats: true }, 'that long road'],
    ['no unit', 'a 5 mm screw, five hm', { fillers: true }, 'a 5 mm screw, five hm'],
    ['a filler after a number', 'In 2020, mm, I did', { fillers: true }, 'In 2020, I did'],
    ['a filler that is a unit elsewhere', 'mm I think hm', { fillers: true }, 'I think'],
    ['no abbreviation', 'HM Treasury and the ER', { fillers: true }, 'HM Treasury and the ER'],
    ['fillers in capitals where all is', 'UM, I SEE, HM', { fillers: true }, 'I SEE,'],
    ['nothing across the end of a sentence', 'We go. Go now', { repeats: true }, 'We go. Go now'],
    ['words in any case', 'Basically, it works', { words: ['basically'] }, 'it works'],
    ['phrases', 'it is, you know, good', { phrases: ['You know'] }, 'it is, good'],
    ['no part of a phrase', 'you say you know', { phrases: ['you know'] }, 'you say'],
    [
      'words whose middle is in a range',
      'one two three',
      { ranges: [{ start: 1.1, end: 1.2 }] },
      'one three',
    ],
  ])('%s', (_, text, remove, expected) => {
    expect(left(text, { remove })).toBe(expected);
  });

  test.each<[string, string, object, string]>([
    ['de', 'Er weiß ähm um was es geht', { fillers: true }, 'Er weiß um was es geht'],
    ['pt-BR', 'tenho um carro', { fillers: true }, 'tenho um carro'],
    ['da', 'han er her', { fillers: true }, 'han er her'],
    ['en-GB', 'he er went um home', { fillers: true }, 'he went home'],
    ['fr', 'nous nous levons', { repeats: true }, 'nous nous levons'],
    ['de', 'die die das sagen', { repeats: true }, 'die die das sagen'],
    ['de', 'ich ich sage', { repeats: true }, 'ich sage'],
    ['en', 'call nine one one', { repeats: true }, 'call nine one one'],
    ['en', 'room three oh oh five', { repeats: true }, 'room three oh oh five'],
    ['de', 'zwei zwei vier', { repeats: true }, 'zwei zwei vier'],
    ['fr', 'un un deux deux', { repeats: true }, 'un deux deux'],
    ['it', 'uno uno due', { repeats: true }, 'uno uno due'],
    ['da', 'to to fem', { repeats: true }, 'to to fem'],
    ['en', 'to to five', { repeats: true }, 'to five'],
    ['zh', '一 一 九', { repeats: true }, '一 一 九'],
  ])('by what is a word in the language: %s, %s', (language, text, remove, expected) => {
    expect(left(text, { remove }, language)).toBe(expected);
  });

  test.each<[string, string, object, string]>([
    ['vowel signs tell words apart', 'का की के', { words: ['का'] }, 'की के'],
    ['and are no punctuation', 'का की', { repeats: true }, 'का की'],
    ['accents may be written in two ways', 'un caf\u0065\u0301 noir', { words: ['caf\u00e9'] }, 'un noir'],
  ])('%s', (_, text, remove, expected) => {
    expect(left(text, { remove })).toBe(expected);
  });

  test.each([
    ['er weiß, worum es geht, um sich zu schützen', 'er weiß, worum es geht, um sich zu schützen'],
    ['Han er ikke her', 'Han er ikke her'],
    ['Eu tenho um carro', 'Eu tenho um carro'],
    ['So um what is er this', 'So what is this'],
    ['Hello um there', 'Hello there'],
  ])('by what the words say of their language where it is unknown: %s', (text, expected) => {
    expect(left(text, { remove: { fillers: true } })).toBe(expected);
  });

  test('by letters where words are written without spaces, and divided otherwise than we would', () => {
    const words = ['今天天气', '很好', '我们走', 'ok', 'ไปกัน', 'เถอะนะ'].join(' ');
    expect(left(words, { remove: { phrases: ['今天天气'] } })).toBe('很好 我们走 ok ไปกัน เถอะนะ');
    expect(left(words, { remove: { phrases: ['很好我们走 ok'] } })).toBe('今天天气 ไปกัน เถอะนะ');
    expect(left(words, { keep_text: '今天天气我们走' })).toBe('今天天气 我们走');
    expect(left(words, { keep_text: '今天天气 很好 ไปกันเถอะนะ' })).toBe('今天天气 很好 ไปกัน เถอะนะ');
    expect(notSaid(said(words), input({ remove: { phrases: ['今天天气', '天气', '明天'] } }))).toEqual([
      '天气',
      '明天',
    ]);
    expect(() => left(words, { keep_text: '今天 很好' })).toThrow(/keep_text/);
  });

  test('by letters also where the same phrase is divided as we would in another place', () => {
    const phrases = (text: string) => ({ remove: { phrases: [text] } });
    expect(left('今天 天气 很好 今天天气 今 天天 气 ok', phrases('今天天气'))).toBe('很好 ok');
    expect(left('哈哈哈 好 哈 哈', phrases('哈哈'))).toBe('哈哈哈 好');
    expect(left('哈哈哈 哈 哈', phrases('哈哈'))).toBe('哈哈哈');
  });

  test('by letters, from left to right and never twice, in 100 random texts', () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const written = (length: number) => Array.from({ length }, () => (random(3) > 0 ? '哈' : '好')).join('');
    for (let round = 0; round < 100; round++) {
      const words = Array.from({ length: 20 }, () => written(1 + random(3)));
      const phrase = written(1 + random(5));
      const stays: string[] = [];
      for (let at = 0; at < words.length; ) {
        const count = [1, 2, 3, 4, 5].find((each) => words.slice(at, at + each).join('') === phrase);
        if (count === undefined) stays.push(words[at] ?? '');
        at += count ?? 1;
      }
      expect(left(words.join(' '), { remove: { phrases: [phrase] } })).toBe(stays.join(' '));
    }
  });

  test('by a text of what stays, in any case and punctuation', () => {
    expect(left('One two. Three four', { keep_text: 'one THREE four!' })).toBe('One Three four');
  });

  test('and those that are not said are named', () => {
    const remove = { words: ['Two', 'five', 'two three'], phrases: ['two THREE', 'three two'] };
    const missing = (request: object) => notSaid(said('One two. Three'), input(request));
    expect(missing({ remove })).toEqual(['five', 'two three', 'three two']);
    expect(missing({ profanity: 'mute', mask_words: ['One', 'Ann'] })).toEqual(['Ann']);
    expect(missing({ remove: { fillers: true } })).toEqual([]);
    const signs = said('the R & D team');
    expect(notSaid(signs, input({ remove: { phrases: ['R & D', 'R & team'] } }))).toEqual(['R & team']);
  });

  test.each<[string, string, object, string]>([
    ['all of the text', 'up 50 % & more', { keep_text: 'up 50 % & more' }, 'up 50 % & more'],
    ['a text without them', 'up 50 % & more', { keep_text: 'up 50 more' }, 'up 50 % & more'],
    ['their word is left out', 'up 50 % & more', { keep_text: 'up & more' }, 'up more'],
    ['the first word is left out', '& more of it', { keep_text: 'of it' }, 'of it'],
    ['a phrase has them', 'the R & D team', { remove: { phrases: ['R & D'] } }, 'the team'],
    ['a filler is before them', 'um & so on', { remove: { fillers: true } }, 'so on'],
    ['a range is', 'one & two', { remove: { ranges: [{ start: 0.6, end: 0.7 }] } }, '& two'],
  ])('and signs with them: %s', (_, text, request, expected) => {
    expect(left(text, request)).toBe(expected);
  });

  test.each<[string, string, object, string]>([
    ['its signs', '50 € or 50 % or 50', { phrases: ['50 %'] }, '50 € or or 50'],
    ['a sign within it', 'R & D or R D', { phrases: ['r & d'] }, 'or R D'],
    ['a sign before it', 'pay $ 50 or € 50', { phrases: ['$ 50'] }, 'pay or € 50'],
    ['signs of another width', '50％ 50% 50€', { phrases: ['50％'] }, '50€'],
    ['its signs, of one word', 'C++ and C# and C', { words: ['C#'] }, 'C++ and and C'],
    ['any signs where it has none', '50 € or 50 %', { phrases: ['50'] }, 'or'],
    ['no punctuation', 'so, “50 %”! Then 50', { phrases: ['(50) %.'] }, 'so, Then 50'],
  ])('by a phrase with %s', (_, text, remove, expected) => {
    expect(left(text, { remove })).toBe(expected);
  });

  test('by the signs of words that are masked or not said', () => {
    const words = said('a c++ a$$ C');
    const request = { profanity: 'mute', mask_words: ['a$$', 'c++', 'C#', 'a%'] };
    expect(masks(words, input(request), null)).toEqual([false, true, true, false]);
    expect(notSaid(words, input(request))).toEqual(['C#', 'a%']);
    const remove = { phrases: ['c++ a', 'c# a'] };
    expect(notSaid(words, input({ remove }))).toEqual(['c# a']);
  });

  test('not by a text that says more than the source', () => {
    const choose = (keep_text: string) => () => left('one two three', { keep_text });
    expect(choose('one five')).toThrow('“five” where the source does not say it, after 1 matching word.');
    expect(choose('three one')).toThrow('“one”');
    expect(choose('six')).toThrow('not among the 3 words of the source');
  });
});

describe('profanity', () => {
  test.each([
    ['shit', true],
    ['fucking', true],
    ["shit's", true],
    ["bitch'll", true],
    ['dammit', true],
    ["it's", false],
    ["asses'ment", false],
    ['shiitake', false],
    ['assess', false],
    ['scunthorpe', false],
    ['dick', false],
  ])('%s: %s', (word, is) => {
    expect(isProfane(word)).toBe(is);
  });

  test.each<[string | null, string, string]>([
    ['en', 'the slut here', 'slut'],
    ['sv-SE', 'nu är det slut här', ''],
    [null, 'this is the slut', 'slut'],
    ['en', 'that bitch’s here', 'bitch’s'],
    [null, 'och nu är det slut', ''],
    ['sv', 'Okonkwo är slut', 'Okonkwo'],
  ])('is masked where the words are English, other words anywhere: %s, %s', (language, text, expected) => {
    const masked = masks(said(text), input({ profanity: 'bleep', mask_words: ['okonkwo'] }), language);
    expect(text.split(' ').filter((_, index) => masked[index])).toEqual(expected === '' ? [] : [expected]);
  });
});

describe('the plan', () => {
  const planOf = (request: object, probe: MediaProbe) => {
    const parsed = operations.edit_by_text.input.parse({ words: said('oh um shit'), ...request });
    editByText.analyses(parsed, [probe], means);
    return closed(editByText.plan({ input: parsed, probes: [probe], facts: { survey: null }, ...means }));
  };

  test('cuts at frames of a video, by the decision list of /silence_process', () => {
    const { data, time_map } = planOf({ video_url: url, remove: { fillers: true } }, source);
    expect(data).toMatchObject({
      segments: [
        { start: 0, end: 0.9, action: 'keep' },
        { start: 0.9, end: 1.4, action: 'silent' },
        { start: 1.4, end: 10, action: 'keep' },
      ],
      removed: [{ text: 'um', because: 'filler', start: 1, end: 1.3 }],
      ...{ removed_count: 1, masked_count: 0, saved_seconds: 0.5, engine: null },
    });
    const applied = operations.silence_process.input.safeParse({ video_url: url, segments: data.segments });
    expect(applied.success).toBe(true);
    expect(time_map).toHaveLength(2);
  });

  test('masks words that stay, and no others', () => {
    const sound = (request: object) => linesOf(planOf({ audio_url: url, ...request }, song).steps).join('\n');
    expect(sound({ profanity: 'mute' })).toContain('volume=volume=0');
    expect(sound({ profanity: 'bleep' })).toContain('aeval=');
    expect(sound({ profanity: 'bleep', remove: { words: ['shit'] } })).not.toContain('aeval=');
  });

  test('gives words without a duration one, so far as there is time', () => {
    const timed = (...times: [text: string, start: number, end: number][]) =>
      times.map(([text, start, end]) => ({ text, start, end }));
    const words = timed(['oh', 1, 1], ['um', 1, 1], ['shit', 1, 1.6], ['so', 4, 4], ['er', 9.9, 9.9]);
    const { data } = planOf({ audio_url: url, words, remove: { fillers: true }, padding: 0 }, song);
    expect(data).toMatchObject({
      removed: [
        { text: 'um', start: 1.25, end: 1.5 },
        { text: 'er', start: 9.9, end: 10 },
      ],
      segments: [
        { start: 0, end: 1.25, action: 'keep' },
        { start: 1.25, end: 1.5, action: 'silent' },
        { start: 1.5, end: 4.25, action: 'keep' },
        { start: 4.25, end: 10, action: 'silent' },
      ],
    });
    const masked = planOf({ audio_url: url, words, profanity: 'mute', mask_words: ['so', 'um'] }, song);
    expect(masked.data).toMatchObject({
      masked: [
        { text: 'um', start: 1.25, end: 1.5 },
        { text: 'shit', start: 1.5, end: 1.75 },
        { text: 'so', start: 4, end: 4.25 },
      ],
    });
    const lines = linesOf(masked.steps).join('\n');
    expect(lines.match(/volume=volume=0/g)).toHaveLength(3);
    const usual = timed(['a', 1, 3], ['b', 1, 2], ['c', 2, 2.5]);
    expect(withDurations(usual, 10)).toEqual(usual);
    expect(withDurations(timed(['a', 1, 3], ['b', 1, 1], ['c', 2, 2.5]), 10)).toEqual(
      timed(['a', 1, 3], ['b', 1.5, 2], ['c', 2, 2.5]),
    );
  });

  test.each([
    ['M.\u00a0Dupont', { profanity: 'mute', mask_words: ['Dupont'] }, 'masked', 'Dupont'],
    ['Oh\u202fshit\u00a0!', { profanity: 'mute' }, 'masked', 'shit\u00a0!'],
    ['«\u00a0Oh\u00a0!\u00a0shit\u00a0»', { remove: { words: ['oh'] } }, 'removed', '«\u00a0Oh\u00a0!'],
    ['10\u202f000', { remove: { words: ['10 000'] } }, 'removed', '10\u202f000'],
    ['shit\u00a0!', { profanity: 'mute' }, 'masked', 'shit\u00a0!'],
  ])('finds words that no-break spaces join: %j, %j', (text, request, list, expected) => {
    const words = [
      { text: 'This', start: 0.2, end: 0.5 },
      { text, start: 1, end: 2 },
    ];
    const { data, warnings } = planOf({ audio_url: url, words, language: 'en', ...request }, song);
    expect(data[list]).toMatchObject([{ text: expected }]);
    expect(warnings).toEqual([]);
  });

  test('masks words for as long as they are said, however long frames are', () => {
    const words = [
      { text: 'oh', start: 1, end: 1.5 },
      { text: 'shit', start: 4.2, end: 4.5 },
    ];
    const bleepOf = (probe: MediaProbe) => {
      const request = { video_url: url, words, profanity: 'bleep' };
      const { data, steps, otherwise } = planOf(request, probe);
      expect(data.masked).toEqual([{ text: 'shit', start: 4.2, end: 4.5 }]);
      expect(data.masked_count).toBe(1);
      const graph = linesOf((otherwise ?? { steps }).steps).join('\n');
      return graph.split(';').flatMap((chain) => {
        const span = /atrim=start=([\d.]+):end=([\d.]+).*aeval=/.exec(chain);
        return span ? [span.slice(1).map(Number)] : [];
      });
    };
    const slides = like({ frameDuration: 1, frameRate: '1/1', frames: 10 });
    for (const probe of [source, slides]) {
      const [bleep, ...others] = bleepOf(probe);
      expect(others).toEqual([]);
      expect(bleep?.[0]).toBeCloseTo(4.2, 3);
      expect(bleep?.[1]).toBeCloseTo(4.5, 3);
    }
  });

  test('warns of words that are not said', () => {
    const remove = { words: ['um', 'a', 'b', 'c'], phrases: ['oh shit', 'd e', 'f g'] };
    expect(planOf({ audio_url: url, remove }, song).warnings).toEqual([
      {
        code: 'words_not_said',
        detail: expect.stringContaining('“a”, “b”, “c”, “oh shit”, “d e” and 1 more'),
      },
    ]);
    expect(planOf({ audio_url: url, remove: { words: ['um'] } }, song).warnings).toEqual([]);
  });

  test('is a document where nothing is made', () => {
    const { files, steps } = planOf({ audio_url: url, mode: 'detect', remove: { fillers: true } }, song);
    expect(files.map(({ role }) => role)).toEqual(['document']);
    expect(steps).toHaveLength(1);
  });

  test('is refused where no word would be left, or lies in the source', () => {
    const none = { audio_url: url, remove: { words: ['oh', 'um', 'shit'] } };
    expect(() => planOf(none, song)).toThrow('nothing would be left');
    const words = [{ start: 20, end: 21, text: 'late' }];
    expect(() => planOf({ audio_url: url, words, remove: { fillers: true } }, song)).toThrow('10 s long');
  });
});
