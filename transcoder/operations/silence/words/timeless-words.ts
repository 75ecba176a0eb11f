import { inTurn, TOGETHER, WORD } from '../../plan/captions/simultaneous.ts';
import type { TimedText } from './choose-words.ts';

/**
 * Gives words without a duration, as engines write those whose time they do not know, an equal part of the word that begins with them,
 * or of the pause after them: otherwise they could be neither cut nor masked.
 */
export function withDurations(words: readonly TimedText[], duration: number): TimedText[] {
  const result: TimedText[] = [];
  for (let from = 0; from < words.length; ) {
    const start = words[from]?.start ?? 0;
    let to = from + 1;
    while ((words[to]?.start ?? Number.POSITIVE_INFINITY) - start < TOGETHER) to++;
    const run = words.slice(from, to);
    const until = words[to]?.start ?? duration;
    for (const word of run.some(isInstant) ? shared(run, until) : run) result.push(word);
    from = to;
  }
  return result;
}

const isInstant = ({ start, end }: TimedText) => end - start < TOGETHER;

function shared(run: readonly TimedText[], until: number): TimedText[] {
  if (run.length === 1) return run.map((word) => ({ ...word, end: Math.min(until, word.start + WORD) }));
  // A word that overlaps the next one goes on as long as before.
  return inTurn(run, until).map((word, index) => {
    const end = run[index]?.end ?? 0;
    return end > until ? { ...word, end } : word;
  });
}
