import type { OperationInput } from '../../../../schema/operations/index.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import type { CaptionWord, Passage } from './words.ts';

type Colors = NonNullable<OperationInput<'captions_auto'>['speaker_colors']>;

/** Names are the same in any letter case, with any white space and with either apostrophe. */
const keyOf = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase().replaceAll('’', "'");

/**
 * Gives each word the color of its speaker. A list gives its colors to the speakers in the order in which they begin to speak,
 * again from the first one if there are more speakers. Throws `captions_invalid` if the captions name no speaker.
 */
export function inVoices(passages: readonly Passage[], colors: Colors | undefined): Passage[] {
  if (colors === undefined) return [...passages];
  const names = speakersOf(passages);
  if (names.length === 0) {
    const detail =
      'speaker_colors needs captions that say who speaks: words with a `speaker`, WebVTT with tags such as <v Ann>, or `speakers: detect` with captions that do not.';
    throw new TaskFailure('captions_invalid', detail);
  }
  const byName = Array.isArray(colors)
    ? new Map(names.map((name, index) => [name, colors[index % colors.length]]))
    : new Map(Object.entries(colors).map(([name, color]) => [keyOf(name), color]));
  const tinted = (word: CaptionWord): CaptionWord => {
    const tint = word.speaker === undefined ? undefined : byName.get(keyOf(word.speaker));
    return tint === undefined ? word : { ...word, tint };
  };
  return passages.map(({ words, shown }) => ({ words: words.map(tinted), shown }));
}

/** In the order in which they begin to speak. */
function speakersOf(passages: readonly Passage[]): string[] {
  return namesIn(passages.flatMap((passage) => passage.words).toSorted((a, b) => a.start - b.start));
}

/** Each speaker of some words once, in their order and in lower case. */
export const namesIn = (words: readonly Pick<CaptionWord, 'speaker'>[]): string[] => [
  ...new Set(words.flatMap(({ speaker }) => (speaker === undefined ? [] : [keyOf(speaker)]))),
];

/** Whether two neighbouring words are said by different speakers. */
export const speakerChanges = (one: CaptionWord, next: CaptionWord): boolean =>
  one.speaker !== undefined && next.speaker !== undefined && keyOf(one.speaker) !== keyOf(next.speaker);
