import { parseCaptions } from '../../../schema/media/captions.ts';
import { isSayable, type Pronunciations } from '../../../schema/media/spoken-text.ts';
import type { Cue } from '../../../schema/media/subtitles.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import { MAX_SENTENCES } from '../../../schema/operations/redub-tts.ts';
import { goesOn } from '../../model/abbreviations.ts';
import type { Brought } from '../../model/plan.ts';
import type { Script, Sentence, TextRequest } from '../../model/read-text.ts';
import { wordsOfText } from '../../model/segment-words.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { lengthOf } from '../plan/captions/line-breaking.ts';

type Input = OperationInput<'redub_tts'>;

/** A text to be spoken in one go. */
export interface Line {
  /** Prefix of its file names. */
  id: string;
  text: string;
  /** In seconds of the video; null if it follows the previous line. */
  slot: { start: number; end: number } | null;
  /** Seconds until the next line, if there is time; 0 for lines with a slot. */
  pause: number;
  voiceId: string | undefined;
}

/**
 * The lines of a request, in order: one per caption or segment, or per sentence of a plain text. Captions and sentences
 * without speakable text are left out, and so are captions that are `tooLate`, unless there are no others.
 */
export function linesOf(input: Input, videoSeconds: number, script = scriptOf(input)): Line[] {
  const named = <T>(lines: readonly T[]) => lines.map((line, index) => ({ id: `line${index}`, ...line }));
  const { segments, voice_id: voiceId } = input;
  if (segments) {
    return named(
      segments.map(({ start, end, text, voice_id }, index) => {
        const until = end ?? segments[index + 1]?.start ?? videoSeconds;
        return {
          text: text.replace(/\s+/g, ' ').trim(),
          slot: { start, end: Math.max(until, start + 0.001) },
          pause: 0,
          voiceId: voice_id ?? voiceId,
        };
      }),
    );
  }
  if (script.kind === 'sentences')
    return named(script.sentences.map((sentence) => ({ ...sentence, slot: null, voiceId })));
  const late = new Set(tooLate(script, videoSeconds));
  const inTime = script.said.filter((cue) => !late.has(cue));
  return named(
    (inTime.length > 0 ? inTime : script.said).map(({ start, end, text }) => ({
      ...{ text: text.replace(/\s+/g, ' '), slot: { start, end }, pause: 0, voiceId },
    })),
  );
}

/** The script of a request as text; null if it has segments instead. */
export function scriptText({ script, pronunciations }: Input): TextRequest | null {
  return script === undefined ? null : { as: 'script', field: 'script', text: script, pronunciations };
}

/**
 * Splits captions into those with speakable text and others, such as ♪; or a plain text into sentences. Throws
 * `captions_invalid`.
 */
export function readScript(text: string, pronunciations: Pronunciations): Script {
  const parsed = parseCaptions(text);
  if ('problem' in parsed) throw new TaskFailure('captions_invalid', `script: ${parsed.problem}.`);
  if (parsed.kind === 'script') {
    const sentences = sentencesOf(text, pronunciations);
    if (sentences.length <= MAX_SENTENCES) return { kind: 'sentences', sentences };
    const detail = `script: The text has ${sentences.length} sentences; at most ${MAX_SENTENCES} are allowed. Divide it into several requests.`;
    throw new TaskFailure('captions_invalid', detail);
  }
  const cues = parsed.kind === 'cues' ? parsed.cues : parsed.words;
  const sayable = cues.map((cue) => isSayable(cue.text, pronunciations));
  return {
    kind: 'cues',
    said: cues.filter((_, index) => sayable[index]),
    unsaid: cues.filter((_, index) => !sayable[index]),
  };
}

/** The script of a request, unless it was parsed ahead of planning. */
export function scriptOf({ script, pronunciations }: Input, brought?: Brought): Script {
  if (brought?.read?.as === 'script') return brought.read.script;
  return script === undefined ? { kind: 'sentences', sentences: [] } : readScript(script, pronunciations);
}

/** Captions of a script without speakable text, such as ♪. */
export const unsaidOf = (input: Input, script = scriptOf(input)): Cue[] =>
  script.kind === 'cues' ? script.unsaid : [];

/** Captions without a duration that begin when the video has ended, as speech recognition writes some for its end. */
export const tooLate = (script: Script, videoSeconds: number): Cue[] =>
  script.kind === 'cues'
    ? script.said.filter(({ start, instant }) => instant === true && start >= videoSeconds)
    : [];

/** Pauses in seconds: after a paragraph, and after a sentence by the mark at its end. */
const PARAGRAPH = 0.8;
const pauses: Readonly<Record<string, number>> = { '…': 0.7, '?': 0.55, '!': 0.55, '？': 0.55, '！': 0.55 };
const SENTENCE = 0.45;

/** Splits a plain text into sentences (UAX 29) and at blank lines. */
export function sentencesOf(text: string, pronunciations: Pronunciations = {}): Sentence[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  return text.split(/\n\s*\n/).flatMap((paragraph) => {
    const segments = [...segmenter.segment(paragraph.replace(/\s+/g, ' '))];
    const sentences = joined(segments.map(({ segment }) => segment.trim())).filter((sentence) =>
      isSayable(sentence, pronunciations),
    );
    return sentences.map((sentence, index) => ({
      text: sentence,
      pause: index === sentences.length - 1 ? PARAGRAPH : pauseAfter(sentence),
    }));
  });
}

/** UAX 29 also ends sentences in "Mr. Smith" and "am 3. Mai". */
function joined(segments: readonly string[]): string[] {
  const sentences: string[][] = [];
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1];
    if (before !== undefined && goesOn(before, segment)) sentences.at(-1)?.push(segment);
    else sentences.push([segment]);
  }
  return sentences.map((parts) => parts.join(' '));
}

/** By the last mark, before quotes and brackets that close the sentence. */
function pauseAfter(sentence: string): number {
  const [mark = ''] = /[^\s"'”’»)\]](?=["'”’»)\]]{0,8}$)/u.exec(sentence.slice(-12)) ?? [];
  return sentence.endsWith('...') ? (pauses['…'] ?? SENTENCE) : (pauses[mark] ?? SENTENCE);
}

const LINE = 42;
const LINES = 2;

/**
 * A spoken line as captions of at most two lines of 42 characters, of which wide ones count twice. A longer one is split, with times in proportion to
 * the letters.
 */
export function captionsOf({ start, end, text }: Cue): Cue[] {
  const rows = rowsOf(text);
  const count = Math.ceil(rows.length / LINES);
  const per = Math.ceil(rows.length / count);
  const blocks = Array.from({ length: count }, (_, index) => rows.slice(index * per, (index + 1) * per));
  const letters = blocks.map((block) => block.join('').length);
  const all = letters.reduce((sum, length) => sum + length, 0);
  let passed = 0;
  return blocks.map((block, index) => {
    const from = start + ((end - start) * passed) / all;
    passed += letters[index] ?? 0;
    return { start: from, end: start + ((end - start) * passed) / all, text: block.join('\n') };
  });
}

function rowsOf(text: string): string[] {
  const rows: string[] = [];
  for (const { text: word, glued } of wordsOfText(text)) {
    const row = rows.at(-1);
    const longer = `${row}${glued ? '' : ' '}${word}`;
    if (row !== undefined && lengthOf(longer) <= LINE) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}
