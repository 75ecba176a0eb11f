import type { SourceModel, SourcePictures } from './source-model.ts';

/** Seconds of a source to be kept, counted from what a player shows first. */
export interface Asked {
  start: number;
  end: number;
}

/** Frames `first` to `last`, without `last` itself, and the instants between which they are kept, on the source's clock. */
export interface FrameSpan {
  first: number;
  last: number;
  from: number;
  to: number;
}

/** A frame shown for longer is held: a cut within it may begin or end there. */
const HELD_SECONDS = 0.1;
/** Two frames are equally near if the difference is no more than rounding. */
const TIE_SECONDS = 0.0006;

/** The ways in which a span may fall on frames: to the nearest ones, where two are as near to either, and within a held one. */
export function framesOf(pictures: SourcePictures, origin: number, { start, end }: Asked): FrameSpan[] {
  const edges = [...pictures.times, pictures.end];
  const most = pictures.times.length - 1;
  const [begin, stop] = [origin + start, origin + end];
  const firsts = nearest(edges, begin).map((edge) => ({
    first: Math.min(edge, most),
    from: edges[edge] ?? 0,
  }));
  const lasts = nearest(edges, stop).map((edge) => ({ last: edge, to: edges[edge] ?? 0 }));
  const heldFirst = heldAt(edges, begin, pictures.regular);
  const heldLast = heldAt(edges, stop, pictures.regular);
  if (heldFirst !== null) firsts.push({ first: heldFirst, from: begin });
  if (heldLast !== null) lasts.push({ last: heldLast + 1, to: stop });
  return firsts.flatMap((one) =>
    lasts.map((other) => ({ ...one, ...other, last: Math.max(other.last, one.first + 1) })),
  );
}

/** The edge that is nearest to a time, and those that are as near. */
function nearest(edges: readonly number[], time: number): number[] {
  const distance = (edge: number) => Math.abs((edges[edge] ?? 0) - time);
  let best = 0;
  for (let edge = 1; edge < edges.length; edge++) if (distance(edge) < distance(best)) best = edge;
  const tied = [best - 1, best + 1].filter(
    (edge) => edge in edges && distance(edge) - distance(best) < TIE_SECONDS,
  );
  return [best, ...tied];
}

/** The frame within which a time lies, if it is held or if frames stand at irregular distances. */
function heldAt(edges: readonly number[], time: number, regular: boolean): number | null {
  const after = edges.findIndex((edge) => edge > time);
  if (after <= 0) return null;
  const long = (edges[after] ?? 0) - (edges[after - 1] ?? 0) > HELD_SECONDS;
  return long || !regular ? after - 1 : null;
}

/** The frame on show at a time, counted from the origin. */
export function frameShownAt(pictures: SourcePictures, origin: number, time: number): number {
  const after = pictures.times.findIndex((start) => start > origin + time + TIE_SECONDS);
  return after === -1 ? pictures.times.length - 1 : Math.max(0, after - 1);
}

export const whole = ({ duration }: SourceModel): Asked => ({ start: 0, end: duration });
