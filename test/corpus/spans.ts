import type { SourceModel, SourcePictures } from './source-model.ts';

/** Seconds of a source to be kept, counted from what a player shows first. */
export interface Asked {
  start: number;
  end: number;
}

/** Frames `first` to `last`, without `last` itself. */
export interface FrameSpan {
  first: number;
  last: number;
}

/** A frame shown for longer is held: a cut within it may begin or end there. */
const HELD_SECONDS = 0.1;
/** Two frames are equally near if the difference is no more than rounding. */
const TIE_SECONDS = 0.0006;

/** The ways in which a span may fall on frames: to the nearest ones, where two are as near to either, and within a held one. */
export function framesOf(pictures: SourcePictures, origin: number, { start, end }: Asked): FrameSpan[] {
  const edges = [...pictures.times, pictures.end];
  const firsts = edgesAt(edges, origin + start, pictures.regular).map((edge) =>
    Math.min(edge, pictures.times.length - 1),
  );
  const lasts = edgesAt(edges, origin + end, pictures.regular).flatMap((edge) => [edge]);
  const spans = firsts.flatMap((first) => lasts.map((last) => ({ first, last: Math.max(last, first + 1) })));
  return spans.filter(
    ({ first, last }, index) =>
      spans.findIndex((other) => other.first === first && other.last === last) === index,
  );
}

function edgesAt(edges: readonly number[], time: number, regular: boolean): number[] {
  const distance = (edge: number) => Math.abs((edges[edge] ?? 0) - time);
  let nearest = 0;
  for (let edge = 1; edge < edges.length; edge++) if (distance(edge) < distance(nearest)) nearest = edge;
  const tied = [nearest - 1, nearest + 1].filter(
    (edge) => edge in edges && distance(edge) - distance(nearest) < TIE_SECONDS,
  );
  const after = edges.findIndex((edge) => edge > time);
  const around = after > 0 ? [after - 1, after] : [];
  const [before = 0, next = 0] = around;
  const held = (edges[next] ?? 0) - (edges[before] ?? 0) > HELD_SECONDS;
  return [...new Set([nearest, ...tied, ...(held || !regular ? around : [])])];
}

/** The frame on show at a time, counted from the origin. */
export function frameShownAt(pictures: SourcePictures, origin: number, time: number): number {
  const after = pictures.times.findIndex((start) => start > origin + time + TIE_SECONDS);
  return after === -1 ? pictures.times.length - 1 : Math.max(0, after - 1);
}

export const whole = ({ duration }: SourceModel): Asked => ({ start: 0, end: duration });
