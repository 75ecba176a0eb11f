import type { TimeMap } from '../../../schema/task/task.ts';

/** A span of the result and the span of the source that it shows, both in seconds as players count them. */
export interface Anchor {
  /** Index in the time map. */
  part: number;
  source: number;
  made: [number, number];
  from: [number, number];
  /** When the first of these frames is shown at the latest, in seconds. */
  shown: { made: number; from: number };
}

/** One entry of the time map. */
export interface Part {
  source: number;
  in: [number, number];
  out: [number, number];
  /** Seconds of source per second of result. */
  rate: number;
}

export interface Placed {
  map: TimeMap;
  /** Frame duration of each source and of the result, in seconds. */
  frames: { sources: readonly (number | null)[]; made: number };
  /** Seconds at either end of the result that fade. */
  fades: { in: number; out: number };
}

/** Joints to check; if there are more, the checked ones are spread evenly. */
const MOST_JOINTS = 8;
/** Frames to check on either side of an edge. */
const FRAMES = 3;
/** Additional source frames on either side, to compare against. */
const MARGIN = 2.5;

/** The parts of a time map, without the spans that are mixed with another part or faded. */
export function partsOf({ map, fades, frames }: Placed): Part[] {
  const parts = map.map(({ source, in: [from, to], out: [begin, end] }): Part => {
    const rate = end > begin ? (to - from) / (end - begin) : 1;
    return { source, in: [from, to], out: [begin, end], rate };
  });
  const last = parts.reduce((end, { out }) => Math.max(end, out[1]), 0);
  let [ended, begins] = [fades.in, last - fades.out];
  const from = parts.map(({ out }) => {
    const before = ended;
    ended = Math.max(ended, out[1]);
    return before;
  });
  const to = parts.toReversed().map(({ out }) => {
    const behind = begins;
    begins = Math.min(begins, out[0]);
    return behind;
  });
  const within = parts.map((part, at) => narrowed(part, from[at] ?? 0, to.at(-1 - at) ?? last));
  // Parts that are played backwards are not compared: a rate of 0 leaves a part out.
  const compared = ({ out, rate }: Part) => rate > 0 && out[1] - out[0] > frames.made / 2;
  return within.map((part) => (compared(part) ? part : { ...part, rate: 0 }));
}

function narrowed(part: Part, from: number, to: number): Part {
  const [begin, end] = [Math.max(part.out[0], from), Math.min(part.out[1], to)];
  const at = (time: number) => part.in[0] + (time - part.out[0]) * part.rate;
  return { ...part, in: [at(begin), at(end)], out: [begin, end] };
}

/** Anchors at both ends of each part, and in the middle of long ones. */
export function anchorsOf(placed: Placed): Anchor[] {
  const { frames } = placed;
  const parts = partsOf(placed);
  const chosen = sampled(parts.map((_, index) => index));
  return chosen.flatMap((index) => {
    const part = parts[index];
    const own = part && frames.sources[part.source];
    if (!part || part.rate === 0 || !own) return [];
    const frame = Math.max(frames.made, own / part.rate);
    const [begin, end] = part.out;
    const width = Math.min(FRAMES * frame, end - begin);
    const middle = (begin + end) / 2;
    const starts = [begin, ...(end - begin > 4 * width ? [middle] : []), Math.max(begin, end - width)];
    // Half a frame before its time, a frame is still the nearest one.
    const half = frames.made / 2;
    return [...new Set(starts)].map((start) =>
      anchorOf(part, index, [start - half, start + width - half], { own, made: frames.made }),
    );
  });
}

/** @param frame Frame duration of the source (`own`) and of the result (`made`), in seconds. */
function anchorOf(
  { source, in: [from], out: [begin], rate }: Part,
  part: number,
  made: [number, number],
  frame: { own: number; made: number },
): Anchor {
  const time = (at: number) => from + (at - begin) * rate;
  const margin = MARGIN * Math.max(frame.own, frame.made * rate);
  const first = made[0] + frame.made / 2;
  const shown = { made: first, from: time(first) };
  return { part, source, made, from: [time(made[0]) - margin, time(made[1]) + margin], shown };
}

/** Anchors at the given seconds of the result. */
export function anchorsAt(placed: Placed, times: readonly number[]): Anchor[] {
  const { frames } = placed;
  const parts = partsOf(placed);
  return times.flatMap((at) => {
    const index = parts.findIndex(({ out, rate }) => rate !== 0 && at >= out[0] && at < out[1]);
    const part = parts[index];
    const own = part && frames.sources[part.source];
    if (!part || !own) return [];
    const width = FRAMES * Math.max(frames.made, own / part.rate);
    return [
      anchorOf(part, index, [at, Math.min(part.out[1] - frames.made / 2, at + width)], {
        own,
        made: frames.made,
      }),
    ];
  });
}

/** The first, the last, and an even selection in between. */
function sampled(indices: readonly number[]): number[] {
  if (indices.length <= MOST_JOINTS) return [...indices];
  const last = indices.length - 1;
  const nth = Array.from({ length: MOST_JOINTS }, (_, at) => Math.round((at * last) / (MOST_JOINTS - 1)));
  return [...new Set(nth)];
}
