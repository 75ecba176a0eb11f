import type { TimedWord } from '../../schema/media/captions.ts';
import type { WordStyle } from '../../schema/media/cue-markup.ts';
import type { Pronunciations } from '../../schema/media/spoken-text.ts';
import type { Cue } from '../../schema/media/subtitles.ts';

/** A text of the caller, and the format to parse it as. */
export type TextRequest = { field: string; text: string } & (
  | { as: 'captions' }
  | { as: 'script'; pronunciations: Pronunciations }
);

export type TextRead = { as: 'captions'; captions: GivenCaptions } | { as: 'script'; script: Script };

/** A word of a caption. */
export interface CaptionWord extends TimedWord, WordStyle {
  /** Whether it follows the previous word without a space, as in Chinese or Thai. */
  glued: boolean;
  /** Color of its speaker, as `#rrggbb`. Its own color or that of a keyword takes precedence. */
  tint?: string;
  /** Shown over it when it is said. */
  emoji?: string;
}

/** Words that form captions together, with their own times if the caller gave any. */
export interface Passage {
  words: CaptionWord[];
  /** Seconds; null if only the words have times. */
  shown: { start: number; end: number } | null;
}

/** The caller's captions: a script, whose times come from transcribing the speech, or words with times. */
export type GivenCaptions = { kind: 'script'; text: string } | { kind: 'timed'; passages: Passage[] };

export interface Sentence {
  text: string;
  /** Seconds until the next one, if there is time. */
  pause: number;
}

/** A script to speak: timed cues with and without speakable text, or untimed sentences. */
export type Script =
  | { kind: 'cues'; said: Cue[]; unsaid: Cue[] }
  | { kind: 'sentences'; sentences: Sentence[] };
