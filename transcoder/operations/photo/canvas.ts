import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Chain, Filter } from '../../model/steps.ts';
import { onBlurred } from '../plan/blurred-background.ts';
import {
  cropped,
  evenNear,
  fitFilters,
  fitted,
  fittedWithin,
  isSameShape,
  type Rectangle,
  type Size,
} from '../plan/geometry.ts';
import { drawnColors, type StillPicture, stillChains } from '../plan/still-image.ts';
import { extentOf, type Path } from './easing.ts';

export type PhotoInput = OperationInput<'photo_animate'>;

/**
 * Canvas scale relative to the output. A larger canvas makes motion sharper, up to the photo's resolution, but is
 * slower.
 */
const [USUAL, MOST] = [1.25, 2];
const MOST_PIXELS = 16_000_000;
/** Margin of photo around the views for interpolation, in pixels. */
const AROUND = 4;

/** The part of a photo that its views need, scaled for rendering. */
interface Canvas {
  size: Size;
  /** In pixels of the photo; null if the canvas shows all of the photo or more. */
  crop: Rectangle | null;
  /** Converts units of views to pixels of the canvas. */
  x: { factor: number; offset: number };
  y: { factor: number; offset: number };
}

/** Size of one unit of a view in pixels of the photo. */
export function unitOf(photo: Size, result: Size, fill: PhotoInput['fill']): Size {
  if (fill !== 'cover') return photo;
  const width = Math.min(photo.width, (photo.height * result.width) / result.height);
  return { width, height: (width * result.height) / result.width };
}

export function canvasOf(photo: Size, result: Size, fill: PhotoInput['fill'], path: Path): Canvas {
  const closest = 1 / Math.min(path.from.side, path.to.side);
  if (fill !== 'cover') {
    const shown = fitted(photo, result, 'inside');
    const scale = scaleOf(photo.width / shown.width, closest);
    const size = { width: evenNear(result.width * scale), height: evenNear(result.height * scale) };
    return { size, crop: null, x: { factor: size.width, offset: 0 }, y: { factor: size.height, offset: 0 } };
  }
  const unit = unitOf(photo, result, fill);
  const extent = extentOf(path);
  const [left, width] = cut(extent.x, unit.width, photo.width);
  const [top, height] = cut(extent.y, unit.height, photo.height);
  const wanted = scaleOf(unit.width / result.width, closest);
  const pixels = ((width * height) / (unit.width * unit.height)) * result.width * result.height;
  const scale = Math.min(wanted, Math.sqrt(MOST_PIXELS / pixels));
  const size = {
    width: evenNear((width / unit.width) * result.width * scale),
    height: evenNear((height / unit.height) * result.height * scale),
  };
  return {
    size,
    crop: { x: left, y: top, width, height },
    x: { factor: (unit.width * size.width) / width, offset: (-left * size.width) / width },
    y: { factor: (unit.height * size.height) / height, offset: (-top * size.height) / height },
  };
}

/** Limited by the photo's resolution and by what the closest view needs. */
function scaleOf(given: number, closest: number): number {
  return Math.max(1, Math.min(given, MOST, Math.max(USUAL, closest)));
}

function cut([from, to]: [number, number], unit: number, length: number): [start: number, length: number] {
  const start = Math.max(0, 2 * Math.floor((from * unit - AROUND) / 2));
  const end = Math.min(length, 2 * Math.ceil((to * unit + AROUND) / 2));
  return [start, Math.max(Math.min(2, length), end - start)];
}

export interface Shown {
  size: Size;
  input: PhotoInput;
}

/** The single frame that the views of a photo are cut from. */
export function canvasChains(
  picture: StillPicture,
  canvas: Canvas,
  { size, input }: Shown,
  at: number,
  label: string,
): Chain[] {
  const upright = `${label}upright`;
  const upTo = stillChains(picture, at, upright, input.background);
  const fills = isSameShape(picture.size, size);
  if (input.fill === 'blur' && !fills) {
    const place = fittedWithin(picture.size, canvas.size);
    return [
      ...upTo,
      { from: [upright], filters: drawnColors(), to: [`${label}whole`] },
      ...onBlurred({ from: `${label}whole`, to: label }, picture.size, canvas.size, place, 'yuv420p'),
    ];
  }
  const sized: Filter[] = canvas.crop
    ? [
        cropped(canvas.crop),
        { name: 'scale', options: { w: canvas.size.width, h: canvas.size.height, flags: 'lanczos' } },
      ]
    : fitFilters(picture.size, canvas.size, fills ? 'stretch' : 'contain', true, input.background).filters;
  const one: Filter = { name: 'setsar', options: { sar: 1 } };
  return [...upTo, { from: [upright], filters: [...sized, one, ...drawnColors()], to: [label] }];
}
