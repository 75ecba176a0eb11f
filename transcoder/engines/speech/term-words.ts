import { spokenOf } from './script-words.ts';

/** May be read letter by letter: short words in capitals or without vowels. */
const initials = /^([A-Z]{2,5}|[b-df-hj-np-tv-xz]{2,5})$/;

/** Letters that Unicode decomposition does not reduce to a–z. */
const unmarked: Record<string, string> = {
  ...{ ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', þ: 'th', ı: 'i' },
  ...{ ß: 'ss', æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe' },
};

/** Removes diacritics: `Łódź` becomes `Lodz`. */
const withoutMarks = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[øØłŁđĐðþıßæÆœŒ]/g, (letter) => unmarked[letter] ?? letter)
    .normalize('NFC');

/** Lower-case letters and digits without diacritics, for comparing texts. */
export const lettersOf = (text: string) =>
  withoutMarks(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/**
 * The words that an English term may be read as: as one word and, if capitals divide it, as its parts, with initials
 * letter by letter (`q.` in the dictionary). `PostgreSQL` is `postgresql` or `postgre s. q. l.`. Empty if the term has
 * letters that English does not use.
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
