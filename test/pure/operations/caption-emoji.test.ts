import { describe, expect, test } from 'vitest';
import { isEmoji } from '../../../schema/media/emoji.ts';
import { operations } from '../../../schema/operations/index.ts';
import { pictured } from '../../../transcoder/operations/plan/captions/emoji-pictures.ts';
import { emojiWords } from '../../../transcoder/operations/plan/captions/emoji-words.ts';
import { letters } from '../letters/letters.ts';
import { planOf } from './plan-lines.ts';
import { source } from './sources.ts';

const word = (text: string, start: number) => ({ text, start, end: start + 0.4 });
const captions = [
  ...[word('The', 0.5), word('New', 1), word('York', 1.5), word('fire!', 2)],
  ...[word('Fire', 5.5), word('again', 6)],
];
const emojiOf = (emoji: 'auto' | Record<string, string>) =>
  pictured([{ words: captions.map((one) => ({ ...one, glued: false })), shown: null }], emoji)
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
    const found = pictured([{ words: often, shown: null }], 'auto').flatMap(({ words }) => words);
    expect(found.map(({ emoji }) => emoji !== undefined)).toEqual([true, false, false, true, false]);
  });

  test('are known for each word once, and the font has them all', () => {
    const words = emojiWords.map(({ text }) => text);
    expect(words.filter((one, index) => words.indexOf(one) !== index)).toEqual([]);
    const all = [...new Set(emojiWords.map(({ emoji }) => emoji))];
    expect(all.filter((one) => !isEmoji(one) || letters.emoji(one).length === 0)).toEqual([]);
    expect(words.length).toBeGreaterThan(380);
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
    [{ emoji: 'auto', language: 'de' }, 'emoji', '`emoji: auto` knows English words only.'],
  ])('%j is refused', (request, path, message) => {
    const { error } = operations.captions_auto.input.safeParse({
      ...{ video_url: 'https://media.example.com/a.mp4', captions },
      ...request,
    });
    const [issue] = error?.issues ?? [];
    expect([issue?.path.join('.'), issue?.message]).toEqual([path, expect.stringContaining(message)]);
  });

  test('that are chosen are understood in English of any country', () => {
    const request = { video_url: 'https://media.example.com/a.mp4', emoji: 'auto', language: 'en-GB' };
    expect(operations.captions_auto.input.safeParse(request).success).toBe(true);
  });
});
