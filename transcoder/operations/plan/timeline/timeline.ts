import type { TransitionName } from '../../../../schema/media/transitions.ts';
import type { MediaProbe } from '../../../model/source/media-probe.ts';
import type { VideoStream } from '../../../model/source/video-stream.ts';
import type { FrameRate } from '../frame-rate.ts';

/** A clip of a track, in units of the track: frames of the output, or samples of a track of sound. */
export interface SoundClip {
  source: number;
  probe: MediaProbe;
  /** Source timestamp of the clip's start. */
  zero: number;
  /** Seconds of the source per second of the output; 0 holds the first frame. */
  rate: number;
  frames: number;
  /** Gain in dB. */
  gainDb: number;
  /** First frame in the output. */
  at: number;
}

export interface Clip extends SoundClip {
  video: VideoStream;
  /** Source timestamp of its last frame, which is shown for longer if the clip outlasts the pictures. Absent if it does not, or if that is not known. */
  last?: number;
}

/** Black, or silence. */
export interface Gap {
  source: null;
  frames: number;
  at: number;
}

/** Between the item at the same index and the next one. */
export interface Joint {
  index: number;
  /** `none` for a hard cut. */
  type: 'none' | TransitionName;
  /** Frames that both items share; 0 for a hard cut. */
  frames: number;
  /** First frame in the output. */
  at: number;
}

/**
 * A track whose clips come from any source, on the frames of one constant rate. Clips of one source alone are a `Work` (../compile) instead,
 * and each has its own way to render and to splice. The frames of a `Work` keep their distances in the source: packets can be copied at any
 * frame rate, and one run reads many clips. Here frames are repeated or left out to meet the common rate, and each part is a run of its own.
 * Both make ranges in ../smart-render.ts and join files in ../joined-parts.ts.
 */
export interface Timeline<C extends SoundClip = Clip> {
  rate: FrameRate;
  items: (C | Gap)[];
  joints: Joint[];
  /** Frames of the output. */
  frames: number;
}

export const isClip = <C extends SoundClip>(item: C | Gap): item is C => item.source !== null;

export const clipsIn = <C extends SoundClip>({ items }: Pick<Timeline<C>, 'items'>): C[] =>
  items.filter(isClip);
