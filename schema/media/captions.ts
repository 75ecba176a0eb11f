import { z } from 'zod';
import { captionFault, isAss } from './caption-faults.ts';
import { captionExcess, captionLimits, tooManyWords, wordExcess } from './caption-limits.ts';
import { SPEAKER_CHARACTERS } from './cue-markup.ts';
import { type Cue, parseSubtitles } from './subtitles.ts';
import { parseAss } from './subtitles-ass.ts';

const LONGEST_SECONDS = 360_000;

const second = z.number().min(0).max(LONGEST_SECONDS);

const wordFields = {
  start: second.meta({ description: 'Start in seconds.' }),
  end: second.meta({ description: 'End in seconds.' }),
  text: z
    .string()
    .min(1)
    .max(captionLimits.wordCharacters)
    .meta({ description: 'The word, including its punctuation.' }),
  confidence: z.number().min(0).max(1).nullish().meta({ description: 'Confidence from 0 to 1, if known.' }),
};

const inTime = ({ start, end }: { start: number; end: number }) => end >= start;
const notInTime = { error: '`end` must not be before `start`.' };

/** A word with its times, from recognition or from the request. */
export const timedWord = z.strictObject(wordFields).refine(inTime, notInTime);

export type TimedWord = z.output<typeof timedWord>;

const speaker = z
  .string()
  // A line break would end the tag of a speaker in WebVTT.
  .overwrite((name) => name.replace(/\s+/g, ' '))
  .trim()
  .min(1)
  .max(SPEAKER_CHARACTERS)
  .optional()
  .meta({ description: 'Name of who says it.' });

/** A word, and who says it if the captions name speakers. */
export const spokenWord = z.strictObject({ ...wordFields, speaker }).refine(inTime, notInTime);

export const timedWords = z.array(spokenWord).min(1).max(captionLimits.words);

/** A word of captions that are drawn. */
const captionWord = z
  .strictObject({
    ...{ ...wordFields, speaker },
    color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a color such as "#1a2b3c"' })
      .optional()
      .meta({ title: '"#rrggbb"', description: 'Color of the word.' }),
    bold: z.boolean().optional().meta({ description: 'Whether it is bold; by default as the preset is.' }),
    italic: z.boolean().optional().meta({ description: 'Whether it is italic.' }),
  })
  .refine(inTime, notInTime);

export const captionWords = z.array(captionWord).min(1).max(captionLimits.words);
export type CaptionedWord = z.output<typeof captionWord>;

/** Captions from the request: a script without times, cues, or words with times. */
export type Captions =
  | { kind: 'script'; text: string }
  | { kind: 'cues'; cues: Cue[] }
  | { kind: 'words'; words: CaptionedWord[] };

/** Parses SubRip, WebVTT, ASS, words as JSON or a plain script; `problem` says why a text cannot be read. */
export function parseCaptions(source: string): Captions | { problem: string } {
  const text = source.replace(/^\uFEFF/, '').trim();
  if (text === '') return { problem: 'The text is blank' };
  if (/^\[\s*[{\]]|^\{\s*["}]/.test(text)) return parseWords(text);
  const fault = captionFault(source);
  if (fault !== null) return { problem: fault };
  const cues = isAss(text) ? (parseAss(text) ?? []) : parseSubtitles(text);
  if (cues === null && /^WEBVTT(\s|$)/.test(text)) return { problem: 'The WebVTT contains no cues' };
  if (cues === null) {
    const problem = wordExcess([text]);
    return problem === null ? { kind: 'script', text } : { problem };
  }
  if (cues.length === 0)
    return { problem: 'The text contains no caption that has words and does not end before it begins' };
  const problem = captionExcess(cues.map((cue) => cue.text));
  return problem === null ? { kind: 'cues', cues } : { problem };
}

function parseWords(text: string): Captions | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'The text starts like JSON but is not valid JSON' };
  }
  const list = Array.isArray(value) ? value : (value as { words?: unknown }).words;
  if (!Array.isArray(list) || list.length === 0) {
    const segments = !Array.isArray(value) && Array.isArray((value as { segments?: unknown }).segments);
    return {
      problem: segments
        ? `The JSON has \`segments\` in place of words. ${EXPECTED}; each may be a sentence, with no other fields`
        : EXPECTED,
    };
  }
  if (list.length > captionLimits.words) return { problem: tooManyWords(list.length) };
  const words: CaptionedWord[] = [];
  // Stops at the first invalid word; an array schema would collect issues for all of them.
  for (const [index, item] of list.entries()) {
    const word = captionWord.safeParse(item);
    if (!word.success) return { problem: `Word ${index + 1} is not valid. ${EXPECTED}` };
    words.push(word.data);
  }
  return { kind: 'words', words: inOrder(words) };
}

const EXPECTED = 'Give words as [{"start": 0.5, "end": 0.8, "text": "Hello"}, …]';

export function inOrder<Word extends TimedWord>(words: readonly Word[]): Word[] {
  return words.toSorted((a, b) => a.start - b.start);
}
