import { edgeBefore, type FrameGrid, framesIn, frameTime } from '../plan/frame-grid.ts';
import type { Span } from '../plan/frame-selection.ts';
import { micros } from '../plan/require-streams.ts';
import type { Segment, SilenceInput } from './detect.ts';

/** A span of the source and what becomes of it. Seconds from the start of the source and of the output. */
export interface Piece extends Span {
  out: number;
  outEnd: number;
  muted: boolean;
  /** Source seconds that pass in one of the output. */
  speed: number;
  /** Null for sound alone. */
  frames: PieceFrames | null;
}

export interface PieceFrames {
  /** How many frames the output shows of it; null where they stand at irregular distances and not all are shown. */
  shown: number | null;
  /** Between the frame before and the first one, and between the last one and the next. */
  from: number;
  to: number;
  /** The time from which frames are counted; that of the first one, or where all are shown that of the piece. */
  zero: number;
  /** Frames up to here are shown at `out` too: the one that is held there; null where none is. */
  held: number | null;
  /** When its last frame begins. */
  last: number;
  /** The index of the first frame behind it. */
  next: number;
  /** When the first frame is shown; null where there is none. */
  first: number | null;
  /** Of so many frames, so many are shown, at each moment the nearest; null where all are, or where they stand at irregular distances. */
  share: { of: number; shown: number } | null;
}

/** What is left of the source, in order, end to end. */
export function piecesOf(
  segments: readonly Segment[],
  input: Pick<SilenceInput, 'mode' | 'silent_speed'>,
  grid: FrameGrid | null,
): Piece[] {
  let out = 0;
  // The index of the first frame that is not shown yet.
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

/** So many pieces are rendered in one run, whose filters name each of them. */
const PIECES = 12;
/** A gap of this many seconds is not decoded, but skipped by another run. */
const GAP = 4;

/** Pieces that are read in one go. */
export function runsOfPieces(pieces: readonly Piece[]): [Piece, ...Piece[]][] {
  const runs: [Piece, ...Piece[]][] = [];
  for (const piece of pieces) {
    const run = runs.at(-1);
    if (run && run.length < PIECES && piece.start - (run.at(-1)?.end ?? 0) < GAP) run.push(piece);
    else runs.push([piece]);
  }
  return runs;
}
