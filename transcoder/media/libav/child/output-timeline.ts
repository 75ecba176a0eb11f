import { decodingTimes } from '../../../bitstream/decoding-times.ts';
import { firstIndex } from '../../../model/numbers/first-index.ts';
import { least } from '../../../model/numbers/min-max.ts';
import type { Copy, Drawn, Piece, Run, SpliceRequest } from '../../../model/splice.ts';

/** Consecutive parts of the output, each with its frames' presentation times in decoding order. */
export type Part =
  | { kind: 'rendered'; jobs: Job[]; pts: number[] }
  | { kind: 'file'; input: number; pts: number[] }
  | { kind: 'copied'; input: number; copy: Copy; pts: Float64Array };

/** Frames to encode: from one GOP, or drawn from several inputs. */
type Job = RunJob | { kind: 'drawn'; piece: Drawn };

export interface RunJob {
  kind: 'run';
  input: number;
  run: Run;
  /** Maps presentation times of the input to those of the output, and to the filters in between. */
  frames: Map<number, { pts: number; filters: string | null }>;
}

/** Duration of a tick in seconds, as a fraction, for each input. */
export interface Unit {
  num: number;
  den: number;
}

/**
 * Converts pieces to parts and merges adjacent rendered runs.
 * @param times By input, the presentation times of the files' packets in ticks of the file.
 */
export function partsOf(
  { pieces }: Pick<SpliceRequest, 'pieces'>,
  units: readonly Unit[],
  times: ReadonlyMap<number, readonly number[]>,
): Part[] {
  const parts: Part[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'drawn') {
      const { jobs, pts } = renderedPart(parts);
      jobs.push({ kind: 'drawn', piece });
      for (const tick of piece.pts) pts.push(tick);
      continue;
    }
    const out = timeOf(piece, units, times);
    if (piece.kind === 'file') {
      const own = times.get(piece.input) ?? [];
      if (own.length !== piece.frames)
        throw new Error(`the file has ${own.length} frames, not ${piece.frames}`);
      parts.push({ kind: 'file', input: piece.input, pts: own.map(out) });
      continue;
    }
    const { input, head, copy, tail } = piece;
    if (head) addRun(parts, piece, head, out);
    if (copy) parts.push({ kind: 'copied', input, copy, pts: copy.frames.map(out) });
    if (tail) addRun(parts, piece, tail, out);
  }
  return parts;
}

/** Converts ticks of a piece's input to ticks of the output. */
function timeOf(
  piece: Exclude<Piece, Drawn>,
  units: readonly Unit[],
  times: ReadonlyMap<number, readonly number[]>,
) {
  const [own, model] = [units[piece.input], units[0]];
  if (!own || !model) throw new Error('a piece reads an input that does not exist');
  const zero = piece.kind === 'range' ? piece.zero : least(times.get(piece.input) ?? [0]);
  const scale = (own.num * model.den) / (own.den * model.num);
  const pinned = piece.kind === 'range' && piece.pinned ? firstOf(piece) : null;
  return (pts: number) => (pts === pinned ? piece.at : piece.at + Math.round((pts - zero) * scale));
}

/** Presentation time of a range's first frame in its input. */
function firstOf({ head, copy, tail }: Extract<Piece, { kind: 'range' }>): number {
  return least([head, copy, tail].map((run) => least(run?.frames ?? [])));
}

/** The rendered part at the end, to be extended, or a new one. */
function renderedPart(parts: Part[]): Extract<Part, { kind: 'rendered' }> {
  const before = parts.at(-1);
  if (before?.kind === 'rendered') return before;
  const part = { kind: 'rendered' as const, jobs: [], pts: [] };
  parts.push(part);
  return part;
}

function addRun(
  parts: Part[],
  { input, filters }: Extract<Piece, { kind: 'range' }>,
  run: Run,
  out: (pts: number) => number,
): void {
  const part = renderedPart(parts);
  const pts = run.frames.map(out);
  const frames = new Map(run.frames.map((time, index) => [time, { pts: pts[index] ?? 0, filters }]));
  for (const each of pts) part.pts.push(each);
  const last = part.jobs.at(-1);
  if (last?.kind !== 'run' || last.input !== input || !follows(run, last.run)) {
    part.jobs.push({ kind: 'run', input, run, frames });
    return;
  }
  last.run = {
    ...run,
    packets: Math.max(run.packets, last.run.packets),
    frames: [...last.run.frames, ...run.frames],
  };
  for (const [from, to] of frames) last.frames.set(from, to);
}

/** Whether both runs can share one decoding of a GOP. */
function follows(run: Run, before: Run): boolean {
  return run.entry === before.entry && (run.frames[0] ?? 0) > (before.frames.at(-1) ?? 0);
}

/** All video times in decoding order, in ticks of the model. */
export interface Timeline {
  pts: Float64Array;
  dts: Float64Array;
  durations: Float64Array;
}

/** Throws if parts overlap. @param frame Duration of the last frame in ticks, if `until` does not give its end. */
export function timelineOf(parts: readonly Part[], frame: number, until: number | null): Timeline {
  let end = Number.NEGATIVE_INFINITY;
  for (const { pts } of parts) {
    const shown = Float64Array.from(pts).sort();
    if ((shown[0] ?? end) <= end) throw new Error('pieces overlap in the output');
    if (shown.some((time, index) => index > 0 && time === shown[index - 1])) {
      throw new Error('two frames have the same presentation time');
    }
    end = shown.at(-1) ?? end;
  }
  const pts = joined(parts);
  const shown = pts.toSorted();
  const last = until === null ? end + frame : Math.max(until, end + 1);
  const dts = decodingTimes(pts, frame);
  const durations = pts.map((time) => {
    const next = firstIndex(shown.length, (index) => (shown[index] ?? last) > time);
    return (shown[next] ?? last) - time;
  });
  if (until !== null) decodeUntil({ pts, dts, durations }, until - (shown[0] ?? 0));
  return { pts, dts, durations };
}

function joined(parts: readonly Part[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { pts }) => sum + pts.length, 0));
  let at = 0;
  for (const { pts } of parts) {
    all.set(pts, at);
    at += pts.length;
  }
  return all;
}

/**
 * Containers sum up decoding durations, and decoding begins before the first frame is shown. The last frame is decoded as late as it can be;
 * only where that does not make the sum does it last longer than it is shown, and then not beyond the total.
 */
function decodeUntil({ pts, dts, durations }: Timeline, total: number): void {
  const last = durations.length - 1;
  const end = (dts[0] ?? 0) + total;
  const latest = Math.min(pts[last] ?? 0, end - (durations[last] ?? 0));
  dts[last] = Math.max(dts[last] ?? 0, latest);
  durations[last] = Math.max(durations[last] ?? 0, end - dts[last]);
}
