import type { TimedWord } from '../../schema/media/captions.ts';
import type { Pronunciations } from '../../schema/media/spoken-text.ts';
import type { Cue } from '../../schema/media/subtitles.ts';

/** A text of the caller, and what it is to be read as. */
export type TextRequest = { field: string; text: string } & (
  | { as: 'captions' }
  | { as: 'script'; pronunciations: Pronunciations }
);

/** What was read of it. */
export type TextRead = { as: 'captions'; captions: GivenCaptions } | { as: 'script'; script: Script };

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

/** Captions of a caller: a script, whose times are found by listening, or words with times. */
export type GivenCaptions = { kind: 'script'; text: string } | { kind: 'timed'; passages: Passage[] };

/** A script to be spoken: captions with and without something to say, or sentences without times. */
export type Script =
  | { kind: 'cues'; said: Cue[]; unsaid: Cue[] }
  | { kind: 'sentences'; sentences: string[] };
