/** Start and end of a track, in seconds of the file's own timestamps. */
export interface TrackTimes {
  start: number;
  end: number;
}

/** A source's time as players count it. */
export interface SourceClock {
  /** Timestamp in the file that is time 0; may be negative. */
  origin: number;
  /** Seconds from the origin to the latest end. */
  duration: number;
}

/** Time 0 is the start of the first of the chosen tracks; the source ends with the last of them. */
export function sourceClock(tracks: readonly [TrackTimes, ...TrackTimes[]]): SourceClock {
  const [first, ...others] = tracks;
  const { start, end } = others.reduce(
    (whole, track) => ({
      start: Math.min(whole.start, track.start),
      end: Math.max(whole.end, track.end),
    }),
    first,
  );
  return { origin: start, duration: toMicroseconds(Math.max(0, end - start)) };
}

export const toMicroseconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
