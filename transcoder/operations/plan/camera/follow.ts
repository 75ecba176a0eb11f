import { greatest } from '../../../model/numbers/min-max.ts';
import type { Spot, Subject } from '../../../model/subject.ts';
import type { Size } from '../geometry.ts';
import { type Aim, aimsOf } from './aims.ts';
import type { Axis, PathPoint } from './camera-path.ts';

/** Seconds between two decisions. No movement is shorter, which bounds how fast it starts and stops. */
const STEP = 0.5;
/** The subject may move by this part of the crop before the crop follows. */
const DEAD_ZONE = 0.2;
/** A crop that stands still does so for at least this many seconds. */
const LEAST_HOLD = 2;
/** Spread in seconds of the mean that smooths where the subject is. */
const SMOOTHING = 0.5;
/** Points closer to a straight line than this part of the crop are left out. */
const STRAIGHT = 0.01;
const MOST_POINTS = 500;
/** The part of all frames from which on faces decide where a still view is. */
const LEAST_FACES = 0.2;

interface Frame {
  /** Of the upright picture. */
  picture: Size;
  crop: Size;
  /** Seconds of the output. */
  duration: number;
}

/**
 * The path of a crop that keeps the subject in view as a camera operator would: it stands while the subject stays near the
 * middle, follows smoothly, and jumps only where a scene begins.
 */
export function pathFollowing(subject: Subject, frame: Frame): PathPoint[] {
  // A path that is too long is made coarser until one hold may cover everything.
  for (let coarseness = 1; ; coarseness *= 2) {
    const scenes = longScenes(subject.scenes, (coarseness - 1) * STEP);
    const path = scenes.flatMap((start, index) => {
      const end = scenes[index + 1] ?? Math.max(start, frame.duration);
      return scenePath(aimsOf(subject, start, end, share(frame)), start, end, frame, coarseness);
    });
    const [first, ...others] = withoutIdle(path);
    if (!first) return [];
    if (others.length < MOST_POINTS) return [{ ...first, time: 0, ease: 'smooth' }, ...others];
  }
}

/** Joins scenes of at most `seconds` with the scene before. */
function longScenes(scenes: readonly number[], seconds: number): number[] {
  const kept: number[] = [];
  for (const start of scenes) {
    const before = kept.at(-1);
    if (before === undefined || start - before > seconds) kept.push(start);
  }
  return kept;
}

const share = ({ picture, crop }: Omit<Frame, 'duration'>): Size => ({
  width: crop.width / picture.width,
  height: crop.height / picture.height,
});

function scenePath(
  aims: readonly Aim[],
  start: number,
  end: number,
  frame: Frame,
  coarseness: number,
): PathPoint[] {
  const count = Math.max(1, Math.ceil((end - start) / STEP));
  const times = Array.from({ length: count + 1 }, (_, n) => start + (n * (end - start)) / count);
  const xs = knotsOf(times, aims, frame, 'x', coarseness);
  const ys = knotsOf(times, aims, frame, 'y', coarseness);
  const moments = [...new Set([...xs, ...ys].map(({ time }) => time))].sort((a, b) => a - b);
  return moments.map((time, index) => ({
    time: thousandth(time),
    x: Math.round(between(xs, time)),
    y: Math.round(between(ys, time)),
    ease: index === 0 ? 'jump' : 'smooth',
  }));
}

interface Knot {
  time: number;
  at: number;
  /** Whether it is an end of a stretch in which the crop stands. */
  stands?: true;
}

/** Places of the crop's edge along an axis at the times where it stops, starts or changes its speed. */
function knotsOf(
  times: readonly number[],
  aims: readonly Aim[],
  { picture, crop }: Frame,
  axis: Axis,
  coarseness: number,
): Knot[] {
  const side = axis === 'x' ? 'width' : 'height';
  const [long, own] = [picture[side], crop[side]];
  const room = long - own;
  const [first = 0, last = first] = [times[0], times.at(-1)];
  if (room <= 0) return [{ time: first, at: 0, stands: true }];
  const edge = (middle: number) => Math.min(room, Math.max(0, middle * long - own / 2));
  const wanted = smoothed(times, aims, axis).map(edge);
  const holds = holdsOf(times, wanted, coarseness * DEAD_ZONE * own);
  const knots: Knot[] = [];
  let at = 0;
  for (const hold of holds) {
    for (; at < hold.from; at++) knots.push({ time: times[at] ?? first, at: wanted[at] ?? 0 });
    // Two holds without a movement between them share the time that it takes.
    const early = holds.some(({ to }) => to + 1 === hold.from);
    const late = holds.some(({ from }) => from === hold.to + 1);
    const [begin = first, end = last] = [times[hold.from + (early ? 1 : 0)], times[hold.to - (late ? 1 : 0)]];
    knots.push({ time: begin, at: hold.at, stands: true });
    if (end > begin) knots.push({ time: end, at: hold.at, stands: true });
    at = hold.to + 1;
  }
  for (; at < times.length; at++) knots.push({ time: times[at] ?? last, at: wanted[at] ?? 0 });
  return simplified(knots, coarseness * STRAIGHT * own);
}

