import type { Line } from './script.ts';

/** How a line is fitted into its slot. */
type Fit = 'stretch' | 'none' | 'trim';

export interface FitOptions {
  fit: Fit;
  /** Highest speed-up by time-stretching. */
  mostStretch: number;
  /** Duration of the video in seconds. */
  total: number;
}

export interface Placed {
  line: Line;
  /** Start in the output, in seconds. */
  start: number;
  /** Duration in the output, in seconds. */
  seconds: number;
  /** Time-stretch factor relative to the line as spoken; above 1 is faster. */
  stretch: number;
  /** Whether its end is cut off. */
  cut: boolean;
  /** Seconds by which it exceeds its slot. */
  overrun: number;
}

/** Of a line that is cut off before this many seconds, nothing is heard. */
const HEARD = 0.1;

export const isHeard = ({ cut, seconds }: Placed): boolean => !cut || seconds >= HEARD;

/** Seconds between the end of a borrowed pause and the next line. */
const GAP = 0.08;
/** Seconds that are always left between the sentences of a plain text. */
const SHORTEST_PAUSE = 0.25;
/** Highest factor by which a line is spoken or played faster. */
const HARDEST = 1.5;

/** When each line must end: at the end of its slot or of the following pause, less a gap. */
function limits(lines: readonly Line[], total: number): number[] {
  return lines.map(({ slot }, index) => {
    if (!slot) return total;
    // Those that begin with it are spoken behind it.
    const next = lines.slice(index + 1).find((other) => (other.slot?.start ?? 0) > slot.start)?.slot?.start;
    if (next === undefined) return Math.max(slot.end, total);
    return next < slot.end + GAP ? Math.min(slot.end, next) : next - GAP;
  });
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Speed-up with which all of a plain text ends with the video, with the shortest pauses. */
const commonNeed = (seconds: readonly number[], total: number) =>
  sumOf(seconds) / Math.max(0.1, total - SHORTEST_PAUSE * (seconds.length - 1));

/** The pause after each sentence of a plain text: as long as it wants to be, or as the video has room for. */
function pausesBetween(lines: readonly Line[], speech: number, total: number): number[] {
  const between = lines.slice(0, -1);
  const longer = sumOf(between.map(({ pause }) => pause - SHORTEST_PAUSE));
  const room = total - speech - SHORTEST_PAUSE * between.length;
  const share = Math.min(1, Math.max(0, room / Math.max(longer, 1e-9)));
  return between.map(({ pause }) => SHORTEST_PAUSE + share * (pause - SHORTEST_PAUSE));
}

/**
 * The lines that time-stretching alone does not fit into their slots, and how much faster each must be spoken.
 * @param spoken Duration of each line as spoken, in seconds.
 */
export function requiredSpeedUps(
  lines: readonly Line[],
  spoken: readonly number[],
  options: FitOptions,
): Map<string, number> {
  const { fit, mostStretch, total } = options;
  const result = new Map<string, number>();
  if (fit !== 'stretch') return result;
  const ends = limits(lines, total);
  const common = commonNeed(spoken, total);
  for (const [index, { id, slot }] of lines.entries()) {
    const need = slot ? (spoken[index] ?? 0) / Math.max(0.05, (ends[index] ?? total) - slot.start) : common;
    if (need > mostStretch) result.set(id, Math.min(HARDEST, need));
  }
  return result;
}

/** Places every line: not before its slot, not over another line, and not slower than spoken. */
export function fitLines(lines: readonly Line[], spoken: readonly number[], options: FitOptions): Placed[] {
  const { fit, mostStretch, total } = options;
  const ends = limits(lines, total);
  const common = Math.min(mostStretch, Math.max(1, commonNeed(spoken, total)));
  const pauses = pausesBetween(lines, sumOf(spoken) / (fit === 'stretch' ? common : 1), total);
  let free = 0;
  return lines.map((line, index) => {
    const natural = spoken[index] ?? 0;
    const end = ends[index] ?? total;
    const follows = Math.max(line.slot?.start ?? 0, free);
    const start = fit === 'trim' && !line.slot ? Math.min(follows, total) : follows;
    const room = Math.max(0, end - start);
    const stretch =
      fit !== 'stretch'
        ? 1
        : line.slot
          ? Math.min(mostStretch, Math.max(1, room > 0 ? natural / room : mostStretch))
          : common;
    const whole = natural / stretch;
    const cut = fit === 'trim' && whole > room;
    const seconds = cut ? room : whole;
    free = start + seconds + (line.slot ? 0 : (pauses[index] ?? 0));
    const overrun = line.slot
      ? Math.max(0, start + seconds - line.slot.end)
      : Math.max(0, start + seconds - total);
    return { line, start, seconds, stretch, cut, overrun };
  });
}
