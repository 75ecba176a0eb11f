/** Where a moving crop is at a time of the output: left and top edge in pixels. */
export interface PathPoint {
  /** Seconds. */
  time: number;
  x: number;
  y: number;
  /** How it gets here from the point before: eased, or at once. */
  ease: 'smooth' | 'jump';
}

export type Axis = 'x' | 'y';

/** From `start` on, `from + offsets`, a polynomial of the seconds since `start`. */
interface Piece {
  start: number;
  from: number;
  /** Factors of the powers 1, 3, 4 and 5; null if it stands still. The acceleration is 0 at both ends. */
  factors: readonly [number, number, number, number] | null;
}

/**
 * The pieces of a path along one axis. Position, speed and acceleration are continuous except at jumps, and between two
 * points at the same place nothing moves.
 */
export function piecesOf(path: readonly PathPoint[], axis: Axis): Piece[] {
  const [first] = path;
  if (!first) return [];
  const pieces: Piece[] = [{ start: Number.NEGATIVE_INFINITY, from: first[axis], factors: null }];
  const speeds = path.map((_, index) => speedAt(path, index, axis));
  path.forEach((point, index) => {
    const next = path[index + 1];
    const moves = next !== undefined && next.ease === 'smooth' && next[axis] !== point[axis];
    const factors = moves ? factorsOf(point, next, axis, speeds[index] ?? 0, speeds[index + 1] ?? 0) : null;
    const before = pieces.at(-1);
    if (factors === null && before?.factors === null && before.from === point[axis]) return;
    pieces.push({ start: point.time, from: point[axis], factors });
  });
  return pieces;
}

function factorsOf(from: PathPoint, to: PathPoint, axis: Axis, leaving: number, arriving: number) {
  const seconds = to.time - from.time;
  const way = to[axis] - from[axis];
  const [out, into] = [leaving * seconds, arriving * seconds];
  return [
    leaving,
    (10 * way - 6 * out - 4 * into) / seconds ** 3,
    (-15 * way + 8 * out + 7 * into) / seconds ** 4,
    (6 * way - 3 * out - 3 * into) / seconds ** 5,
  ] as const;
}

/**
 * The speed in pixels per second at a point: 0 where the path turns, stands or jumps, otherwise the harmonic mean of both
 * sides, which does not move past the points. https://doi.org/10.1137/0905021
 */
function speedAt(path: readonly PathPoint[], index: number, axis: Axis): number {
  const [before, point, next] = [path[index - 1], path[index], path[index + 1]];
  if (!before || !point || !next || point.ease === 'jump' || next.ease === 'jump') return 0;
  const [come, go] = [point.time - before.time, next.time - point.time];
  const [arriving, leaving] = [(point[axis] - before[axis]) / come, (next[axis] - point[axis]) / go];
  if (arriving * leaving <= 0) return 0;
  const weights = [2 * go + come, go + 2 * come] as const;
  return (weights[0] + weights[1]) / (weights[0] / arriving + weights[1] / leaving);
}

/** The edge along an axis at a time, before it is rounded. */
export function placeAt(pieces: readonly Piece[], time: number): number {
  const piece = pieces.findLast(({ start }) => start <= time) ?? pieces[0];
  if (!piece) return 0;
  if (!piece.factors) return piece.from;
  const since = time - piece.start;
  const [first, third, fourth, fifth] = piece.factors;
  return piece.from + since * (first + since ** 2 * (third + since * (fourth + since * fifth)));
}

/**
 * The same as an expression of ffmpeg in `t`, kept inside `room` and rounded to a multiple of `step`. It has a decision
 * tree, as ffmpeg limits how deep an expression is nested. https://ffmpeg.org/ffmpeg-utils.html#Expression-Evaluation
 */
export function placeText(pieces: readonly Piece[], room: number, step: number): string | number {
  const [only] = pieces;
  if (pieces.length === 1 && only) return roundedPlace(only.from, room, step);
  const most = room - (room % step);
  return `min(${most},max(0,${step}*round((${treeText(pieces)})/${step})))`;
}

export const roundedPlace = (place: number, room: number, step: number) =>
  Math.min(room - (room % step), Math.max(0, step * Math.round(place / step)));

function treeText(pieces: readonly Piece[]): string {
  const [first] = pieces;
  if (!first) return '0';
  if (pieces.length === 1) return pieceText(first);
  const middle = Math.ceil(pieces.length / 2);
  const begins = pieces[middle]?.start ?? 0;
  return `if(lt(t,${begins}),${treeText(pieces.slice(0, middle))},${treeText(pieces.slice(middle))})`;
}

function pieceText({ start, from, factors }: Piece): string {
  if (!factors) return `${from}`;
  const [first, third, fourth, fifth] = factors.map((factor) => `(${precise(factor)})`);
  const cubed = `ld(0)*ld(0)*(${third}+ld(0)*(${fourth}+ld(0)*${fifth}))`;
  return `st(0,t-${start});${from}+ld(0)*(${first}+${cubed})`;
}

/** Enough digits for a hundredth of a pixel in a piece of an hour. */
const precise = (factor: number) => Number(factor.toPrecision(10)).toExponential();

/** Spans of at least `least` seconds up to `end` in which a path stands still along both axes. */
export function stillSpans(
  path: readonly PathPoint[],
  end: number,
  least: number,
): { from: number; to: number; x: number; y: number }[] {
  const spans: { from: number; to: number; x: number; y: number }[] = [];
  const [first] = path;
  if (!first) return [];
  const points = [{ ...first, time: 0, ease: 'smooth' as const }, ...path];
  points.forEach((point, index) => {
    const next = points[index + 1];
    const moves = next !== undefined && next.ease === 'smooth' && (next.x !== point.x || next.y !== point.y);
    const to = moves ? point.time : Math.min(end, next?.time ?? end);
    const before = spans.at(-1);
    if (before && before.to === point.time && before.x === point.x && before.y === point.y) before.to = to;
    else spans.push({ from: Math.max(0, point.time), to, x: point.x, y: point.y });
  });
  return spans.filter(({ from, to }) => to - from >= least);
}
