import { inTurn, runsIn, TOGETHER, WORD } from '../../plan/captions/simultaneous.ts';
import type { TimedText } from './choose-words.ts';

/**
 * Gives words without a duration, as engines write those whose time they do not know, an equal part of the word that begins with them,
 * or of the pause after them: otherwise they could be neither cut nor masked.
 */
export const withDurations = (words: readonly TimedText[], duration: number): TimedText[] =>
  runsIn(words, duration).flatMap(({ run, until }) => (run.some(isInstant) ? shared(run, until) : run));

const isInstant = ({ start, end }: TimedText) => end - start < TOGETHER;

function shared(run: readonly TimedText[], until: number): TimedText[] {
  if (run.length === 1) return run.map((word) => ({ ...word, end: Math.min(until, word.start + WORD) }));
  // A word that overlaps the next one goes on as long as before.
  return inTurn(run, until).map((word, index) => {
    const end = run[index]?.end ?? 0;
    return end > until ? { ...word, end } : word;
  });
}
