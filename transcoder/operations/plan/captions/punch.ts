import { PUNCH_SIZE, PUNCH_WORDS, punchPresets } from '../../../../schema/media/caption-presets.ts';
import type { OperationInput } from '../../../../schema/operations/index.ts';
import type { Size } from '../geometry.ts';
import { type Drawn, POP } from './layout.ts';
import type { GroupRules } from './segmentation.ts';

type Input = OperationInput<'captions_auto'>;

export type CaptionLayout = Exclude<Input['layout'], 'auto'>;

/** @param picture Null if captions are not burned into one. */
export function layoutOf(
  { layout, preset, max_words = 0 }: Pick<Input, 'layout' | 'preset' | 'max_words'>,
  picture: Size | null,
): CaptionLayout {
  if (layout !== 'auto') return layout;
  const upright = picture !== null && picture.height > picture.width;
  return upright && punchPresets.includes(preset) && max_words <= PUNCH_WORDS ? 'punch' : 'phrase';
}

/** A `punch` word that is too wide shrinks to this factor before it is divided. Larger fonts of the request shrink in proportion. */
export function smallestPunch({ look }: Pick<Drawn, 'look'>): number {
  const own = Math.min(1, PUNCH_SIZE.least / Math.min(look.size, look.punch));
  // The layout also makes room for the word that pops up.
  return look.effect === 'pop' ? own * POP : own;
}

/** Lines are as wide as the picture allows, whatever the number of their letters. */
const CHARS = 24;

/** Captions follow one another without a gap, each as long as its words are spoken. */
export const punchRules = (
  input: Pick<Input, 'max_chars_per_line' | 'max_lines' | 'max_words'>,
): Pick<GroupRules, 'maxChars' | 'maxLines' | 'maxWords' | 'least' | 'pace' | 'gap' | 'evenness'> => ({
  maxChars: Math.min(input.max_chars_per_line, CHARS),
  maxLines: Math.min(input.max_lines, 2),
  maxWords: Math.min(input.max_words ?? PUNCH_WORDS, PUNCH_WORDS),
  ...{ least: 0.4, pace: Number.POSITIVE_INFINITY, gap: 0, evenness: 0.35 },
});
