import { bareSpan, wordsOfText } from '../../model/segment-words.ts';
import { omission, substitution } from './phones.ts';
import type { HeardWord } from './script-align.ts';
import { likenesses, type SoundCosts, type SoundedWord } from './sounds-like.ts';
import { lettersOf } from './term-words.ts';

/** A name or word that is known to be said, and its sounds each way that it may be said. */
export interface Term {
  text: string;
  said: readonly (readonly string[])[];
}

/** Words from `from` up to `to` that may be a term, best where `cost` is least; it is that of a sound of the term. */
export interface Suspected {
  term: string;
  from: number;
  to: number;
  cost: number;
  /** Whether the letters are the same. */
  same: boolean;
}

interface Scale {
  costs: SoundCosts;
  /** Most that a term may cost, by the number of its sounds. */
  limit: (sounds: number) => number;
  /** With fewer sounds there is too much that is like it. */
  fewest: number;
  /** Words of which the engine is surer than this are what they are. */
  sure: number;
}

/** How sounds of English are compared, as generously as listening again allows, and the letters of other languages. */
export const scales = {
  phones: {
    costs: { substitution, omission },
    limit: (sounds) => 0.42 * sounds - 0.5,
    ...{ fewest: 3, sure: 0.7 },
  },
  letters: {
    costs: { substitution: (one, other) => Number(one !== other), omission: () => 1 },
    limit: (sounds) => 0.2 * sounds,
    ...{ fewest: 5, sure: 1 },
  },
} as const satisfies Record<string, Scale>;

/** Nothing that is said as one has a longer pause in it, in seconds. */
const PAUSE = 0.3;

/** Whether a pause is before a word. */
export function isApart(words: readonly HeardWord[], index: number): boolean {
  const [before, word] = [words[index - 1], words[index]];
  return !before || !word || word.start - before.end > PAUSE;
}

/** The words heard, by their sounds. */
export function sounded(
  words: readonly HeardWord[],
  soundsOf: (word: HeardWord) => readonly string[],
): SoundedWord[] {
  return words.map((word, index) => ({ sounds: soundsOf(word), apart: isApart(words, index) }));
}

/** Where among words a term may have been said. */
export function suspected(
  { text, said }: Term,
  words: readonly HeardWord[],
  sounds: readonly SoundedWord[],
  scale: keyof typeof scales,
): Suspected[] {
  const { costs, limit, fewest, sure } = scales[scale];
  const letters = lettersOf(text);
  return said.flatMap((form) =>
    likenesses(form, sounds, costs, limit(form.length)).flatMap(({ from, to, cost }): Suspected[] => {
      const window = words.slice(from, to);
      const same = lettersOf(window.map((word) => word.text).join('')) === letters;
      const doubtful = window.some(({ confidence }) => (confidence ?? 0) <= sure);
      if (!same && (form.length < fewest || !doubtful)) return [];
      return [{ term: text, from, to, cost: cost / form.length, same }];
    }),
  );
}

/**
 * The words with terms in the place of what sounds like them, the best first and each word once. A term takes the time of
 * what it replaces, and the punctuation around that; how sure the engine is of it nobody says.
 */
export function corrected(words: readonly HeardWord[], suspicions: readonly Suspected[]): HeardWord[] {
  const order = suspicions.toSorted(
    (a, b) =>
      Number(b.same) - Number(a.same) ||
      a.cost - b.cost ||
      b.to - b.from - (a.to - a.from) ||
      a.from - b.from,
  );
  const taken = new Map<number, Suspected>();
  for (const suspicion of order) {
    const own = Array.from({ length: suspicion.to - suspicion.from }, (_, at) => suspicion.from + at);
    if (own.some((index) => taken.has(index))) continue;
    for (const index of own) taken.set(index, suspicion);
  }
  return words.flatMap((word, index) => {
    const suspicion = taken.get(index);
    if (!suspicion) return [word];
    return suspicion.from === index ? written(suspicion, words.slice(index, suspicion.to)) : [];
  });
}

function written({ term, same }: Suspected, window: readonly HeardWord[]): HeardWord[] {
  const [first, last] = [window[0], window.at(-1)];
  if (!first || !last) return [];
  const lead = first.text.slice(0, bareSpan(first.text)?.from);
  const trail = last.text.slice(bareSpan(last.text)?.to ?? 0);
  const texts = wordsOfText(`${lead}${term.trim()}${trail}`).map(({ text }) => text);
  if (same && texts.length === window.length)
    return window.map((word, at) => ({ ...word, text: texts[at] ?? '' }));
  const letters = texts.reduce((sum, { length }) => sum + length, 0);
  let passed = 0;
  return texts.map((text) => {
    const at = (share: number) => first.start + ((last.end - first.start) * share) / letters;
    const start = at(passed);
    passed += text.length;
    return { text, start, end: at(passed), piece: first.piece, confidence: null };
  });
}
