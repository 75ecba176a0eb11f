import { Mask } from '../visual/mask.ts';

/** A white square with round corners on black, as a binary PGM. */
export function roundedPicture(side: number, radius: number): Buffer {
  const mask = new Mask(side, side);
  mask.roundRect(0, 0, side, side, radius, 1);
  return Buffer.concat([Buffer.from(`P5\n${side} ${side}\n255\n`), mask.pixels]);
}
