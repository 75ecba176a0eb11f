import type { Anchor } from '../../../../schema/operations/fields/fields.ts';
import type { OperationInput } from '../../../../schema/operations/index.ts';
import type { Size } from '../geometry.ts';

type Input = OperationInput<'captions_auto'>;

/** Margins for captions, in pixels from the edges of the picture. */
export interface CaptionPlace {
  picture: Size;
  left: number;
  right: number;
  top: number;
  bottom: number;
  horizontal: 'left' | 'center' | 'right';
  vertical: 'top' | 'middle' | 'bottom';
}

/** Shares of the picture covered by a player's controls and text. */
const covered: Record<Input['safe_area'], Record<'left' | 'right' | 'top' | 'bottom', number>> = {
  none: { left: 0.05, right: 0.05, top: 0.05, bottom: 0.06 },
  tiktok: { left: 0.06, right: 0.13, top: 0.09, bottom: 0.2 },
  reels: { left: 0.05, right: 0.11, top: 0.13, bottom: 0.21 },
  shorts: { left: 0.05, right: 0.13, top: 0.1, bottom: 0.22 },
};

const verticals: Record<Anchor, CaptionPlace['vertical']> = {
  ...{ top_left: 'top', top: 'top', top_right: 'top' },
  ...{ left: 'middle', center: 'middle', right: 'middle' },
  ...{ bottom_left: 'bottom', bottom: 'bottom', bottom_right: 'bottom' },
};

const horizontals: Record<Anchor, CaptionPlace['horizontal']> = {
  ...{ top_left: 'left', left: 'left', bottom_left: 'left' },
  ...{ top: 'center', center: 'center', bottom: 'center' },
  ...{ top_right: 'right', right: 'right', bottom_right: 'right' },
};

export function placeOf(
  { position, safe_area }: Pick<Input, 'safe_area'> & { position: Anchor },
  picture: Size,
): CaptionPlace {
  const { left, right, top, bottom } = covered[safe_area];
  const { width, height } = picture;
  return {
    picture,
    ...{ left: Math.round(left * width), right: Math.round(right * width) },
    ...{ top: Math.round(top * height), bottom: Math.round(bottom * height) },
    ...{ horizontal: horizontals[position], vertical: verticals[position] },
  };
}

/** Height between the margins. A caption in the middle reaches equally far up and down. */
export const heightIn = ({ picture, top, bottom, vertical }: CaptionPlace): number =>
  picture.height - (vertical === 'middle' ? 2 * Math.max(top, bottom) : top + bottom);

/** ASS alignment, numbered like a numeric keypad. */
export function alignmentOf({ horizontal, vertical }: CaptionPlace): number {
  return { bottom: 1, middle: 4, top: 7 }[vertical] + { left: 0, center: 1, right: 2 }[horizontal];
}
