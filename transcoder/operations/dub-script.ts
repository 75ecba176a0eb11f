import type { OperationInput } from '../../schema/operations/index.ts';
import { isSayable, type Pronunciations } from '../../schema/spoken-text.ts';
import { type Cue, parseSubtitles } from '../../schema/subtitles.ts';

type Input = OperationInput<'redub_tts'>;

/** A text to be spoken in one go. */
export interface Line {
  /** Names its files. */
  id: string;
  text: string;
  /** Seconds of the video; null for one that follows the line before it. */
  slot: { start: number; end: number } | null;
  voiceId: string | undefined;
}

/**
 * The lines of a request, in order: captions and segments one each, a plain text by its sentences; captions and sentences that
 * have nothing to say are left out.
 */
export function linesOf(input: Input, videoSeconds: number): Line[] {
  const named = <T>(lines: readonly T[]) => lines.map((line, index) => ({ id: `line${index}`, ...line }));
  const { segments, script = '', voice_id: voiceId, pronunciations } = input;
  if (segments) {
    return named(
      segments.map(({ start, end, text, voice_id }, index) => {
        const until = end ?? segments[index + 1]?.start ?? videoSeconds;
        return {
          text: text.replace(/\s+/g, ' ').trim(),
          slot: { start, end: Math.max(until, start + 0.001) },
          voiceId: voice_id ?? voiceId,
        };
      }),
    );
  }
  const cues = parseSubtitles(script)?.filter(({ text }) => isSayable(text, pronunciations));
  if (cues) return named(cues.map(({ start, end, text }) => ({ text, slot: { start, end }, voiceId })));
  return named(sentencesOf(script, pronunciations).map((text) => ({ text, slot: null, voiceId })));
}

/** The captions of a script that have nothing to say, such as ♪. */
export function unsaidOf({ script = '', pronunciations }: Input): Cue[] {
  return (parseSubtitles(script) ?? []).filter(({ text }) => !isSayable(text, pronunciations));
}

/** A plain text by sentences, as Unicode divides it (UAX 29), and by its blank lines. */
export function sentencesOf(text: string, pronunciations: Pronunciations = {}): string[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => [...segmenter.segment(paragraph.replace(/\s+/g, ' '))])
    .map(({ segment }) => segment.trim())
    .filter((sentence) => isSayable(sentence, pronunciations));
}

const LINE = 42;
const LINES = 2;

/**
 * A spoken line as captions of at most two lines of 42 characters; one that takes more is divided, its time by the share of
 * its letters.
 */
export function captionsOf({ start, end, text }: Cue): Cue[] {
  const rows = rowsOf(text);
  const count = Math.ceil(rows.length / LINES);
  const per = Math.ceil(rows.length / count);
  const blocks = Array.from({ length: count }, (_, index) => rows.slice(index * per, (index + 1) * per));
  const letters = blocks.map((block) => block.join('').length);
  const all = letters.reduce((sum, length) => sum + length, 0);
  let said = 0;
  return blocks.map((block, index) => {
    const from = start + ((end - start) * said) / all;
    said += letters[index] ?? 0;
    return { start: from, end: start + ((end - start) * said) / all, text: block.join('\n') };
  });
}

function rowsOf(text: string): string[] {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const row = rows.at(-1);
    if (row !== undefined && row.length + 1 + word.length <= LINE) rows[rows.length - 1] = `${row} ${word}`;
    else rows.push(word);
  }
  return rows;
}
