import type { TransitionName } from '../../../../schema/media/transitions.ts';
import type { MediaProbe } from '../../../model/media-probe.ts';
import type { VideoStream } from '../../../model/video-stream.ts';
import type { FrameRate } from '../frame-rate.ts';

/** A clip on the frame grid of the output. */
export interface Clip {
  source: number;
  probe: MediaProbe;
  video: VideoStream;
  /** Source timestamp of the clip's start. */
  zero: number;
  frames: number;
  /** Gain in dB. */
  gainDb: number;
  /** First frame in the output. */
  at: number;
}

/** Between the clip at the same index and the next one. */
export interface Joint {
  index: number;
  /** `none` for a hard cut. */
  type: 'none' | TransitionName;
  /** Frames that both clips share; 0 for a hard cut. */
  frames: number;
  /** First frame in the output. */
  at: number;
}

export interface Timeline {
  rate: FrameRate;
  clips: Clip[];
  joints: Joint[];
  /** Frames of the output. */
  frames: number;
}
