import type { Chain } from '../../model/steps.ts';
import { anchored, cropped, evenNear, fitted, type Rectangle, type Size, scaled } from './geometry.ts';
import { overlayFormat } from './joints/joint.ts';

/** Places a picture on a canvas filled with a blurred copy of it. Intermediate labels begin with `from`. */
export function onBlurred(
  label: { from: string; to: string },
  picture: Size,
  canvas: Size,
  place: Rectangle,
  pixelFormat: string,
): Chain[] {
  const { from, to } = label;
  const small = { width: evenNear(canvas.width / 8), height: evenNear(canvas.height / 8) };
  const filled = fitted(picture, small, 'around');
  return [
    { from: [from], filters: [{ name: 'split' }], to: [`${from}front`, `${from}behind`] },
    {
      from: [`${from}behind`],
      filters: [
        ...scaled(filled),
        cropped({ ...anchored('center', filled, small), ...small }),
        { name: 'gblur', options: { sigma: 6 } },
        { name: 'eq', options: { brightness: -0.06 } },
        ...scaled(canvas),
      ],
      to: [`${from}blurred`],
    },
    { from: [`${from}front`], filters: scaled(place), to: [`${from}sharp`] },
    {
      from: [`${from}blurred`, `${from}sharp`],
      filters: [
        {
          name: 'overlay',
          options: { x: place.x, y: place.y, format: overlayFormat({ pixelFormat }) },
        },
        { name: 'setsar', options: { sar: 1 } },
      ],
      to: [to],
    },
  ];
}
