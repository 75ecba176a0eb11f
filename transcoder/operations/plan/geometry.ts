import type { Anchor, Fit } from '../../../schema/operations/fields/fields.ts';
import type { Place, Region } from '../../model/plan.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import type { Filter } from '../../model/steps.ts';

export interface Size {
  width: number;
  height: number;
}

export interface Rectangle extends Size {
  x: number;
  y: number;
}

export const WHOLE: Region = { x: 0, y: 0, width: 1, height: 1 };

/** Whether `to` is `from` without an odd last row or column, which is then cut off: resizing for it would blur every pixel. */
export const isEvenPart = (from: Size, to: Size) =>
  isEvenSide(from.width, to.width) && isEvenSide(from.height, to.height);

/** A side of one pixel has no even part. */
const isEvenSide = (from: number, to: number) => to <= from && evenDown(from) === to;

/** Cuts off an odd last row and column; see `isEvenPart`. */
export const evenFilters = (from: Size, to: Size): Filter[] => [
  ...(from.width === to.width && from.height === to.height ? [] : [cropped({ x: 0, y: 0, ...to })]),
  { name: 'setsar', options: { sar: 1 } },
];

/** Converts a rectangle to shares of the picture's sides. */
export const shareOf = ({ x, y, width, height }: Rectangle, of: Size): Region => ({
  ...{ x: x / of.width, y: y / of.height },
  ...{ width: width / of.width, height: height / of.height },
});

/** Which part of a picture is visible, and where, after `fitFilters` has resized it. */
export function placeOf(from: Size, to: Size, fit: Fit | 'blur'): Place {
  if (isEvenPart(from, to)) return { of: shareOf({ x: 0, y: 0, ...to }, from), at: WHOLE };
  if (fit === 'stretch') return { of: WHOLE, at: WHOLE };
  if (fit !== 'cover') return { of: WHOLE, at: shareOf(fittedWithin(from, to), to) };
  const larger = fitted(from, to, 'around');
  return { of: shareOf({ ...anchored('center', larger, to), ...to }, larger), at: WHOLE };
}

export const evenDown = (side: number) => Math.max(2, Math.floor(side / 2) * 2);
export const evenSize = ({ width, height }: Size): Size => ({
  width: evenDown(width),
  height: evenDown(height),
});
export const evenNear = (side: number) => Math.max(2, Math.round(side / 2) * 2);

/** Without an odd last row and column. */
export const withoutOdd = ({ width, height }: Size): Size => ({
  ...{ width: width - (width % 2), height: height - (height % 2) },
});

/** Position of `inner` in `outer` in whole pixels; even if centered, to align with chroma samples. */
export function anchored(anchor: Anchor, outer: Size, inner: Size): { x: number; y: number } {
  const along = (room: number, low: boolean, high: boolean) =>
    low ? 0 : high ? room : Math.floor(room / 4) * 2;
  return {
    x: along(outer.width - inner.width, anchor.includes('left'), anchor.includes('right')),
    y: along(outer.height - inner.height, anchor.startsWith('top'), anchor.startsWith('bottom')),
  };
}

/** The requested size; a missing side follows the aspect ratio of `from`. Null if no size is requested. */
export function askedSize(
  from: Size,
  asked: { width?: number | undefined; height?: number | undefined },
): Size | null {
  const { width, height } = asked;
  if (width !== undefined && height !== undefined) return evenSize({ width, height });
  if (width !== undefined)
    return { width: evenDown(width), height: evenNear((evenDown(width) * from.height) / from.width) };
  if (height !== undefined)
    return { width: evenNear((evenDown(height) * from.width) / from.height), height: evenDown(height) };
  return null;
}

/** The largest size with the aspect ratio of `inner` inside `outer`, or the smallest around it; even unless `outer` is not. */
export function fitted(inner: Size, outer: Size, how: 'inside' | 'around'): Size {
  const bound = how === 'inside' ? Math.min : Math.max;
  const scale = bound(outer.width / inner.width, outer.height / inner.height);
  return {
    width: bound(evenNear(inner.width * scale), outer.width),
    height: bound(evenNear(inner.height * scale), outer.height),
  };
}

/** The place of the largest picture with the aspect ratio of `inner` in `outer`. */
export function fittedWithin(inner: Size, outer: Size, anchor: Anchor = 'center'): Rectangle {
  const size = fitted(inner, outer, 'inside');
  return { ...anchored(anchor, outer, size), ...size };
}

/** Whether two sizes have the same aspect ratio, up to the rounding of their sides. */
export const isSameShape = (a: Size, b: Size) =>
  Math.abs((a.width * b.height) / (a.height * b.width) - 1) < 0.005;

export function scaled(size: Size): Filter[] {
  return [
    { name: 'scale', options: { w: size.width, h: size.height, flags: 'bicubic' } },
    { name: 'setsar', options: { sar: 1 } },
  ];
}

export function cropped({ x, y, width, height }: Rectangle): Filter {
  return { name: 'crop', options: { w: width, h: height, x, y, exact: 1 } };
}

export function padded(outer: Size, at: { x: number; y: number }, color: string): Filter {
  return {
    name: 'pad',
    options: { w: outer.width, h: outer.height, x: at.x, y: at.y, color: color.replace('#', '0x') },
  };
}

/**
 * Resizes a picture from `from` (square pixels) to `to`. `contain` with bars fills the rest with `background`; without
 * bars one side ends up smaller.
 */
export function fitFilters(
  from: Size,
  to: Size,
  fit: Fit,
  bars: boolean,
  background = '#000000',
): { filters: Filter[]; size: Size } {
  if (fit === 'stretch') return { filters: scaled(to), size: to };
  if (fit === 'cover') {
    const size = fitted(from, to, 'around');
    const at = anchored('center', size, to);
    return { filters: [...scaled(size), cropped({ ...to, ...at })], size: to };
  }
  if (!bars) {
    const size = fitted(from, to, 'inside');
    return { filters: scaled(size), size };
  }
  const inside = fittedWithin(from, to);
  return { filters: [...scaled(inside), padded(to, inside, background)], size: to };
}

/** The coded size of a picture as players turn it. */
export const uprightSize = ({ width, height, rotation }: Pick<VideoStream, keyof Size | 'rotation'>): Size =>
  rotation % 180 === 0 ? { width, height } : { width: height, height: width };

/** The size at which players show a picture. */
export const displaySize = ({
  displayWidth,
  displayHeight,
}: Pick<VideoStream, 'displayWidth' | 'displayHeight'>): Size => ({
  width: displayWidth,
  height: displayHeight,
});

/** Makes pixels square. ffmpeg has already rotated the picture upright. */
export function upright(video: VideoStream): Filter[] {
  if (video.sar === 1) return [{ name: 'setsar', options: { sar: 1 } }];
  return scaled(displaySize(video));
}
