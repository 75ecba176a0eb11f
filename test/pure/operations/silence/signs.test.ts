import { expect, test } from 'vitest';
import { operations } from '../../../../schema/operations/index.ts';
import { removals } from '../../../../transcoder/operations/silence/words/choose-words.ts';

const url = 'https://media.example.com/a';

/** What is left of a text. */
function left(text: string, remove: object): string {
  const words = text.split(' ').map((word, at) => ({ text: word, start: at, end: at + 1 }));
  const input = operations.edit_by_text.input.parse({ audio_url: url, remove });
  const found = removals(words, input, 'en');
  return words.flatMap((word, at) => (found[at] === null ? [word.text] : [])).join(' ');
}

test.each([
  ['so Pepsi so', { words: ['Pepsi®'] }, 'so so'],
  ['so la la so', { phrases: ['♪ la la ♪'] }, 'so so'],
  ['20 ° so 20 % so', { phrases: ['20 °'] }, 'so 20 % so'],
])('of “%s” without %j is left “%s”: ornaments are not said', (text, remove, wanted) => {
  expect(left(text, remove)).toBe(wanted);
});
