import { edgeBefore, type FrameGrid, framesIn, frameTime } from '../frame-grid.ts';
import type { Span } from '../frame-selection.ts';
import { micros } from '../require-streams.ts';

/** A span of the source, in seconds from its start, and how it is played. */
export interface Played extends Span {
  /** Source seconds per output second. */
  rate: number;
  muted: boolean;
}

/** A span of the source and its place in the output, in seconds. */
export interface Clip extends Played {
  out: number;
  outEnd: number;
  /** Null for audio only. */
  frames: ClipFrames | null;
}

export interface ClipFrames {
  /** Number of frames in the output; null if it is unknown, because a variable frame rate is sped up. */
  shown: number | null;
  /** Selection limits: between the previous and the first frame, and between the last and the next one. */
  from: number;
  to: number;
  /** Reference time for counting frames: that of the first frame or, if all frames are shown, of the clip. */
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

/** Places spans of the source in the output, in order, end to end. With a constant frame rate each takes whole frames. */
export function clipsOf(spans: readonly Played[], grid: FrameGrid | null): Clip[] {
  let out = 0;
  // Index of the first frame not shown yet.
  let next = 0;
  return spans.map(({ start, end, rate: wanted, muted }) => {
    const share = grid?.kind === 'even' && wanted > 1 ? shareOf(grid.step, end - start, wanted) : null;
    const length = share && grid ? share.shown * grid.step : (end - start) / wanted;
    const rate = (end - start) / length;
    const frames = grid ? framesOf(grid, { start, end, out, rate, next }, share) : null;
    next = frames?.next ?? next;
    const clip: Clip = { start, end, out, outEnd: out + length, muted, rate, frames };
    out = clip.outEnd;
    return clip;
  });
}

function shareOf(step: number, seconds: number, rate: number) {
  const of = Math.max(1, Math.round(seconds / step));
  return { of, shown: Math.max(1, Math.round(of / rate)) };
}

type Place = Pick<Clip, 'start' | 'end' | 'out' | 'rate'> & { next: number };

function framesOf(
  grid: FrameGrid,
  { start, end, out, rate, next }: Place,
  share: ClipFrames['share'],
): ClipFrames {
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
    const shown = rate === 1 ? high - low : high === low ? 0 : null;
    const begins = pinned ? out : out + (first - start) / rate;
    return { ...edges, zero: start, shown, first: high === low ? null : begins };
  }
  const place = (index: number) => Math.ceil(((index - 0.5) * share.shown) / share.of - 1e-6);
  const shown = place(late + high - low) - place(late);
  const zero = first - late * grid.step;
  const begins = out + (zero - start) / rate;
  return { ...edges, zero, shown, first: shown === 0 ? null : begins + place(late) * grid.step };
}

export function timeMapOf(clips: readonly Clip[]) {
  return clips.map(({ start, end, out, outEnd }) => ({
    source: 0,
    in: [start, end] as [number, number],
    out: [micros(out), micros(outEnd)] as [number, number],
  }));
}

export const totalOf = (clips: readonly Clip[]) => clips.at(-1)?.outEnd ?? 0;

/** Most clips per run, because its filters name each of them. */
const MOST_CLIPS = 12;
/** Longer gaps, in seconds, are skipped by starting another run instead of being decoded. */
const GAP = 4;

/** Groups clips that are read in one run. */
export function runsOfClips(clips: readonly Clip[]): [Clip, ...Clip[]][] {
  const runs: [Clip, ...Clip[]][] = [];
  for (const clip of clips) {
    const run = runs.at(-1);
    if (run && run.length < MOST_CLIPS && clip.start - (run.at(-1)?.end ?? 0) < GAP) run.push(clip);
    else runs.push([clip]);
  }
  return runs;
}
