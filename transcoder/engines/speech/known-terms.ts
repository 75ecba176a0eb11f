import { setImmediate } from 'node:timers/promises';
import { followGrammars, type Listening } from './pocketsphinx.ts';
import { dictionaryText, type Pronunciation, pronunciationsOf } from './pronunciations.ts';
import type { HeardWord } from './script-align.ts';
import { spokenOf } from './script-words.ts';
import { trialsOf } from './term-trials.ts';
import { lettersOf, spokenForms } from './term-words.ts';
import {
  corrected,
  likeliestFirst,
  type Suspected,
  type scales,
  sounded,
  suspected,
  type Term,
} from './vocabulary.ts';

/** Limit on pronunciations for each form of a term. */
const MOST_WAYS = 4;
/** Limit on terms that may begin with the same word; the likeliest are kept. */
const MOST_AT_A_WORD = 8;

/**
 * Replaces English words that sound like a known term with that term. PocketSphinx listens to each candidate again, and
 * its acoustic model decides between the words and the term. Throws as `run` does.
 */
export async function withTerms(
  words: readonly HeardWord[],
  vocabulary: readonly string[],
  listening: Listening,
): Promise<HeardWord[]> {
  const forms = new Map(vocabulary.map((term) => [term, spokenForms(term)]));
  const spoken = new Map(words.map(({ text }) => [text, spokenOf(text)]));
  const known = await pronunciationsOf(
    new Set([...[...forms.values()].flat(), ...spoken.values()].flat()),
    listening,
  );
  const partsOf = ({ text }: HeardWord) => spoken.get(text) ?? [];
  const terms = [...forms].map(([text, ways]) => ({
    ...{ text, said: ways.flatMap((form) => combined(form.map((word) => known.get(word) ?? []))) },
  }));
  const suspicions = await suspicionsOf(
    terms,
    words,
    (word) => partsOf(word).flatMap((part) => known.get(part)?.[0] ?? []),
    'phones',
    listening.signal,
  );
  const names = new Map(terms.map(({ text }, index) => [text, `term${index}`]));
  const nameOf = (term: string) => names.get(term) ?? '';
  const trials = trialsOf(
    suspicions.filter(({ same }) => !same),
    words,
    partsOf,
    nameOf,
  );
  const results = await followGrammars(
    trials.map(({ piece }) => piece),
    trials.map(({ grammar }) => grammar),
    dictionaryText([...known, ...terms.map(({ text, said }) => [nameOf(text), said] as const)]),
    listening,
  );
  const right = trials.flatMap(({ suspicions }, index) =>
    suspicions.filter(({ term }) => results[index]?.some(({ text }) => text === nameOf(term))),
  );
  return corrected(words, [...suspicions.filter(({ same }) => same), ...right]);
}

/** Replaces words that are spelled almost like a known term with that term, in any language. */
export async function withTermsByLetters(
  words: readonly HeardWord[],
  vocabulary: readonly string[],
  signal: AbortSignal | undefined,
): Promise<HeardWord[]> {
  const terms = [...new Set(vocabulary)].map((text) => ({ text, said: [[...lettersOf(text)]] }));
  const lettersOfWord = ({ text }: HeardWord) => [...lettersOf(text)];
  return corrected(words, await suspicionsOf(terms, words, lettersOfWord, 'letters', signal));
}

async function suspicionsOf(
  terms: readonly Term[],
  words: readonly HeardWord[],
  soundsOf: (word: HeardWord) => readonly string[],
  scale: keyof typeof scales,
  signal: AbortSignal | undefined,
): Promise<Suspected[]> {
  const sounds = sounded(words, soundsOf);
  const byWord: Suspected[][] = words.map(() => []);
  for (const term of terms) {
    for (const suspicion of suspected(term, words, sounds, scale))
      keepLikeliest(byWord[suspicion.from], suspicion);
    // 200 terms against hours of speech take seconds of CPU: yield to the event loop in between.
    await setImmediate();
    signal?.throwIfAborted();
  }
  return byWord.flat();
}

function keepLikeliest(kept: Suspected[] | undefined, suspicion: Suspected): void {
  kept?.push(suspicion);
  if (!kept || kept.length <= MOST_AT_A_WORD) return;
  kept.sort(likeliestFirst).pop();
}

/** Every pronunciation of a sequence of words. */
function combined(words: readonly (readonly Pronunciation[])[]): string[][] {
  return words.reduce<string[][]>(
    (before, ways) => before.flatMap((phones) => ways.map((way) => [...phones, ...way])).slice(0, MOST_WAYS),
    [[]],
  );
}