/** Where the subject is at each time: a mean of the sightings around it. */
function smoothed(times: readonly number[], aims: readonly Aim[], axis: Axis): number[] {
  let from = 0;
  return times.map((time) => {
    while (from < aims.length && (aims[from]?.time ?? 0) < time - 3 * SMOOTHING) from++;
    let [sum, weights] = [0, 0];
    for (let at = from; at < aims.length; at++) {
      const aim = aims[at];
      if (!aim || aim.time > time + 3 * SMOOTHING) break;
      const weight = Math.exp(-0.5 * ((aim.time - time) / SMOOTHING) ** 2);
      sum += weight * aim[axis];
      weights += weight;
    }
    return weights > 1e-3 ? sum / weights : nearest(aims, time)[axis];
  });
}

function nearest(aims: readonly Aim[], time: number): Spot {
  const later = aims.find((aim) => aim.time >= time);
  const earlier = aims.findLast((aim) => aim.time < time);
  if (!later || !earlier) return later ?? earlier ?? { x: 0.5, y: 0.5 };
  return later.time - time < time - earlier.time ? later : earlier;
}

interface Hold {
  /** First and last index. */
  from: number;
  to: number;
  at: number;
}

/** The longest stretches, from the start on, in which the wanted place stays within the dead zone. */
function holdsOf(times: readonly number[], wanted: readonly number[], zone: number): Hold[] {
  const holds: Hold[] = [];
  for (let from = 0; from < wanted.length; ) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let to = from - 1;
    for (let at = from; at < wanted.length; at++) {
      const place = wanted[at] ?? 0;
      [low, high] = [Math.min(low, place), Math.max(high, place)];
      if (high - low > zone) break;
      to = at;
    }
    const seconds = (times[to] ?? 0) - (times[from] ?? 0);
    if (seconds >= LEAST_HOLD || (from === 0 && to === wanted.length - 1)) {
      holds.push({ from, to, at: median(wanted.slice(from, to + 1)) });
      from = to + 1;
    } else {
      from++;
    }
  }
  return holds;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Leaves out points that are nearly on the line between others. https://doi.org/10.3138/FM57-6770-U75U-7727 */
function simplified(knots: readonly Knot[], near: number): Knot[] {
  const [first, last] = [knots[0], knots.at(-1)];
  if (!first || !last || knots.length < 3) return [...knots];
  const off = knots.map((knot) => (knot.stands ? Number.POSITIVE_INFINITY : distanceTo(first, last, knot)));
  const inner = off.slice(1, -1);
  const most = greatest(inner);
  if (most <= near) return [first, last];
  const split = inner.indexOf(most) + 1;
  return [...simplified(knots.slice(0, split + 1), near), ...simplified(knots.slice(split), near).slice(1)];
}

const distanceTo = (first: Knot, last: Knot, { time, at }: Knot) =>
  Math.abs(at - between([first, last], time));

/** The place at a time on straight lines between knots. */
function between(knots: readonly Knot[], time: number): number {
  const next = knots.findIndex((knot) => knot.time >= time);
  const [after, before] = [knots[next], knots[next - 1]];
  if (!after) return knots.at(-1)?.at ?? 0;
  if (!before) return after.at;
  return before.at + ((after.at - before.at) * (time - before.time)) / (after.time - before.time);
}

/** Without points that change nothing: in the middle of a hold, and jumps to the same place. */
function withoutIdle(path: readonly PathPoint[]): PathPoint[] {
  const kept: PathPoint[] = [];
  path.forEach((point, index) => {
    const [before, next] = [kept.at(-1), path[index + 1]];
    const same = (a: PathPoint | undefined) => a !== undefined && a.x === point.x && a.y === point.y;
    // What follows a still point needs it only if it moves away from it.
    if (same(before) && (!next || same(next) || next.ease === 'jump')) return;
    kept.push(point);
  });
  return kept;
}

/** Rounded down, for a jump to happen before the first frame of its scene and after the frame before. */
const thousandth = (seconds: number) => Math.floor(seconds * 1000 + 1e-6) / 1000;

export type FoundAim = Spot & Pick<Aim, 'by'>;

/** The middle of where the subject is in all scenes, for a view that does not follow it; the center if nothing is found. */
export function foundAim(subject: Subject, frame: Omit<Frame, 'duration'>): FoundAim {
  const aims = subject.scenes.flatMap((start, index) =>
    aimsOf(subject, start, subject.scenes[index + 1] ?? Number.POSITIVE_INFINITY, share(frame)),
  );
  const faces = aims.filter(({ by }) => by === 'face');
  const salient = aims.filter(({ by }) => by === 'saliency');
  const used = faces.length >= aims.length * LEAST_FACES && faces.length > 0 ? faces : salient;
  const [first] = used;
  if (!first) return { x: 0.5, y: 0.5, by: 'center' };
  const middle = (axis: Axis) => Math.round(median(used.map((aim) => aim[axis])) * 1000) / 1000;
  return { x: middle('x'), y: middle('y'), by: first.by };
}
