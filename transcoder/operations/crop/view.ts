import type { Anchor } from '../../../schema/operations/fields/fields.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import type { Spot, Subject } from '../../model/subject.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { PathPoint } from '../plan/camera/camera-path.ts';
import { type FoundAim, foundAim, pathFollowing } from '../plan/camera/follow.ts';
import { encodedFields, FIELD_LINES } from '../plan/deinterlace.ts';
import { anchored, displaySize, evenSize, fitted, type Rectangle, type Size } from '../plan/geometry.ts';
import { micros } from '../plan/require-streams.ts';

/** Least side of a rectangle, in pixels: pictures have even sides. */
const LEAST_SIDE = 2;

export type CropInput = OperationInput<'crop'>;

/** What is kept of the picture. */
export interface View {
  /** At the start, if it moves. */
  rectangle: Rectangle;
  path: PathPoint[] | null;
  /** Where the subject is, as shares of the picture's sides; null if it was not looked for. */
  focus: FoundAim | null;
}

/** The anchor where nothing is looked for. */
export const fixedAnchor = ({ anchor }: CropInput): Anchor => (anchor === 'auto' ? 'center' : anchor);

/** Throws `crop_out_of_bounds`. */
export function viewOf(
  input: CropInput,
  video: VideoStream,
  subject: Subject | undefined,
  duration: number,
): View {
  const picture = displaySize(video);
  const natural = kept(input, video, null);
  if (input.path) {
    for (const [index, point] of input.path.entries()) checkPoint(index, point, natural, picture);
    return { rectangle: startOf(natural, input.path), path: input.path, focus: null };
  }
  if (!subject) return { rectangle: natural, path: null, focus: null };
  const frame = { picture, crop: natural, duration };
  const focus = foundAim(subject, frame);
  if (input.follow !== 'subject') {
    return { rectangle: focus.by === 'center' ? natural : kept(input, video, focus), path: null, focus };
  }
  const path = pathFollowing(subject, frame);
  return { rectangle: startOf(natural, path), path, focus };
}

const startOf = (size: Size, [first]: readonly PathPoint[]): Rectangle => ({
  ...{ x: first?.x ?? 0, y: first?.y ?? 0 },
  ...{ width: size.width, height: size.height },
});

function checkPoint(index: number, { x, y }: Spot, { width, height }: Size, picture: Size): void {
  if (x + width <= picture.width && y + height <= picture.height) return;
  const detail = `\`path[${index}]\` is at x ${x}, y ${y}, but a crop of ${width} × ${height} px can be at most at x ${picture.width - width}, y ${picture.height - height} of the displayed picture (${picture.width} × ${picture.height} px).`;
  throw new TaskFailure('crop_out_of_bounds', detail, { sourceIndex: 0 });
}

/** The top left corner, at even pixels, of a crop that has a spot in its middle as far as the picture reaches. */
function aimedAt(spot: Spot, picture: Size, crop: Size): { x: number; y: number } {
  const along = (middle: number, long: number, own: number) =>
    Math.min(long - own, Math.max(0, 2 * Math.round((middle * long - own / 2) / 2)));
  return {
    x: along(spot.x, picture.width, crop.width),
    y: along(spot.y, picture.height, crop.height),
  };
}

/**
 * The part of the displayed picture to keep, at whole lines of both fields if they are kept. Throws `crop_out_of_bounds`.
 * @param middle What to put in the middle, as shares of the picture's sides, if the request leaves it open.
 */
export function kept(input: CropInput, video: VideoStream, middle: Spot | null): Rectangle {
  const natural = keptFrame(input, video);
  const rectangle = middle ? { ...natural, ...aimedAt(middle, displaySize(video), natural) } : natural;
  if (!encodedFields(video)) return rectangle;
  const y = rectangle.y - (rectangle.y % FIELD_LINES);
  const bottom = rectangle.y + rectangle.height;
  return { ...rectangle, y, height: Math.max(FIELD_LINES, bottom - (bottom % FIELD_LINES) - y) };
}

type Length = number | string | undefined;

/** One side of a rectangle in pixels. Of percentages both edges are rounded: what is asked for as the rest of a side is its rest. */
function extent(from: Length, length: Length, side: number): { at: number; length: number } {
  const exact = (value: Exclude<Length, undefined>) =>
    typeof value === 'number' ? value : (Number.parseFloat(value) / 100) * side;
  const start = exact(from ?? 0);
  const at = Math.round(start);
  if (length === undefined) return { at, length: side - at };
  if (typeof length === 'number') return { at, length };
  return { at, length: Math.round(micros(start + exact(length))) - at };
}

function keptFrame(input: CropInput, video: VideoStream): Rectangle {
  const whole = displaySize(video);
  if (input.aspect_ratio !== undefined) {
    if (input.fill !== 'crop') return { x: 0, y: 0, ...whole };
    const [w = 1, h = 1] = input.aspect_ratio.split(':').map(Number);
    // Otherwise an odd side would be rounded up for one side of the crop and down for the other.
    const inside = fitted({ width: w, height: h }, evenSize(whole), 'inside');
    const size = {
      width: Math.min(inside.width, whole.width),
      height: Math.min(inside.height, whole.height),
    };
    return { ...anchored(fixedAnchor(input), whole, size), ...size };
  }
  const [across, down] = [
    extent(input.x, input.width, whole.width),
    extent(input.y, input.height, whole.height),
  ];
  // The rest of a side beyond its end is no length.
  const rectangle = {
    ...{ x: across.at, y: down.at },
    ...{ width: Math.max(0, across.length), height: Math.max(0, down.length) },
  };
  checkRectangle(rectangle, whole);
  return rectangle;
}

function checkRectangle({ x, y, width, height }: Rectangle, picture: Size): void {
  const isOutside = x + width > picture.width || y + height > picture.height;
  if (!isOutside && width >= LEAST_SIDE && height >= LEAST_SIDE) return;
  const [size, all] = [
    `${width} × ${height} px at x ${x}, y ${y}`,
    `${picture.width} × ${picture.height} px`,
  ];
  const detail = isOutside
    ? `The rectangle is ${size}, but the displayed picture is only ${all}.`
    : `The rectangle is ${size} of the displayed picture (${all}). Its sides must be at least ${LEAST_SIDE} px.`;
  throw new TaskFailure('crop_out_of_bounds', detail, { sourceIndex: 0 });
}
