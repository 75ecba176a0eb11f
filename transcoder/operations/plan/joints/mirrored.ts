import type { Filter } from '../../../model/steps.ts';
import type { Size } from '../geometry.ts';

/** Sides of the border must be whole chroma samples, or the picture moves against its colors. */
const UNIT = 4;

/** The size after `mirrored`: at least `least`, with the same border on opposite sides. */
export function mirroredSize(size: Size, least: Size): Size {
  const side = (own: number, wanted: number) =>
    own + 2 * UNIT * Math.ceil(Math.max(0, wanted - own) / 2 / UNIT);
  return { width: side(size.width, least.width), height: side(size.height, least.height) };
}

/** Surrounds a picture with its mirror images. A border is at most as wide as the picture, so a wide one takes several. */
export function mirrored(size: Size, least: Size): Filter[] {
  const whole = mirroredSize(size, least);
  const filters: Filter[] = [];
  for (let from = size; from.width < whole.width || from.height < whole.height; ) {
    const border = (own: number, wanted: number) =>
      Math.min((wanted - own) / 2, UNIT * Math.floor(own / UNIT));
    const [x, y] = [border(from.width, whole.width), border(from.height, whole.height)];
    if (x <= 0 && y <= 0) throw new Error('a picture without a whole chroma sample has no mirror image');
    const [w, h] = [from.width + 2 * x, from.height + 2 * y];
    filters.push(
      { name: 'pad', options: { w, h, x, y } },
      { name: 'fillborders', options: { left: x, right: x, top: y, bottom: y, mode: 'mirror' } },
    );
    from = { width: w, height: h };
  }
  return filters;
}
