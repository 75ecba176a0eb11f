import type { Captions, TimedWord } from '../../schema/captions.ts';
import type { Cue } from '../../schema/subtitles.ts';
import type { TimeMap } from '../../schema/task.ts';
import { wordsOfText } from '../text-words.ts';

/** A word of captions. */
export interface CaptionWord extends TimedWord {
  /** Whether it follows the word before it without a space, as in Chinese or Thai. */
  glued: boolean;
}

/** Words that become captions together; with times of its own where a caller has given them. */
export interface Passage {
  words: CaptionWord[];
  /** Seconds; null where the words alone say it. */
  shown: { start: number; end: number } | null;
}

/** The words of a cue, each for its share of the letters. */
export function wordsOfCue({ start, end, text }: Cue): CaptionWord[] {
  const words = wordsOfText(text);
  const all = words.reduce((sum, word) => sum + weightOf(word.text), 0);
  let said = 0;
  return words.map((word) => {
    const from = start + ((end - start) * said) / all;
    said += weightOf(word.text);
    return { ...word, start: from, end: start + ((end - start) * said) / all, confidence: null };
  });
}

/** How long a word is spoken, for comparison: a pause behind a sentence is a part of it. */
const weightOf = (text: string) => text.length + 1 + (/[.!?…。！？]$/u.test(text) ? 2 : 0);

const spaced = (word: TimedWord): CaptionWord => ({ ...word, glued: false });

/** What a caller has given, as far as it has times; null for a script. */
export function passagesOf(captions: Captions): Passage[] | null {
  if (captions.kind === 'script') return null;
  if (captions.kind === 'words') return [{ words: captions.words.map(spaced), shown: null }];
  return captions.cues.map((cue) => ({ words: wordsOfCue(cue), shown: { start: cue.start, end: cue.end } }));
}

/** Moves what is said in the source of a task to where it is in its output; said twice where that shows it twice. */
export function moved(passages: readonly Passage[], map: TimeMap, source: number): Passage[] {
  const spans = map.filter((span) => span.source === source && span.in[1] > span.in[0]);
  const result = spans.flatMap(({ in: [from, to], out: [first, last] }) => {
    const rate = (last - first) / (to - from);
    const at = (time: number) => first + (Math.min(to, Math.max(from, time)) - from) * rate;
    return passages.flatMap(({ words, shown }): Passage[] => {
      const kept = words.filter(({ start, end }) => (start + end) / 2 >= from && (start + end) / 2 < to);
      if (kept.length === 0) return [];
      return [
        {
          words: kept.map((word) => ({ ...word, start: at(word.start), end: at(word.end) })),
          shown: shown && { start: at(shown.start), end: at(shown.end) },
        },
      ];
    });
  });
  const beginning = ({ words }: Passage) => words[0]?.start ?? 0;
  return result.sort((a, b) => beginning(a) - beginning(b));
}

interface Replacement {
  from: string;
  to: string;
}

const bare = (text: string) => text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** Words with others in their place, which take the time of those; punctuation around them stays. */
export function replaced(words: readonly CaptionWord[], replacements: readonly Replacement[]): CaptionWord[] {
  const rules = replacements
    .map(({ from, to }) => ({ from: wordsOfText(from).map(({ text }) => bare(text)), to }))
    .sort((a, b) => b.from.length - a.from.length);
  const result: CaptionWord[] = [];
  for (let index = 0; index < words.length; ) {
    const rule = rules.find(({ from }) =>
      from.every((text, at) => text === bare(words[index + at]?.text ?? '')),
    );
    const found = words.slice(index, index + (rule?.from.length ?? 1));
    const [first, last] = [found[0], found.at(-1)];
    if (!first || !last) break;
    index += found.length;
    if (!rule) {
      result.push(first);
      continue;
    }
    if (rule.to.trim() === '') continue;
    const lead = /^[^\p{L}\p{N}]*/u.exec(first.text)?.[0] ?? '';
    const trail = /[^\p{L}\p{N}]*$/u.exec(last.text)?.[0] ?? '';
    const cue = { start: first.start, end: last.end, text: `${lead}${rule.to.trim()}${trail}` };
    const made = wordsOfCue(cue);
    const [begin] = made;
    if (begin) begin.glued = first.glued;
    result.push(...made);
  }
  return result;
}

/** Without the words whose middle lies in one of these ranges. */
export function without(
  words: readonly CaptionWord[],
  ranges: readonly { start: number; end: number }[],
): CaptionWord[] {
  return words.filter(({ start, end }) => {
    const middle = (start + end) / 2;
    return !ranges.some((range) => middle >= range.start && middle < range.end);
  });
}

/** Words as they are read one after the other. */
export function textOf(words: readonly CaptionWord[]): string {
  return words.map(({ text, glued }, index) => (index === 0 || glued ? text : ` ${text}`)).join('');
}
