import { captionLimits } from '../../../schema/media/caption-limits.ts';
import { wordsOfText } from '../../model/segment-words.ts';
import { TaskFailure } from '../../model/task-failure.ts';

/** A word of a script as written, and the words it is read as. */
export interface ScriptWord {
  text: string;
  glued: boolean;
  /** In lower case; empty for punctuation alone. */
  spoken: string[];
}

export function scriptWords(text: string): ScriptWord[] {
  const words: ScriptWord[] = [];
  for (const { text: written, glued } of wordsOfText(text)) {
    const spoken = spokenOf(written);
    const last = words.at(-1);
    const room = (last?.text.length ?? 0) + written.length < captionLimits.wordCharacters;
    if (spoken.length === 0 && last && room) last.text += glued ? written : ` ${written}`;
    else words.push({ text: written, glued, spoken });
  }
  return words;
}

/** Words that a script is read as: a long number has one for each digit. */
const MOST_SPOKEN = 2 * captionLimits.words;

/** Throws `captions_invalid` if a script is read as too many words to be aligned. */
export function checkSpoken(script: readonly ScriptWord[]): void {
  const count = script.reduce((sum, { spoken }) => sum + spoken.length, 0);
  if (count <= MOST_SPOKEN) return;
  const [found, most] = [count, MOST_SPOKEN].map((words) => words.toLocaleString('en-US'));
  const detail = `The script has ${found} words as it is read aloud, where each digit of a long number is one. At most ${most} can be aligned.`;
  throw new TaskFailure('captions_invalid', detail);
}

function unquoted(word: string): string {
  let [from, to] = [0, word.length];
  while (word[from] === "'") from += 1;
  while (to > from && word[to - 1] === "'") to -= 1;
  return word.slice(from, to);
}

/** Symbols and abbreviations. A Map, because a text can contain words such as `constructor`. */
const written = new Map([
  ...Object.entries({ '%': 'percent', '&': 'and', '+': 'plus', '=': 'equals', '@': 'at' }),
  ...Object.entries({ mr: 'mister', mrs: 'missis', dr: 'doctor', vs: 'versus', etc: 'etcetera' }),
]);

/** How a written English word is read aloud. */
export function spokenOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('’', "'");
  const money = /^\W*([$£€])([\d.,]*\d)\W*$/.exec(plain);
  if (money)
    return [...numberOf(money[2] ?? ''), { $: 'dollars', '£': 'pounds', '€': 'euros' }[money[1] ?? ''] ?? ''];
  return plain
    .split(/([\d][\d.,:]*\d|\d|[%&+=@])|[^\p{L}\p{M}\p{N}']+/u)
    .filter((part): part is string => part !== undefined && part !== '')
    .flatMap((part) => {
      if (/^\d/.test(part)) return numberOf(part);
      const word = unquoted(part);
      return written.get(part) ?? written.get(word) ?? (word === '' ? [] : word);
    });
}

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const powers: [number, string][] = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
  [100, 'hundred'],
];

function cardinal(value: number): string[] {
  if (value < 20) return [units[value] ?? 'zero'];
  if (value < 100) return [tens[Math.floor(value / 10)] ?? '', ...(value % 10 ? cardinal(value % 10) : [])];
  const [size, name] = powers.find(([power]) => value >= power) ?? [100, 'hundred'];
  return [...cardinal(Math.floor(value / size)), name, ...(value % size ? cardinal(value % size) : [])];
}

const digitsOf = (text: string) =>
  [...text].filter((digit) => /\d/.test(digit)).map((digit) => units[Number(digit)] ?? '');

/** Larger numbers are read digit by digit. */
const MOST_READ = 1e15;

/** Reads a number: years in two halves, decimals digit by digit, times as hours and minutes. */
function numberOf(text: string): string[] {
  const value = Number(text.replaceAll(',', ''));
  if (text.includes(':'))
    return text.split(':').flatMap((part) => {
      if (Number(part) === 0) return [];
      return Number(part) < MOST_READ ? cardinal(Number(part)) : digitsOf(part);
    });
  if (!(value < MOST_READ)) return digitsOf(text);
  const [whole = '', decimals] = text.replaceAll(',', '').split('.');
  if (decimals !== undefined) return [...cardinal(Number(whole)), 'point', ...digitsOf(decimals)];
  const isYear = /^(1[1-9]|20)\d\d$/.test(text) && !(value >= 2000 && value < 2010) && value % 1000 !== 0;
  if (!isYear) return /^0\d/.test(text) ? digitsOf(text) : cardinal(value);
  const [century, year] = [Math.floor(value / 100), value % 100];
  if (year === 0) return [...cardinal(century), 'hundred'];
  return [...cardinal(century), ...(year < 10 ? ['oh'] : []), ...cardinal(year)];
}
