import { decodingTimes } from '../bitstream/decoding-times.ts';
import type { Copy, Piece, Run, SpliceRequest } from './protocol.ts';

/** What follows one another in the output, each with the presentation times of its frames in decoding order. */
export type Part =
  | { kind: 'rendered'; jobs: Job[]; pts: number[] }
  | { kind: 'file'; input: number; pts: number[] }
  | { kind: 'copied'; input: number; copy: Copy; pts: number[] };

/** Frames of one group of pictures that are encoded, with their presentation times in the output. */
export interface Job {
  input: number;
  run: Run;
  /** By the presentation time in the input. */
  frames: Map<number, number>;
}

/** Seconds of a tick as a fraction, for each input. */
export interface Unit {
  num: number;
  den: number;
}

/**
 * The pieces as parts, rendered runs that touch being one.
 * @param times Presentation times of the files' packets, in ticks of their own; by input.
 */
export function partsOf(
  { pieces }: Pick<SpliceRequest, 'pieces'>,
  units: readonly Unit[],
  times: ReadonlyMap<number, readonly number[]>,
): Part[] {
  const parts: Part[] = [];
  for (const piece of pieces) {
    const out = timeOf(piece, units, times);
    if (piece.kind === 'file') {
      const own = times.get(piece.input) ?? [];
      if (own.length !== piece.frames)
        throw new Error(`a file has ${own.length} frames, not ${piece.frames}`);
      parts.push({ kind: 'file', input: piece.input, pts: own.map(out) });
      continue;
    }
    const { input, head, copy, tail } = piece;
    if (head) addRun(parts, input, head, out);
    if (copy) parts.push({ kind: 'copied', input, copy, pts: copy.frames.map(out) });
    if (tail) addRun(parts, input, tail, out);
  }
  return parts;
}

/** From a tick of a piece's input to one of the output. */
function timeOf(piece: Piece, units: readonly Unit[], times: ReadonlyMap<number, readonly number[]>) {
  const [own, model] = [units[piece.input], units[0]];
  if (!own || !model) throw new Error('a piece of an input that there is not');
  const zero = piece.kind === 'range' ? piece.zero : Math.min(...(times.get(piece.input) ?? [0]));
  const scale = (own.num * model.den) / (own.den * model.num);
  return (pts: number) => piece.at + Math.round((pts - zero) * scale);
}

function addRun(parts: Part[], input: number, run: Run, out: (pts: number) => number): void {
  const pts = run.frames.map(out);
  const frames = new Map(run.frames.map((time, index) => [time, pts[index] ?? 0]));
  const before = parts.at(-1);
  if (before?.kind !== 'rendered') {
    parts.push({ kind: 'rendered', jobs: [{ input, run, frames }], pts });
    return;
  }
  before.pts.push(...pts);
  const last = before.jobs.at(-1);
  if (!last || last.input !== input || !follows(run, last.run)) {
    before.jobs.push({ input, run, frames });
    return;
  }
  last.run = {
    ...run,
    packets: Math.max(run.packets, last.run.packets),
    frames: [...last.run.frames, ...run.frames],
  };
  for (const [from, to] of frames) last.frames.set(from, to);
}

/** Whether one decoding of a group of pictures serves both runs. */
function follows(run: Run, before: Run): boolean {
  return run.entry === before.entry && (run.frames[0] ?? 0) > (before.frames.at(-1) ?? 0);
}

/** All times of the picture, in decoding order and ticks of the model. */
export interface Timeline {
  pts: number[];
  dts: number[];
  durations: number[];
}

/** Throws where parts overlap. @param frame Ticks that the last frame lasts. */
export function timelineOf(parts: readonly Part[], frame: number): Timeline {
  let end = Number.NEGATIVE_INFINITY;
  for (const { pts } of parts) {
    const shown = pts.toSorted((a, b) => a - b);
    if ((shown[0] ?? end) <= end) throw new Error('pieces overlap in the output');
    if (shown.some((time, index) => index > 0 && time === shown[index - 1])) {
      throw new Error('two frames are shown at the same time');
    }
    end = shown.at(-1) ?? end;
  }
  const pts = parts.flatMap((part) => part.pts);
  const shown = pts.toSorted((a, b) => a - b);
  const lasts = new Map(shown.map((time, index) => [time, (shown[index + 1] ?? time + frame) - time]));
  return { pts, dts: decodingTimes(pts, frame), durations: pts.map((time) => lasts.get(time) ?? frame) };
}
