import { z } from 'zod';
import { type Cue, parseSubtitles } from './subtitles.ts';
import { parseAss } from './subtitles-ass.ts';

/** Of a request, and of a file that it names. */
export const MAX_CAPTION_CUES = 10_000;
export const MAX_CAPTION_WORDS = 50_000;
export const MAX_CAPTION_CHARACTERS = 2_000_000;
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

export const timedWords = z.array(timedWord).min(1).max(MAX_CAPTION_WORDS);
export type TimedWord = z.output<typeof timedWord>;

const wordsDocument = z.union([
  timedWords,
  z.looseObject({ words: timedWords }).transform(({ words }) => words),
]);

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
  const cues = /^\[script info\]/i.test(text) ? (parseAss(text) ?? []) : parseSubtitles(text);
  if (cues === null && /^WEBVTT(\s|$)/.test(text)) return { problem: 'The WebVTT has no cues' };
  if (cues === null) return { kind: 'script', text };
  if (cues.length === 0) return { problem: 'There are no captions in it' };
  if (cues.length > MAX_CAPTION_CUES) return { problem: `Expected at most ${MAX_CAPTION_CUES} captions` };
  return { kind: 'cues', cues };
}

function parseWords(text: string): Captions | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'It begins like JSON and is none' };
  }
  const parsed = wordsDocument.safeParse(value);
  if (parsed.success) return { kind: 'words', words: inOrder(parsed.data) };
  return { problem: 'Expected words as [{"start": 0.5, "end": 0.8, "text": "Hello"}, …]' };
}

export function inOrder(words: readonly TimedWord[]): TimedWord[] {
  return words.toSorted((a, b) => a.start - b.start);
}
