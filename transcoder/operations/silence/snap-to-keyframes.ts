import type { Entry } from '../../model/splice.ts';
import { timeUnit } from '../../model/video-stream.ts';
import { type FrameGrid, ordinaryStep, snapped } from '../plan/frame-grid.ts';
import type { Span } from '../plan/frame-selection.ts';
import { micros, movingOf, only } from '../plan/require-streams.ts';
import { type Decision, keptWithin, type Segment } from './detect.ts';
import type { SilenceRequest } from './render-audio-parts.ts';

/**
 * A frame in decoding order: seconds from the start of the source, and whether decoding can begin with it; where that is
 * open, without the frames that follow in decoding and are shown before.
 */
export interface CodedFrame {
  time: number;
  entry: Entry | null;
}

/** How far an edge may be moved. */
export interface Reach {
  grid: FrameGrid;
  /** Seconds that stay before and after what is heard; without such a margin no edge is moved. */
  before: number;
  after: number;
  /** Whether anything in this span has to stay. */
  holds: (span: Span) => boolean;
}

/** Seconds by which a start may come earlier, and later; of the margin no more than half is lost. */
const [EARLIER, LATER] = [0.3, 0.1];
/** Frames by which an end may come later. */
const FRAMES = 4;
const TINY = 1e-6;

/** What was found, with its edges where little has to be rendered for them; a list that was given stays as it is. */
export function cheapened(request: SilenceRequest, grid: FrameGrid | null, decision: Decision): Decision {
  const { input, probes, facts } = request;
  const { survey, levels } = facts;
  if (!survey || survey.unfit || !grid || !levels || decision.thresholdDb === null) return decision;
  const probe = only(probes);
  const unit = timeUnit(movingOf(probe).video);
  const frames = survey.parts
    .flat()
    .filter(({ hidden }) => !hidden)
    .map(({ pts, entry }) => ({ time: pts * unit - probe.origin, entry }));
  const holds = keptWithin(input, levels, decision.thresholdDb);
  const margins = { before: input.padding_before, after: input.padding_after };
  return { ...decision, segments: cheapEdges(decision.segments, frames, { grid, ...margins, holds }) };
}

/**
 * Moves the edges of what is kept to where no frame has to be rendered for them: starts to keyframes, ends to where no
 * frame that is shown needs one that is not. No silence loses more than half of itself.
 */
export function cheapEdges(
  segments: readonly Segment[],
  frames: readonly CodedFrame[],
  reach: Reach,
): Segment[] {
  const points = pointsOf(frames);
  const frame = ordinaryStep(reach.grid);
  const moved = segments.map((segment) => ({ ...segment }));
  for (const [index, silent] of moved.entries()) {
    if (silent.action !== 'silent') continue;
    const [before, after] = [moved[index - 1], moved[index + 1]];
    const [start, half] = [silent.start, (silent.end - silent.start) / 2];
    if (before) before.end = silent.start = endOf(before, start + half / 2, points, reach, frame);
    if (after) after.start = silent.end = startOf(after, silent.start + half, points, reach, frame);
  }
  return moved;
}

interface Points {
  /** Where decoding may begin. */
  entries: number[];
  /** The frames before which all come, in decoding order too, that are shown before them. */
  clean: number[];
}

function pointsOf(frames: readonly CodedFrame[]): Points {
  const points: Points = { entries: [], clean: [] };
  let least = Number.POSITIVE_INFINITY;
  const earliest = frames.toReversed().map(({ time }) => (least = Math.min(least, time)));
  earliest.reverse();
  let highest = Number.NEGATIVE_INFINITY;
  for (const [index, { time, entry }] of frames.entries()) {
    const next = earliest[index] ?? time;
    if (entry === 'open' || (entry === 'closed' && next === time)) points.entries.push(time);
    if (highest < next) points.clean.push(next);
    highest = Math.max(highest, time);
  }
  return points;
}

const at = ({ grid }: Reach, time: number) => micros(snapped(grid, time));

function endOf(
  { start, end }: Span,
  latest: number,
  { entries, clean }: Points,
  reach: Reach,
  frame: number,
): number {
  const half = frame / 2;
  const copies = (entries[firstAtLeast(entries, start - half)] ?? end) < end - half;
  if (reach.after === 0 || !copies) return end;
  const found = clean[firstAtLeast(clean, end - half)];
  const most = Math.min(latest, end + FRAMES * frame + half);
  return found !== undefined && found > end && found <= most ? at(reach, found) : end;
}

function startOf(
  { start, end }: Span,
  earliest: number,
  { entries }: Points,
  reach: Reach,
  frame: number,
): number {
  if (reach.before === 0) return start;
  const from = Math.max(earliest, start - EARLIER);
  const to = Math.min(end - frame, start + Math.min(LATER, reach.before / 2)) + TINY;
  const near = entries
    .slice(firstAtLeast(entries, from), firstAtLeast(entries, to))
    .filter((entry) => entry <= start || !reach.holds({ start, end: entry }))
    .sort((a, b) => Math.abs(a - start) - Math.abs(b - start));
  return near[0] === undefined ? start : at(reach, near[0]);
}

/** Index of the first of these rising values that is so much or more. */
function firstAtLeast(values: readonly number[], least: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) >= least) high = middle;
    else low = middle + 1;
  }
  return low;
}
