import type { Kept } from '../frame-selection.ts';
import { edgeBefore, type Frames, framesIn, type Span } from '../frames.ts';
import type { Shown } from '../output.ts';

/** Tolerance of equal times, in seconds. */
const ROUNDING = 1e-6;

/** A span of the source, in seconds from its start, and how it is played. */
export interface Played extends Span {
  /** Source seconds per output second. */
  rate: number;
  muted: boolean;
  /** Whether a tone covers what is muted. */
  bleeped?: boolean;
}

/** A span of the source and its place in the output, in seconds. */
export interface Clip extends Played {
  out: number;
  outEnd: number;
  /** Its frames on the frame grid; null for a range and for audio only. */
  frames: ClipFrames | null;
  /** The frames of a range, which keep the times of the source. */
  kept?: Kept;
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
  /** Places the frames in the output's frames; null if all are shown once or the frame rate is variable. */
  share: Share | null;
  /** Index of the first frame. */
  low: number;
}

/** `of` frames of the source take `shown` frames of the output. */
export interface Share {
  of: number;
  shown: number;
}

/**
 * Position of frame `index` among the frames of the output, as a formula that JavaScript and ffmpeg share. If frames are
 * left out, each position shows the one nearest to it; if frames are repeated, each begins at the position nearest to its
 * own time.
 */
export function slotText(index: string, { of, shown }: Share): string {
  if (of === shown) return index;
  return shown < of
    ? `ceil((${index}-0.5)*${shown}/${of}-0.000001)`
    : `floor(${index}*${shown}/${of}+0.500001)`;
}

/** The same as a number. */
export function slotOf(index: number, { of, shown }: Share): number {
  if (of === shown) return index;
  if (shown > of) return Math.floor((index * shown) / of + 0.500001);
  return Math.max(0, Math.ceil(((index - 0.5) * shown) / of - 1e-6));
}

/** Places spans of the source in the output, in order, end to end. With a constant frame rate each takes whole frames. */
export function clipsOf(spans: readonly Played[], grid: Frames | null): Clip[] {
  let out = 0;
  // Index of the first frame not shown yet.
  let next = 0;
  return spans.map(({ start, end, rate: wanted, muted, bleeped = false }) => {
    const share = grid && !grid.uneven && wanted !== 1 ? shareOf(grid.step, end - start, wanted) : null;
    const length =
      share && grid
        ? lengthOf(share, grid.step, end - start)
        : (end - start) / (grid && !grid.uneven ? 1 : wanted);
    const rate = (end - start) / length;
    const frames = grid ? framesOfClip(grid, { start, end, out, rate, next }, share) : null;
    next = frames?.next ?? next;
    const clip: Clip = { start, end, out, outEnd: out + length, muted, bleeped, rate, frames };
    out = clip.outEnd;
    return clip;
  });
}

/**
 * Seconds of a clip in the output: whole frames. A clip that begins before the first frame of the source or ends after its last one has a
 * part without frames, too, which is played at the same rate.
 */
function lengthOf({ of, shown }: Share, step: number, seconds: number): number {
  const without = seconds - of * step;
  return shown * step + (Math.abs(without) < ROUNDING ? 0 : (without * shown) / of);
}

/** Null if so few frames cannot be played at this rate: they are then played at 1. */
function shareOf(step: number, seconds: number, rate: number): Share | null {
  const share = framesAtRate(step, seconds, rate);
  return share.shown === share.of ? null : share;
}

/** The frames of a span, and how many they are when it is played at a rate. */
export function framesAtRate(step: number, seconds: number, rate: number): Share {
  const of = Math.max(1, Math.round(seconds / step));
  return { of, shown: Math.max(1, Math.round(of / rate)) };
}

type Place = Pick<Clip, 'start' | 'end' | 'out' | 'rate'> & { next: number };

function framesOfClip(
  grid: Frames,
  { start, end, out, rate, next }: Place,
  share: ClipFrames['share'],
): ClipFrames {
  const found = framesIn(grid, { start, end });
  // A long frame at the start of the span may already be on screen.
  const { low, high, pinned } = found.low + 1 === next ? framesIn(grid, { start, end }, true) : found;
  const first = grid.at(low);
  const held = pinned ? first : null;
  const edges = {
    from: edgeBefore(grid, low),
    to: edgeBefore(grid, high),
    share,
    held,
    last: grid.at(high - 1),
    next: high,
    low,
  };
  const late = Math.max(0, Math.floor((first - start) / grid.step + 1e-3));
  if (!share) {
    const shown = rate <= 1 ? high - low : high === low ? 0 : null;
    const begins = pinned ? out : out + (first - start) / rate;
    return { ...edges, zero: start, shown, first: high === low ? null : begins };
  }
  const shown = slotOf(late + high - low, share) - slotOf(late, share);
  const zero = first - late * grid.step;
  const begins = out + (zero - start) / rate;
  return { ...edges, zero, shown, first: shown === 0 ? null : begins + slotOf(late, share) * grid.step };
}

/** The clips as they play in the output. */
export function shownBy({ clips, reversed }: { clips: readonly Clip[]; reversed: boolean }): Shown[] {
  if (!reversed) return [...clips];
  const total = totalOf(clips);
  return clips.toReversed().map(({ start, end, out, outEnd }) => ({
    ...{ start: end, end: start },
    ...{ out: total - outEnd, outEnd: total - out },
  }));
}

/** The same clips for their pictures alone: neighbours at rate 1 that go on in the source are one, even if only one is muted. */
export function picturesOf(clips: readonly Clip[], grid: Frames): readonly Clip[] {
  const spans: Played[] = [];
  for (const { start, end, rate } of clips) {
    const last = spans.at(-1);
    if (last && last.rate === 1 && rate === 1 && last.end === start) last.end = end;
    else spans.push({ start, end, rate, muted: false });
  }
  return spans.length === clips.length ? clips : clipsOf(spans, grid);
}

export const totalOf = (clips: readonly Clip[]) => clips.at(-1)?.outEnd ?? 0;

/** Most clips per run, because its filters name each of them. */
const MOST_CLIPS = 12;
/** Longer gaps, in seconds, are skipped by starting another run instead of being decoded. */
const GAP = 4;

/**
 * Groups clips that are read in one run, which reads the source once: each clip of a run is after the one before it in the source.
 * @param alone Whether a clip needs a run of its own.
 */
export function runsOfClips(clips: readonly Clip[], alone: (clip: Clip) => boolean): [Clip, ...Clip[]][] {
  const runs: [Clip, ...Clip[]][] = [];
  for (const clip of clips) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const gap = last ? clip.start - last.end : 0;
    const joins = run && last && run.length < MOST_CLIPS && gap > -ROUNDING && gap < GAP;
    if (joins && !alone(clip) && !alone(last)) run.push(clip);
    else runs.push([clip]);
  }
  return runs;
}

/** Whether frames of a clip are shown more than once. */
export const repeatsFrames = ({ frames }: Clip): boolean => {
  const share = frames?.share;
  return share != null && share.shown > share.of;
};
