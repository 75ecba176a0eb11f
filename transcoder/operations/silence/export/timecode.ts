/** A frame rate as a fraction, and how timecode counts it. */
export interface Rate {
  frames: number;
  seconds: number;
  /** Frames per second in timecode. */
  nominal: number;
  /** Whether timecode skips frame numbers to stay in step with the clock. */
  drop: boolean;
  /** Whether it is one of the standard rates. */
  usual: boolean;
}

const usual = [
  [24_000, 1001],
  [24, 1],
  [25, 1],
  [30_000, 1001],
  [30, 1],
  [48, 1],
  [50, 1],
  [60_000, 1001],
  [60, 1],
] as const;

/**
 * The standard rate within a thousandth of `perSecond`, otherwise the nearest integer. 29.97 and 59.94 count
 * drop-frame.
 */
export function rateOf(perSecond: number): Rate {
  const near = usual
    .map(([frames, seconds]) => ({ frames, seconds, off: Math.abs(frames / seconds / perSecond - 1) }))
    .toSorted((a, b) => a.off - b.off)
    .find(({ off }) => off < 0.0009);
  const frames = near?.frames ?? Math.max(1, Math.round(perSecond));
  const seconds = near?.seconds ?? 1;
  const nominal = Math.round(frames / seconds);
  return {
    frames,
    seconds,
    nominal,
    usual: near !== undefined,
    drop: seconds === 1001 && nominal % 30 === 0,
  };
}

/**
 * `HH:MM:SS:FF`, or `HH:MM:SS;FF` for drop-frame (SMPTE 12M: skips the first numbers of every minute except each
 * tenth).
 */
export function timecode(frame: number, { nominal, drop }: Rate): string {
  const skipped = drop ? nominal / 15 : 0;
  const tenMinutes = nominal * 600 - 9 * skipped;
  const minute = nominal * 60 - skipped;
  const [tens, rest] = [Math.floor(frame / tenMinutes), frame % tenMinutes];
  const minutes = rest < skipped ? 0 : Math.floor((rest - skipped) / minute);
  const number = frame + (drop ? skipped * (9 * tens + minutes) : 0);
  const two = (value: number) => `${value}`.padStart(2, '0');
  const seconds = Math.floor(number / nominal);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two);
  return `${clock.join(':')}${drop ? ';' : ':'}${two(number % nominal)}`;
}

/**
 * The frame with a timecode; null if the timecode counts frames of another length.
 * @param counted Frames per second that the timecode counts, which may be fewer than are shown; null for the rate itself.
 */
export function frameOf(text: string, { nominal, drop }: Rate, counted: number | null): number | null {
  const [hours = 0, minutes = 0, seconds = 0, frame = 0] = text.split(/[:;.]/).map(Number);
  const numbers = counted === null ? nominal : Math.round(counted);
  if (frame >= numbers || nominal % numbers !== 0) return null;
  const minute = hours * 60 + minutes;
  const skipped = drop ? (nominal / 15) * (minute - Math.floor(minute / 10)) : 0;
  return (minute * 60 + seconds) * nominal + frame * (nominal / numbers) - skipped;
}

/** The frame with timecode `01:00:00:00`. */
export function firstHour({ nominal, drop }: Rate): number {
  return nominal * 3600 - (drop ? 54 * (nominal / 15) : 0);
}
