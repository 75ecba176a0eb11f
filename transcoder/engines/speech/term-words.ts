import { spokenOf } from './script-words.ts';

/** What may be said letter by letter: capitals, and what has no vowel. */
const initials = /^([A-Z]{2,5}|[b-df-hj-np-tv-xz]{2,5})$/;

/** Letters that no mark makes of those of English. */
const unmarked: Record<string, string> = {
  ...{ ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', þ: 'th', ı: 'i' },
  ...{ ß: 'ss', æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe' },
};

/** A text without the marks of its letters: `Łódź` is `Lodz`. */
const withoutMarks = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[øØłŁđĐðþıßæÆœŒ]/g, (letter) => unmarked[letter] ?? letter)
    .normalize('NFC');

/** The letters and digits of a text, by which texts are compared: small ones without their marks. */
export const lettersOf = (text: string) =>
  withoutMarks(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/**
 * The words that may be said for a term of English: as it is read, and, where capitals divide it, by its parts, initials
 * letter by letter (`q.` in the dictionary). `PostgreSQL` is `postgresql`, or `postgre s. q. l.`. None where it
 * has letters that English has not.
 */
export function spokenForms(term: string): string[][] {
  const plain = withoutMarks(term);
  const parts = plain
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s./_‐–—-]+/);
  const spelled = parts.flatMap((part) =>
    initials.test(part) ? [...part.toLowerCase()].map((letter) => `${letter}.`) : spokenOf(part),
  );
  const read = plain.split(/\s+/).flatMap(spokenOf);
  const forms = [read, spelled].filter((form) => form.length > 0);
  return forms.filter(
    (form, index) =>
      form.every((word) => /^[a-z'.]+$/.test(word)) &&
      forms.findIndex((other) => other.join(' ') === form.join(' ')) === index,
  );
}
