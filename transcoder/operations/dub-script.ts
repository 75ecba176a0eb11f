import type { OperationInput } from '../../schema/operations/index.ts';
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

/** The lines of a request, in order: captions and segments one each, a plain text by its sentences. */
export function linesOf(input: Input, videoSeconds: number): Line[] {
  const named = <T>(lines: readonly T[]) => lines.map((line, index) => ({ id: `line${index}`, ...line }));
  const { segments, script = '', voice_id: voiceId } = input;
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
  const cues = parseSubtitles(script);
  if (cues) return named(cues.map(({ start, end, text }) => ({ text, slot: { start, end }, voiceId })));
  return named(sentencesOf(script).map((text) => ({ text, slot: null, voiceId })));
}

/** A plain text by sentences, as Unicode divides it (UAX 29), and by its blank lines. */
export function sentencesOf(text: string): string[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => [...segmenter.segment(paragraph.replace(/\s+/g, ' '))])
    .map(({ segment }) => segment.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** The text with words spelled as they are to sound. */
export function pronounced(text: string, pronunciations: Readonly<Record<string, string>>): string {
  const words = Object.keys(pronunciations).sort((a, b) => b.length - a.length);
  if (words.length === 0) return text;
  const spelled = new Map(words.map((word) => [word.toLowerCase(), pronunciations[word] ?? word]));
  const any = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const whole = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${any})(?![\p{L}\p{N}])`, 'giu');
  return text.replace(whole, (word) => spelled.get(word.toLowerCase()) ?? word);
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
