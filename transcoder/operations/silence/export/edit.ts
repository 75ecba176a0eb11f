import type { Segment } from '../detect.ts';
import type { Rate } from './timecode.ts';

/** An edit of one source, counted in frames. */
export interface Edit {
  /** File name of the source. */
  name: string;
  rate: Rate;
  /** Frames of the source. */
  frames: number;
  picture: { width: number; height: number } | null;
  sound: { channels: number; sampleRate: number };
  events: EditEvent[];
  segments: (Segment & { from: number; to: number })[];
}

export interface EditEvent {
  /** Frames of the source, the end excluded. */
  from: number;
  to: number;
  /** Frames of the result, the end excluded. */
  at: number;
  until: number;
  muted: boolean;
}
