/** When a track is shown or heard, in seconds of the file's own timestamps. */
export interface TrackTimes {
  start: number;
  end: number;
}

/** What players count as a source's time. */
export interface SourceClock {
  /** The timestamp in the file that is time 0; negative where a file says so. */
  origin: number;
  /** Seconds from there to the latest end. */
  duration: number;
}

/** Time 0 is when the first of the chosen tracks begins, and the source ends with the last of them. */
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

const toMicroseconds = (seconds: number) => Math.round(seconds * 1e6) / 1e6;
