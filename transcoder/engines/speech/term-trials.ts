import { type SoundPiece, WINDOWS_PER_SECOND } from './pieces.ts';
import type { Step } from './pocketsphinx.ts';
import type { HeardWord } from './script-align.ts';
import { isApart, type Suspected } from './vocabulary.ts';

/** A piece of sound to recognize again, choosing between the words recognized before and a few terms. */
interface Trial {
  piece: SoundPiece;
  grammar: Step[];
  suspicions: Suspected[];
}

/**
 * Prior of the recognized words relative to each term. Terms are known to occur in the text, whereas words were also
 * chosen for being common. Of 120 names spoken by flite, at a limit of 0.4, 77 come out right with 1 and 84 with this
 * value; with 0.0001 ordinary words are mistaken for names.
 */
const HEARD = 0.01;
/** Seconds of margin on a side without an adjoining word. */
const AROUND = 0.1;
/** Limits on terms for the same words, and on trials for one file; the likeliest are kept. */
const MOST_TERMS = 8;
const MOST_TRIALS = 3000;

/**
 * The pieces to recognize again to decide which suspicions are right.
 * @param spokenOf The dictionary words that a word is read as.
 * @param nameOf The dictionary word for a whole term.
 */
export function trialsOf(
  suspicions: readonly Suspected[],
  words: readonly HeardWord[],
  spokenOf: (word: HeardWord) => readonly string[],
  nameOf: (term: string) => string,
): Trial[] {
  const windows = new Map<string, Suspected[]>();
  for (const suspicion of suspicions.toSorted((a, b) => a.cost - b.cost)) {
    const key = `${suspicion.from} ${suspicion.to}`;
    const own = windows.get(key) ?? [];
    if (own.length >= MOST_TERMS || own.some(({ term }) => term === suspicion.term)) continue;
    windows.set(key, [...own, suspicion]);
  }
  return [...windows.values()].slice(0, MOST_TRIALS).flatMap((own): Trial[] => {
    const { from = 0, to = 0 } = own[0] ?? {};
    const before = isApart(words, from) ? undefined : words[from - 1];
    const behind = isApart(words, to) ? undefined : words[to];
    const [first, last] = [words[from], words[to - 1]];
    if (!first || !last || words.slice(from, to).every((word) => spokenOf(word).length === 0)) return [];
    const spoken = (list: readonly (HeardWord | undefined)[]) =>
      list.flatMap((word) => (word ? spokenOf(word) : []));
    const [lead, recognized, trail] = [spoken([before]), spoken(words.slice(from, to)), spoken([behind])];
    const [start, end] = [lead.length, lead.length + recognized.length];
    const all = [...lead, ...recognized, ...trail];
    const grammar: Step[] = [
      ...all.map((word, index): Step => [index, index + 1, index === start ? HEARD : 1, word]),
      ...own.map(({ term }): Step => [start, end, 1, nameOf(term)]),
    ];
    const seconds = [before?.start ?? first.start - AROUND, behind?.end ?? last.end + AROUND] as const;
    const [opens, closes] = seconds.map((second) => Math.round(Math.max(0, second) * WINDOWS_PER_SECOND));
    return [{ piece: { from: opens ?? 0, to: closes ?? 0 }, grammar, suspicions: own }];
  });
}
