import { bareSpan, wordsOfText } from '../../model/segment-words.ts';
import { omission, substitution } from './phones.ts';
import type { HeardWord } from './script-align.ts';
import { likenesses, type SoundCosts, type SoundedWord } from './sounds-like.ts';
import { lettersOf } from './term-words.ts';

/** A name or word known to occur, with every pronunciation. */
export interface Term {
  text: string;
  said: readonly (readonly string[])[];
}

/** Words that may be a term, `to` exclusive. `cost` is per sound of the term; lower is better. */
export interface Suspected {
  term: string;
  from: number;
  to: number;
  cost: number;
  /** Whether the letters are equal. */
  same: boolean;
}

interface Scale {
  costs: SoundCosts;
  /** Highest cost of a match, by the number of sounds in the term. */
  limit: (sounds: number) => number;
  /** Terms with fewer sounds match too much. */
  fewest: number;
  /** Words with a higher confidence are never replaced. */
  sure: number;
}

/**
 * Parameters for comparing English sounds, generous because candidates are listened to again, and for letters of other
 * languages.
 */
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

/** A term does not contain a longer pause, in seconds. */
const PAUSE = 0.3;

/** Whether a pause precedes a word. */
export function isApart(words: readonly HeardWord[], index: number): boolean {
  const [before, word] = [words[index - 1], words[index]];
  return !before || !word || word.start - before.end > PAUSE;
}

export function sounded(
  words: readonly HeardWord[],
  soundsOf: (word: HeardWord) => readonly string[],
): SoundedWord[] {
  return words.map((word, index) => ({ sounds: soundsOf(word), apart: isApart(words, index) }));
}

/** Where a term may have been said among the words. */
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

export const likeliestFirst = (a: Suspected, b: Suspected) =>
  Number(b.same) - Number(a.same) || a.cost - b.cost || b.to - b.from - (a.to - a.from) || a.from - b.from;

/**
 * Replaces words with the terms they sound like, best match first, each word once. A term takes over the times and
 * surrounding punctuation of the words it replaces, and has no confidence.
 */
export function corrected(words: readonly HeardWord[], suspicions: readonly Suspected[]): HeardWord[] {
  const order = suspicions.toSorted(likeliestFirst);
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
