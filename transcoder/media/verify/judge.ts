import { greatest, least } from '../../model/numbers/min-max.ts';
import type { Anchor, Part } from './anchors.ts';
import { distance, type Fingerprint, isFine, isRather, mirrored, shows } from './fingerprint.ts';

/** A frame and its presentation time in seconds. */
interface Seen {
  time: number;
  picture: Fingerprint;
}

/** The frames around an anchor. */
export interface Sight {
  anchor: Anchor;
  /** Frames of the result; empty if all of their packets are copies. */
  made: readonly Seen[];
  from: readonly Seen[];
  /** For each frame of the result, the times of source frames with an identical packet. */
  copied: readonly { time: number; from: readonly number[] }[] | null;
}

export interface Judging {
  parts: readonly Part[];
  /** Frame duration of each source and of the result, in seconds. */
  frames: { sources: readonly (number | null)[]; made: number };
  /** For each source, whether its frames were resampled to a constant frame rate. */
  grid: readonly boolean[];
  /** Spans of the result with an overlay on the picture, in seconds. */
  overlaid: readonly (readonly [from: number, to: number])[];
  /** Cells per row. */
  across: number;
}

/** @returns the problem or null, and how many frames could be identified. */
export function judged(
  sights: readonly Sight[],
  judging: Judging,
): { problem: string | null; frames: number } {
  let frames = 0;
  for (const [, own] of Map.groupBy(sights, ({ anchor }) => anchor.part)) {
    const found = judgedPart(own, judging);
    if (found.problem !== null) return { problem: found.problem, frames };
    frames += found.frames;
  }
  return { problem: null, frames };
}

/** Of two parts that meet in the middle of a frame, either may show it. */
function judgedPart(sights: readonly Sight[], judging: Judging): { problem: string | null; frames: number } {
  let first: string | null = null;
  for (const limit of limits) {
    const within = sights.map((sight) => withinPart(sight, judging, limit));
    const frames = within.reduce((sum, { copied, made }) => sum + (copied?.length ?? made.length), 0);
    for (const shift of shiftsOf(within, judging)) {
      const problem = partProblem(within, judging, shift);
      if (problem === null) return { problem, frames };
      first ??= problem;
    }
  }
  return { problem: first, frames: 0 };
}

/**
 * With irregular frame durations, a window of average frames may reach into the previous or next part.
 * @param limit Seconds to add to the part at its start and its end.
 */
function withinPart(sight: Sight, { parts, frames }: Judging, limit: Limit): Sight {
  const part = parts[sight.anchor.part];
  if (!part) return sight;
  const gap = least(gapsOf(sight.from)) / part.rate;
  const half = Math.min(gap, frames.made) / 2;
  const nearest = nearestTo(
    (sight.copied ?? sight.made).map(({ time }) => time),
    part.out[0],
  );
  // A frame before the one at the joint belongs to the previous part, however short it is.
  const opens = nearest !== null && nearest <= part.out[0] + TINY ? nearest : Number.NEGATIVE_INFINITY;
  const begins = Math.max(part.out[0] - half - limit[0], opens);
  const ends = part.out[1] - half + limit[1];
  const inside = ({ time }: { time: number }) => time >= begins && time < ends;
  return { ...sight, made: sight.made.filter(inside), copied: sight.copied?.filter(inside) ?? null };
}

const TINY = 0.002;

type Limit = readonly [start: number, end: number];

/** With and without a frame in whose middle a part begins or ends. */
const limits: readonly Limit[] = [TINY, -TINY].flatMap((end) =>
  [TINY, -TINY].map((start): Limit => [start, end]),
);

/** Seconds by which a caption's appearance or disappearance may deviate from its time. */
const APPEARING = 0.1;

/** Filters repeat or drop frames of such a part, therefore no specific frame is due at a given time. */
const isGrid = ({ source, rate, out }: Part, { grid }: Judging): boolean =>
  grid[source] === true || Math.abs(rate - 1) * (out[1] - out[0]) > UNROUNDED;

/** Seconds that rounding cannot add to a span of a time map, which has microseconds. */
const UNROUNDED = 1e-5;

/** A merge shows a frame up to 0.3 frames early, less the rounding of times, and otherwise the one before it. */
const LATE = 0.25;

/** Half of the least difference of usual rates, which is that of 30 and 29.97. */
const SAME_RATE = 0.0005;

/** In seconds. A longer frame may already be visible when a part begins within it. */
const LONG = 0.1;

/**
 * Possible shifts in seconds, below one frame, by which all frames of a part moved to put the first frame at the part's
 * beginning. With irregular frame durations, each frame may have kept its own time instead.
 */
