import { unspaced } from '../../../../schema/media/caption-limits.ts';
import { graphemes } from '../../../model/graphemes.ts';
import { bareSpan, wordsToCompare } from '../../../model/segment-words.ts';

/** Small letters and digits of a word, without the punctuation around it. */
export function bareText(text: string): string {
  const span = bareSpan(text);
  if (!span) return '';
  const bare = text.slice(span.from, span.to).normalize('NFC').toLowerCase();
  return bare.replaceAll('’', "'").replaceAll(/\s+/g, ' ');
}

/** The words of a text or source, and the signs between them. */
export interface Spelled {
  /** See `bareText`; words without letters are left out. */
  bare: string[];
  /** The signs before each word, and after the last one. */
  signs: string[];
}

/** Signs that are said, unlike punctuation, accents that stand alone (typed as quotes), and ornaments such as ® and ♪. */
const unsaid = /[^\p{Sc}\p{Sm}°%‰&@#]/gu;
export const signsOf = (text: string) => text.normalize('NFKC').replaceAll(unsaid, '');

export function spelled(texts: readonly string[]): Spelled {
  const bare: string[] = [];
  const signs: string[] = [];
  let before = '';
  for (const text of texts) {
    const span = bareSpan(text);
    before += signsOf(text.slice(0, span?.from));
    if (!span) continue;
    bare.push(bareText(text));
    signs.push(before);
    before = signsOf(text.slice(span.to));
  }
  return { bare, signs: [...signs, before] };
}

export const spelledText = (text: string) => spelled(wordsToCompare(text).map((word) => word.text));

/** Tests whether words have the signs that a word or phrase names; those that it does not name may be anywhere. */
export function haveSigns(signs: readonly string[], from: number, wanted: readonly string[]): boolean {
  const last = wanted.length - 1;
  return wanted.every((sign, at) => {
    const found = signs[from + at] ?? '';
    if (sign === '') return true;
    return at === 0 ? found.endsWith(sign) : at === last ? found.startsWith(sign) : found === sign;
  });
}

/** Finds which of these words a word is, by its index. */
export function namedAmong(texts: readonly string[]): (words: Spelled, index: number) => Spelled | undefined {
  const named = Map.groupBy(texts.map(singleWord), ({ bare }) => bare[0]);
  return ({ bare, signs }, index) =>
    named.get(bare[index])?.find((wanted) => haveSigns(signs, index, wanted.signs));
}

export const singleWord = (text: string) => spelled([text]);

/** Indexes of the words of a phrase, each time that it is said and however it is divided there; without overlaps. */
export function saidIn({ units, signs, owners }: Divided, phrase: Spelled): number[][] {
  const { units: wanted, signs: wantedSigns } = divided(phrase);
  const found: number[][] = [];
  if (wanted.length === 0) return found;
  const borders = bordersOf(wanted);
  const signed = wantedSigns.some((sign) => sign !== '');
  let matched = 0;
  for (let at = 0; at < units.length; at++) {
    matched = extended(wanted, borders, matched, units[at]);
    if (matched < wanted.length) continue;
    const from = at - matched + 1;
    const [first = 0, last = 0] = [owners[from], owners[at]];
    // A word of which only a part is among them cannot be cut in two.
    const isWhole = owners[from - 1] !== first && owners[at + 1] !== last;
    const isSaid = isWhole && (!signed || haveSigns(signs, from, wantedSigns));
    if (isSaid) found.push(Array.from({ length: last - first + 1 }, (_, word) => first + word));
    matched = isSaid ? 0 : (borders[matched - 1] ?? 0);
  }
  return found;
}

/** For each unit of a phrase, the length of the longest beginning that ends there as well: Knuth, Morris and Pratt. */
function bordersOf(wanted: readonly string[]): number[] {
  const borders = [0];
  for (let at = 1; at < wanted.length; at++)
    borders.push(extended(wanted, borders, borders[at - 1] ?? 0, wanted[at]));
  return borders;
}

/** How many units of a phrase match up to the next unit of a text, where `matched` of them did before it. */
function extended(
  wanted: readonly string[],
  borders: readonly number[],
  matched: number,
  next: string | undefined,
): number {
  let length = matched;
  while (length > 0 && wanted[length] !== next) length = borders[length - 1] ?? 0;
  return wanted[length] === next ? length + 1 : length;
}

export interface Divided {
  units: string[];
  /** The signs before each unit, and after the last one. */
  signs: string[];
  /** By unit, the index of its word. */
  owners: number[];
  /** By word, how many units it has. */
  sizes: number[];
}

/** The words that have these units; null if there is a word of which only some are among them, which cannot be cut in two. */
export function wholeWords(
  places: readonly number[],
  { owners, sizes }: Pick<Divided, 'owners' | 'sizes'>,
): number[] | null {
  const words = Map.groupBy(places, (place) => owners[place] ?? 0);
  return words.entries().every(([word, chosen]) => chosen.length === sizes[word]) ? [...words.keys()] : null;
}

/**
 * Words of scripts without spaces letter by letter, other words whole, or in their parts between no-break spaces: where such a text is
 * divided into words differs from one recognizer to the next.
 */
export function divided({ bare, signs }: Spelled): Divided {
  const parts = bare.map((word) => (unspaced.test(word) ? graphemes(word) : word.split(' ')));
  return {
    units: parts.flat(),
    signs: [
      ...parts.flatMap((units, index) => units.map((_, at) => (at === 0 ? (signs[index] ?? '') : ''))),
      signs.at(-1) ?? '',
    ],
    owners: parts.flatMap((units, index) => units.map(() => index)),
    sizes: parts.map(({ length }) => length),
  };
}
