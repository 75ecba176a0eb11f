import { edgeBefore, type FrameGrid, framesIn, frameTime } from '../plan/frame-grid.ts';
import type { Span } from '../plan/frame-selection.ts';
import { micros } from '../plan/require-streams.ts';
import type { Segment, SilenceInput } from './detect.ts';

/** A span of the source and its place in the output. Seconds from the start of the source and of the output. */
export interface Piece extends Span {
  out: number;
  outEnd: number;
  muted: boolean;
  /** Source seconds per output second. */
  speed: number;
  /** Null for audio only. */
  frames: PieceFrames | null;
}

export interface PieceFrames {
  /** Number of frames in the output; null if it is unknown, because a variable frame rate is sped up. */
  shown: number | null;
  /** Selection limits: between the previous and the first frame, and between the last and the next one. */
  from: number;
  to: number;
  /** Reference time for counting frames: that of the first frame or, if all frames are shown, of the piece. */
  zero: number;
  /**
   * Frames up to this time are shown at `out`: the long frame that is on screen at the start. Null if there is none.
   */
  held: number | null;
  /** When its last frame begins. */
  last: number;
  /** Index of the first frame after it. */
  next: number;
  /** When the first frame is shown; null if there is none. */
  first: number | null;
  /**
   * Shows `shown` of every `of` frames, always the nearest one; null if all are shown or the frame rate is variable.
   */
  share: { of: number; shown: number } | null;
}

/** The remaining parts of the source, in order, end to end. */
export function piecesOf(
  segments: readonly Segment[],
  input: Pick<SilenceInput, 'mode' | 'silent_speed'>,
  grid: FrameGrid | null,
): Piece[] {
  let out = 0;
  // Index of the first frame not shown yet.
  let next = 0;
  const left = segments.filter(({ action }) => action === 'keep' || input.mode !== 'remove');
  return left.map(({ start, end, action }) => {
    const silent = action === 'silent';
    const wanted = silent && input.mode === 'speed_up' ? input.silent_speed : 1;
    const share = grid?.kind === 'even' && wanted > 1 ? shareOf(grid.step, end - start, wanted) : null;
    const length = share && grid ? share.shown * grid.step : (end - start) / wanted;
    const speed = (end - start) / length;
    const frames = grid ? framesOf(grid, { start, end, out, speed, next }, share) : null;
    next = frames?.next ?? next;
    const muted = silent && input.mode === 'mute';
    const piece: Piece = { start, end, out, outEnd: out + length, muted, speed, frames };
    out = piece.outEnd;
    return piece;
  });
}

function shareOf(step: number, seconds: number, speed: number) {
  const of = Math.max(1, Math.round(seconds / step));
  return { of, shown: Math.max(1, Math.round(of / speed)) };
}

type Place = Pick<Piece, 'start' | 'end' | 'out' | 'speed'> & { next: number };

function framesOf(
  grid: FrameGrid,
  { start, end, out, speed, next }: Place,
  share: PieceFrames['share'],
): PieceFrames {
  const { low, high, pinned } = framesIn(grid, { start, end }, next);
  const first = frameTime(grid, low);
  const held = pinned ? first : null;
  const edges = {
    from: edgeBefore(grid, low),
    to: edgeBefore(grid, high),
    share,
    held,
    last: frameTime(grid, high - 1),
    next: high,
  };
  const late = Math.max(0, Math.floor((first - start) / grid.step + 1e-3));
  if (!share) {
    const shown = speed === 1 ? high - low : high === low ? 0 : null;
    const begins = pinned ? out : out + (first - start) / speed;
    return { ...edges, zero: start, shown, first: high === low ? null : begins };
  }
  const place = (index: number) => Math.ceil(((index - 0.5) * share.shown) / share.of - 1e-6);
  const shown = place(late + high - low) - place(late);
  const zero = first - late * grid.step;
  const begins = out + (zero - start) / speed;
  return { ...edges, zero, shown, first: shown === 0 ? null : begins + place(late) * grid.step };
}

export function timeMapOf(pieces: readonly Piece[]) {
  return pieces.map(({ start, end, out, outEnd }) => ({
    source: 0,
    in: [start, end] as [number, number],
    out: [micros(out), micros(outEnd)] as [number, number],
  }));
}

export const totalOf = (pieces: readonly Piece[]) => pieces.at(-1)?.outEnd ?? 0;

/** Most pieces per run, because its filters name each of them. */
const PIECES = 12;
/** Longer gaps, in seconds, are skipped by starting another run instead of being decoded. */
const GAP = 4;

/** Groups pieces that are read in one run. */
export function runsOfPieces(pieces: readonly Piece[]): [Piece, ...Piece[]][] {
  const runs: [Piece, ...Piece[]][] = [];
  for (const piece of pieces) {
    const run = runs.at(-1);
    if (run && run.length < PIECES && piece.start - (run.at(-1)?.end ?? 0) < GAP) run.push(piece);
    else runs.push([piece]);
  }
  return runs;
}
