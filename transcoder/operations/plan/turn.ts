import { filtersText } from '../../model/filter-text.ts';
import type { Filter } from '../../model/steps.ts';
import type { Size } from './geometry.ts';

/** How a displayed picture is turned clockwise, and then mirrored. */
export interface Turn {
  rotate: 0 | 90 | 180 | 270;
  flip: 'none' | 'horizontal' | 'vertical';
}

export const UPRIGHT: Turn = { rotate: 0, flip: 'none' };

export const rotations: Record<Turn['rotate'], Filter[]> = {
  0: [],
  90: [{ name: 'transpose', options: { dir: 'clock' } }],
  180: [{ name: 'hflip' }, { name: 'vflip' }],
  270: [{ name: 'transpose', options: { dir: 'cclock' } }],
};

const flips: Record<Turn['flip'], Filter[]> = {
  none: [],
  horizontal: [{ name: 'hflip' }],
  vertical: [{ name: 'vflip' }],
};

export const turnFilters = ({ rotate, flip }: Turn): Filter[] => [...rotations[rotate], ...flips[flip]];

export const turnedSize = ({ width, height }: Size, { rotate }: Turn): Size =>
  rotate % 180 === 0 ? { width, height } : { width: height, height: width };

/** How verification turns frames of the source before it compares them. */
export function turnedBy(turn: Turn): { turn?: string } {
  const filters = turnFilters(turn);
  return filters.length > 0 ? { turn: filtersText(filters) } : {};
}
