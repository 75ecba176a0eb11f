import type { Demuxer } from './demuxers.ts';
import type { VideoStream } from './video-stream.ts';

/** What is known of a source without reading all of its packets. */
export type MediaProbe = StillProbe | MovingProbe;

interface SourceFacts {
  format: Demuxer;
  /** The container's name for people: `mp4`, `mkv`, … */
  container: string;
  fileSize: number;
  /** The timestamp in the file that is shown as time 0; it may be negative. */
  origin: number;
  kbps: number | null;
  streams: StreamFacts[];
  /** The video stream that players show; an attached picture is none. */
  video: VideoStream | null;
  /** The audio stream that players play. */
  audio: AudioStream | null;
}

/** A picture that has no end. */
export interface StillProbe extends SourceFacts {
  still: true;
  duration: null;
  audio: null;
}

export interface MovingProbe extends SourceFacts {
  still: false;
  /** Seconds from `origin` to the end of what is shown and heard. */
  duration: number;
}

export interface StreamFacts {
  index: number;
  type: 'video' | 'audio' | 'subtitle' | 'data' | 'attached_picture';
  codec: string;
  profile: string | null;
  /** Seconds; null where unknown. */
  duration: number | null;
  /** In the timestamps of the file; null where unknown. */
  startTime: number | null;
  kbps: number | null;
  language: string | null;
  default: boolean;
  video: VideoStream | null;
  audio: AudioStream | null;
}

export interface AudioStream {
  index: number;
  codec: string;
  sampleRate: number;
  channels: number;
  layout: string | null;
  bitsPerSample: number | null;
  /** Of its first sample that is heard, in the timestamps of the file. */
  startTime: number;
  /** Seconds from there to its end. */
  duration: number;
  kbps: number | null;
  /** Such as `1/48000`. */
  timeBase: string;
}

/** What a container says of a sound; its times are for `probe/track-times.ts` to decide. */
export type StatedAudio = Omit<AudioStream, 'startTime' | 'duration'>;

/**
 * Formats whose index leads to a keyframe; the others are read from their beginning. That of flv goes by when a frame is
 * decoded, and leads to keyframes that are shown too late.
 */
const indexed: readonly Demuxer[] = ['mov', 'matroska', 'wav', 'flac', 'avi'];

/** Whether a seek lands on a keyframe at or before its target, or for sound on the very sample. */
export function canSeek(probe: MediaProbe): boolean {
  // After a seek, the decoder's times of frames that only have decoding times cannot be trusted.
  if (probe.video && probe.video.decodeDelay > 0) return false;
  return indexed.includes(probe.format);
}
