import { describe, expect, test } from 'vitest';
import { emojiLanguages, isEmoji } from '../../../../schema/media/emoji.ts';
import { operations } from '../../../../schema/operations/index.ts';
import { pictured } from '../../../../transcoder/operations/plan/captions/emoji-pictures.ts';
import { emojiWordsIn } from '../../../../transcoder/operations/plan/captions/emoji-words.ts';
import { letters } from '../../letters/letters.ts';
import { planOf } from '../plan-lines.ts';
import { source } from '../sources.ts';

const word = (text: string, start: number) => ({ text, start, end: start + 0.4 });
const captions = [
  ...[word('The', 0.5), word('New', 1), word('York', 1.5), word('fire!', 2)],
  ...[word('Fire', 5.5), word('again', 6)],
];
const emojiOf = (
  emoji: 'auto' | Record<string, string>,
  language: string | null = null,
  words: readonly { text: string; start: number; end: number }[] = captions,
) =>
  pictured(
    [{ words: words.map((one) => ({ ...one, glued: false })), shown: null }],
    emoji,
    emojiWordsIn(language),
  )
    .flatMap(({ words }) => words)
    .map((one) => one.emoji ?? '-')
    .join(' ');

describe('emoji of words', () => {
  test('are given by a map, at the first word of a phrase', () => {
    expect(emojiOf({ 'new york': '🗽', new: '✨', FIRE: '🔥' })).toBe('- 🗽 - 🔥 🔥 -');
  });

  test('are chosen for English words, at most one in three seconds', () => {
    expect(emojiOf('auto')).toBe('- - - 🔥 🔥 -');
    const often = [0, 1, 2, 3, 4].map((at) => ({ ...word('fire', at), glued: false }));
    const found = pictured([{ words: often, shown: null }], 'auto', emojiWordsIn(null)).flatMap(
      ({ words }) => words,
    );
    expect(found.map(({ emoji }) => emoji !== undefined)).toEqual([true, false, false, true, false]);
  });

  test('are chosen for the names of things in the language that is spoken', () => {
    const said = (text: string) => text.split(' ').map((one, index) => word(one, 4 * index));
    expect(emojiOf('auto', 'de-AT', said('Das Feuer im Haus ist eine Art von film'))).toBe(
      '- 🔥 - 🏠 - - - - -',
    );
    expect(emojiOf('auto', 'ru', said('Огонь на горе, собака спит.'))).toBe('🔥 - - 🐶 😴');
    expect(emojiOf('auto', 'en', said('Das Feuer im Haus art film'))).toBe('- - - - 🎨 🎬');
    expect(emojiOf('auto', 'ja', said('fire Feuer'))).toBe('🔥 -');
  });

  test('are not chosen for a name that mostly means something else', () => {
    const often = [
      ...['hu nap', 'fi tuli', 'et täht', 'it piano', 'fr vague', 'ro leu', 'cs koruna', 'da ring'],
      ...['es corona', 'pt presente', 'pl duch', 'nl slot', 'sv våg', 'fr croix', 'de zzz'],
    ];
    const chosen = often.filter((one) => {
      const [language = '', text = ''] = one.split(' ');
      return emojiWordsIn(language).some((known) => known.text === text);
    });
    expect(chosen).toEqual([]);
  });

  test.each(emojiLanguages)('in %s are known for each word once, and the font has them all', (language) => {
    const words = emojiWordsIn(language).map(({ text }) => text);
    expect(words.filter((one, index) => words.indexOf(one) !== index)).toEqual([]);
    expect(words.filter((one) => one === '' || one !== one.toLocaleLowerCase(language))).toEqual([]);
    const all = [...new Set(emojiWordsIn(language).map(({ emoji }) => emoji))];
    expect(all.filter((one) => !isEmoji(one) || letters.emoji(one).length === 0)).toEqual([]);
    expect(words.length).toBeGreaterThan(language === 'en' ? 380 : 50);
    expect(emojiWordsIn(language) === emojiWordsIn(null)).toBe(language === 'en');
  });

  test('are drawn from the moment when a word is said, and are not in the files', () => {
    const { plan } = planOf('captions_auto', { captions, emoji: { york: '🔥' }, outputs: ['srt'] }, source, {
      letters,
    });
    const [ass = '', srt = ''] = plan.steps.flatMap((step) => (step.kind === 'text' ? [step.text] : []));
    const starts = ass.split('\n').flatMap((line) => /^Dialogue: 3,0:00:(\d\d\.\d\d)/.exec(line)?.[1] ?? []);
    expect([...new Set(starts)]).toEqual(['01.50', '01.54', '01.60']);
    expect(srt).not.toContain('🔥');
  });

  test.each([
    [{ emoji: { fire: 'hot' } }, 'emoji.fire', '"hot" is not one emoji.'],
    [{ emoji: { fire: '🔥🔥' } }, 'emoji.fire', '"🔥🔥" is not one emoji.'],
    [{ emoji: { '!': '🔥' } }, 'emoji.!', 'A word must contain at least one letter or digit.'],
    [{ emoji: {} }, 'emoji', 'Give the emoji of 1 to 100 words.'],
    [{ emoji: 'all' }, 'emoji', 'must be `auto`, or the emoji of 1 to 100 words'],
    [{ emoji: 'auto', language: 'ja' }, 'emoji', '`emoji: auto` knows no words in the language `ja`.'],
  ])('%j is refused', (request, path, message) => {
    const { error } = operations.captions_auto.input.safeParse({
      ...{ video_url: 'https://media.example.com/a.mp4', captions },
      ...request,
    });
    const [issue] = error?.issues ?? [];
    expect([issue?.path.join('.'), issue?.message]).toEqual([path, expect.stringContaining(message)]);
  });

  test.each(['auto', 'en-GB', 'de', 'pt-BR'])('that are chosen are understood in %s', (language) => {
    const request = { video_url: 'https://media.example.com/a.mp4', emoji: 'auto', language };
    expect(operations.captions_auto.input.safeParse(request).success).toBe(true);
  });
});
