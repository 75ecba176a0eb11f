import type { Segment } from '../detect.ts';
import type { Rate } from './timecode.ts';

/** An edit of one source, in frames. */
export interface Edit {
  name: string;
  rate: Rate;
  /** Frames per second, without rounding. */
  perSecond: number;
  /** Of the source. */
  frames: number;
  /** Frames between timecode zero and the first frame of the source, which frames of the source are counted from. */
  first: number;
  picture: { width: number; height: number } | null;
  sound: { channels: number; sampleRate: number };
  events: EditEvent[];
  segments: (Segment & { from: number; to: number })[];
}

export interface EditEvent {
  /** First frame in the source; `to` is exclusive. */
  from: number;
  to: number;
  /** First frame in the output; the end is exclusive. */
  at: number;
  until: number;
  muted: boolean;
}
