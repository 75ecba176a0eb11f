import type { VideoStream } from '../../model/source/video-stream.ts';
import type { Filter } from '../../model/steps.ts';
import { type PathPoint, piecesOf, placeText, roundedPlace, stillSpans } from '../plan/camera/camera-path.ts';
import { displaySize, type Rectangle } from '../plan/geometry.ts';
import { chromaIn } from '../plan/video-target.ts';

/** Shorter stretches of a path are not compared with the source, in frames. */
const LEAST_FRAMES = 4;

/** A crop at the place that the path has at each frame's time, rounded to whole chroma samples. */
export function movingCrop(size: Rectangle, path: readonly PathPoint[], video: VideoStream): Filter {
  const picture = displaySize(video);
  const [across, down] = chromaIn(video);
  return {
    name: 'crop',
    options: {
      w: size.width,
      h: size.height,
      x: placeText(piecesOf(path, 'x'), picture.width - size.width, across),
      y: placeText(piecesOf(path, 'y'), picture.height - size.height, down),
      exact: 1,
    },
  };
}

/** The spans of at least a few frames in which the crop stands, and what it shows in them. */
export function stillViews(
  size: Rectangle,
  path: readonly PathPoint[],
  video: VideoStream,
  duration: number,
): { from: number; to: number; kept: Rectangle }[] {
  const picture = displaySize(video);
  const [across, down] = chromaIn(video);
  return stillSpans(path, duration, LEAST_FRAMES * video.frameDuration).map(({ from, to, x, y }) => ({
    ...{ from, to },
    kept: {
      ...size,
      x: roundedPlace(x, picture.width - size.width, across),
      y: roundedPlace(y, picture.height - size.height, down),
    },
  }));
}
