import { firstAtLeast } from '../../model/numbers/first-index.ts';
import { timeUnit } from '../../model/source/video-stream.ts';
import type { Entry } from '../../model/splice.ts';
import { type Frames, type Span, snapped } from '../plan/frames.ts';
import { micros, movingOf, only } from '../plan/require-streams.ts';
import { type Decision, keptWithin, type Segment } from './detect.ts';
import type { SilenceRequest } from './segments.ts';

/**
 * A frame in decoding order: its time from the start of the source in seconds, and whether decoding can start with it.
 * If it is open, frames that follow in decoding order but are shown earlier cannot be decoded.
 */
export interface CodedFrame {
  time: number;
  entry: Entry | null;
}

/** How far an edge may be moved. */
export interface Reach {
  grid: Frames;
  /** Padding in seconds before and after sound; without padding no edge is moved. */
  before: number;
  after: number;
  /** Whether a span contains anything that must be kept. */
  holds: (span: Span) => boolean;
}

/** How much earlier or later a start may be, in seconds. At most half of the padding is lost. */
const [EARLIER, LATER] = [0.3, 0.1];
/** How many frames later an end may be. */
const FRAMES = 4;
const TINY = 1e-6;

/** Moves detected edges to where less must be rendered; a list from the caller is not changed. */
export function snapEdgesToKeyframes(
  request: SilenceRequest,
  grid: Frames | null,
  decision: Decision,
): Decision {
  const { input, probes, facts } = request;
  const { survey } = facts;
  const { heard } = decision;
  if (!survey || survey.unfit || !grid || !heard) return decision;
  const probe = only(probes);
  const unit = timeUnit(movingOf(probe).video);
  const frames = survey.parts.flatMap((part) =>
    Array.from(part.pts, (pts, at) => ({ time: pts * unit - probe.origin, entry: part.entryAt(at) })).filter(
      (_, at) => !part.isHidden(at),
    ),
  );
  const holds = keptWithin(input, heard);
  const margins = { before: input.padding_before, after: input.padding_after };
  return { ...decision, segments: cheapEdges(decision.segments, frames, { grid, ...margins, holds }) };
}

/**
 * Moves edges to places where no frame must be rendered: starts to keyframes, ends to points where no shown frame
 * depends on one that is cut. No silence loses more than half of its length.
 */
export function cheapEdges(
  segments: readonly Segment[],
  frames: readonly CodedFrame[],
  reach: Reach,
): Segment[] {
  const points = pointsOf(frames);
  const frame = reach.grid.ordinary;
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
  /** Times at which decoding can start. */
  entries: number[];
  /** Times before which all earlier-shown frames have also been decoded. */
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