function shiftsOf(sights: readonly Sight[], judging: Judging): number[] {
  const [first] = sights;
  const part = first && judging.parts[first.anchor.part];
  const begins = first?.copied?.[0]?.time ?? first?.made[0]?.time;
  if (!first || !part || begins === undefined || isGrid(part, judging)) return [0];
  const own = judging.frames.sources[part.source] ?? 0;
  const asked = timeIn(part, begins);
  const offs = first.from.map(({ time }) => time - asked);
  const closest = Math.abs(nearestTo(offs, 0) ?? 0);
  // Of two frames at the same distance, either may be the first.
  const near = closest < own ? offs.filter((off) => Math.abs(off) <= closest + TINY) : [];
  // More than half a frame before the first frame of a source, nothing moved to the beginning.
  const before = closest > own / 2 + TINY;
  // At another rate, the frames of a part that follows a transition do not begin with it.
  const drifts = Math.abs(own / judging.frames.made - 1) > SAME_RATE;
  const uneven = sights.some(({ from }) => areUneven(from));
  const stays = near.length === 0 || before || own > LONG || drifts || uneven;
  return [...(stays ? [0] : []), ...near];
}

/** Seconds by which containers round the times of evenly spaced frames. */
const ROUNDED = 0.0025;

const gapsOf = (seen: readonly Seen[]): number[] =>
  seen.slice(1).map(({ time }, index) => time - (seen[index]?.time ?? time));

function areUneven(seen: readonly Seen[]): boolean {
  const gaps = gapsOf(seen);
  return gaps.length > 0 && greatest(gaps) - least(gaps) > ROUNDED;
}

const timeIn = (part: Part, time: number) => part.in[0] + (time - part.out[0]) * part.rate;

function nearestTo(times: readonly number[], time: number): number | null {
  return times.reduce<number | null>(
    (best, each) => (best === null || Math.abs(each - time) < Math.abs(best - time) ? each : best),
    null,
  );
}

/** Consecutive wrong frames that coarse quantisation does not explain. */
const IN_A_ROW = 4;

/**
 * Coarse quantisation repeats a frame now and then. A coarsely coded part is therefore refused only if most of its frames are
 * wrong, or several in a row; a finely coded one if it shows, of frames that are alike, mostly the wrong ones.
 */
function partProblem(sights: readonly Sight[], judging: Judging, shift: number): string | null {
  const firm = sights.map((sight) => missingOf(sight, judging, shift)).find((problem) => problem !== null);
  if (firm) return firm;
  const bySight = sights.map((sight) => framesOf(sight, judging, shift));
  const found = bySight.flat();
  const wrong = found.filter(({ problem }) => problem !== null);
  const problems = wrong.flatMap(({ problem }) => problem ?? []);
  const fine = found.filter((one) => one.fine).length > found.length / 2;
  const certain =
    wrong.some(({ alike }) => !alike) || wrong.length > found.filter(({ distinct }) => distinct).length / 2;
  const refused = fine ? certain : problems.length > found.length / 2;
  return refused ? (problems[0] ?? null) : (bySight.map(problemInARow).find((one) => one !== null) ?? null);
}

function problemInARow(found: readonly Found[]): string | null {
  let row = 0;
  for (const { problem } of found) {
    row = problem === null ? 0 : row + 1;
    if (row === IN_A_ROW) return problem;
  }
  return null;
}

/** A caption may hide the difference between frames. */
function isDrawnOver({ time }: Seen, { overlaid, frames }: Judging): boolean {
  const near = frames.made + APPEARING;
  return overlaid.some(([since, until]) => time >= since - near && time <= until + near);
}

interface Found {
  problem: string | null;
  /** Whether it shows a frame so much like the right one that an encoder may repeat it instead of coding the difference. */
  alike: boolean;
  /** Whether it can be distinguished from the frames around it. */
  distinct: boolean;
  /** Whether it is coded well enough to be judged on its own. */
  fine: boolean;
}

function framesOf(sight: Sight, judging: Judging, shift: number): Found[] {
  const part = judging.parts[sight.anchor.part];
  if (!part || isGrid(part, judging)) return [];
  return sight.made.flatMap((seen): Found[] => {
    if (isDrawnOver(seen, judging)) return [];
    const times = wanted(timeIn(part, seen.time) + shift, seen.time, sight, judging);
    if (times.length === 0) return [];
    const right = sight.from.filter(({ time }) => times.includes(time));
    const fine = right.some(({ picture }) => isFine(seen.picture, picture));
    return [{ ...pictureProblem(seen, times, sight.from, judging), fine }];
  });
}

/** Problems that do not depend on the pictures' content. */
function missingOf(sight: Sight, judging: Judging, shift: number): string | null {
  const { anchor, copied } = sight;
  const part = judging.parts[anchor.part];
  if (!part || isGrid(part, judging)) return null;
  const wantedOf = (made: number) => wanted(timeIn(part, made) + shift, made, sight, judging);
  for (const { time, from: same } of copied ?? []) {
    const times = wantedOf(time);
    if (times.length > 0 && !same.some((one) => times.some((each) => Math.abs(each - one) < TINY / 2)))
      return `At ${formatted(time)} s the output shows the source at ${formatted(same[0] ?? 0)} s.`;
  }
  return gapProblem(sight, judging, part, wantedOf);
}

