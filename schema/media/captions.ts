import { z } from 'zod';
import { captionFault } from './caption-faults.ts';
import { captionExcess, captionLimits, tooManyWords, wordExcess } from './caption-limits.ts';
import { type Cue, parseSubtitles } from './subtitles.ts';
import { parseAss } from './subtitles-ass.ts';

const LONGEST_SECONDS = 360_000;

const second = z.number().min(0).max(LONGEST_SECONDS);

/** A word as recognition gives it, and as a caller may. */
export const timedWord = z
  .strictObject({
    start: second.meta({ description: 'Second at which it begins.' }),
    end: second.meta({ description: 'Second at which it ends.' }),
    text: z.string().min(1).max(200).meta({ description: 'The word with its punctuation.' }),
    confidence: z.number().min(0).max(1).nullish().meta({ description: 'From 0 to 1, where it is known.' }),
  })
  .refine(({ start, end }) => end >= start, { error: 'end must not be before start' });

export const timedWords = z.array(timedWord).min(1).max(captionLimits.words);
export type TimedWord = z.output<typeof timedWord>;

/** Captions of a caller: a script without times, cues, or words that each have their time. */
export type Captions =
  | { kind: 'script'; text: string }
  | { kind: 'cues'; cues: Cue[] }
  | { kind: 'words'; words: TimedWord[] };

/** What a text of captions is, SubRip, WebVTT, ASS, words as JSON or a plain script; or why it cannot be read. */
export function parseCaptions(source: string): Captions | { problem: string } {
  const text = source.replace(/^\uFEFF/, '').trim();
  if (text === '') return { problem: 'There are no captions in it' };
  if (/^\[\s*[{\]]|^\{\s*["}]/.test(text)) return parseWords(text);
  const fault = captionFault(source);
  if (fault !== null) return { problem: fault };
  const cues = /^\[script info\]|^\[events\]/i.test(text) ? (parseAss(text) ?? []) : parseSubtitles(text);
  if (cues === null && /^WEBVTT(\s|$)/.test(text)) return { problem: 'The WebVTT has no cues' };
  if (cues === null) {
    const problem = wordExcess([text]);
    return problem === null ? { kind: 'script', text } : { problem };
  }
  if (cues.length === 0) return { problem: 'There are no captions in it' };
  const problem = captionExcess(cues.map((cue) => cue.text));
  return problem === null ? { kind: 'cues', cues } : { problem };
}

function parseWords(text: string): Captions | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'It begins like JSON and is none' };
  }
  const list = Array.isArray(value) ? value : (value as { words?: unknown }).words;
  if (!Array.isArray(list) || list.length === 0) return { problem: EXPECTED };
  if (list.length > captionLimits.words) return { problem: tooManyWords(list.length) };
  const words: TimedWord[] = [];
  // One by one up to the first that is wrong: a schema of the whole list would collect what is wrong with each.
  for (const [index, item] of list.entries()) {
    const word = timedWord.safeParse(item);
    if (!word.success) return { problem: `${EXPECTED}; word ${index + 1} is not` };
    words.push(word.data);
  }
  return { kind: 'words', words: inOrder(words) };
}

const EXPECTED = 'Expected words as [{"start": 0.5, "end": 0.8, "text": "Hello"}, …]';

export function inOrder(words: readonly TimedWord[]): TimedWord[] {
  return words.toSorted((a, b) => a.start - b.start);
}