/** Times of the source frames that a frame of the result may show. */
function wanted(time: number, made: number, { anchor, from }: Sight, judging: Judging): number[] {
  const own = judging.frames.sources[anchor.source] ?? 0;
  const part = judging.parts[anchor.part];
  const times = from.map((one) => one.time);
  const previous = times.filter((one) => one <= time + TINY).at(-1);
  if (!part) return [];
  const nearest = nearestTo(times, time);
  if (nearest === null) return [];
  const off = Math.abs(nearest - time);
  // So far from a frame is only what a merge shows: a part that begins inside a long frame, and one whose rate differs slightly.
  const next = nearest > time && off > LATE * Math.min(own, judging.frames.made);
  const between = next || off > own / 2 + TINY;
  const opens = made < part.out[0] + judging.frames.made / 2;
  // A time between two source frames shows the earlier one, which may lie outside the window.
  if ((between || (opens && off > TINY)) && previous === undefined) return [];
  const near = times.filter((one) => Math.abs(one - time) <= off + 0.08 * own);
  const shown = previous !== undefined && (between || opens) ? [previous] : [];
  return [...new Set([...near, ...shown])];
}

/** Another frame matches only if its error is below this share of the error against the expected frame. */
const CLEARLY = 0.6;
/** Grey levels (RMS over the cells). Encoders may repeat a frame instead of coding a difference smaller than this. */
const UNSEEN = 1;

function pictureProblem(
  { time, picture }: Seen,
  times: readonly number[],
  from: readonly Seen[],
  { across }: Judging,
): Omit<Found, 'fine'> {
  const wrong = (problem: string, alike = false) => ({ problem, alike, distinct: true });
  const isWanted = (seen: Seen) => times.includes(seen.time);
  const right = from.filter(isWanted);
  const unlike = right.every((seen) => !shows(picture, seen.picture, across));
  if (unlike && right.some((seen) => isFarther(picture, seen, from)))
    return wrong(
      `At ${formatted(time)} s the output does not show the source at ${formatted(times[0] ?? 0)} s.`,
    );
  const rather = (other: Fingerprint) =>
    right.every(
      (seen) =>
        distance(other, seen.picture) > UNSEEN &&
        isRather(picture, other, seen.picture) === true &&
        distance(picture, other) < CLEARLY * distance(picture, seen.picture),
    );
  const other = from.find((seen) => !isWanted(seen) && rather(seen.picture));
  if (other) {
    const instead = `At ${formatted(time)} s the output shows the source at ${formatted(other.time)} s, not at ${formatted(times[0] ?? 0)} s.`;
    return wrong(
      instead,
      right.some((seen) => isFine(other.picture, seen.picture)),
    );
  }
  if (right.some((seen) => rather(mirrored(seen.picture, across))))
    return wrong(`At ${formatted(time)} s the picture of the output is mirrored.`);
  const differs = (seen: Seen) =>
    right.every(
      (one) =>
        distance(seen.picture, one.picture) > UNSEEN &&
        isRather(picture, seen.picture, one.picture) === false,
    );
  return { problem: null, alike: false, distinct: from.some((seen) => !isWanted(seen) && differs(seen)) };
}

/**
 * Whether a picture differs more from a frame than that frame's most similar neighbour does. If it does not, as with coarsely
 * coded noise, the frame cannot be identified.
 */
function isFarther(picture: Fingerprint, wanted: Seen, from: readonly Seen[]): boolean {
  const others = from.filter((seen) => seen !== wanted).map((seen) => distance(seen.picture, wanted.picture));
  return others.length === 0 || distance(picture, wanted.picture) > least(others);
}

/** A source frame that the result should show but does not. */
function gapProblem(
  { anchor, made, from, copied }: Sight,
  { frames }: Judging,
  part: Part,
  wantedOf: (time: number) => number[],
): string | null {
  const own = frames.sources[anchor.source] ?? 0;
  const shown = copied ?? made;
  const matched = new Set(shown.flatMap(({ time }) => wantedOf(time)));
  const opens = anchor.made[0] <= part.out[0];
  const closes = anchor.made[1] >= part.out[1] - frames.made / 2 - TINY;
  const [begin, end] = [timeIn(part, anchor.made[0]) + own, timeIn(part, anchor.made[1]) - own];
  // The average of a variable frame rate is longer than its short frames, which may end just before the part begins.
  const low = opens ? part.in[0] - Math.min(own, least(gapsOf(from))) / 4 : least([begin, ...matched]);
  const high = closes ? part.in[1] - (own * 3) / 4 : greatest([end, ...matched]);
  const missing = from.find(({ time }) => time > low && time <= high && !matched.has(time));
  return missing ? `The output lacks the frame of the source at ${formatted(missing.time)} s.` : null;
}

const formatted = (seconds: number) => seconds.toFixed(3);
