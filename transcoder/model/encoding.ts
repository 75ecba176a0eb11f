import type { AudioCodec } from '../../schema/operations/transcode.ts';
import type { ChannelLayout } from './channel-layouts.ts';
import type { Mastering } from './mastering.ts';
import type { FieldOrder } from './splice.ts';

export const encoderOf = {
  h264: ['libx264'],
  hevc: ['libx265'],
  vp9: ['libvpx-vp9'],
  av1: ['libsvtav1', 'libaom-av1'],
} as const;
export type VideoEncoder = (typeof encoderOf)[keyof typeof encoderOf][number] | 'prores_ks';

/**
 * `crf` with an upper bitrate limit if one is known, a constant quantiser of H.264, HEVC or ProRes, or an average bitrate. `qmax`: the coarsest quantiser that the
 * encoder may choose to keep that average, on its own scale; null for any.
 */
export type Rate =
  | { crf: number; maxKbps: number | null }
  | { qp: number }
  | { kbps: number; qmax: number | null };

/** Encoders that accept HDR10 metadata and write it into their packets. */
export const masters: ReadonlySet<VideoEncoder> = new Set(['libx265', 'libsvtav1']);

/** Tags as ffmpeg names them; null if the source has none. */
export interface Color {
  space: string | null;
  transfer: string | null;
  primaries: string | null;
  range: string | null;
}

export interface VideoEncoding {
  encoder: VideoEncoder;
  rate: Rate;
  pixelFormat: string;
  /** Timebase of the output, such as `1/15360`; fine enough to keep the source's timestamps. */
  timeBase: string;
  keyframeInterval: number;
  /** Seconds for which a frame is shown whose own duration is unknown. */
  frameSeconds: number;
  /** Whether B-frames are allowed. False if timestamps are irregular and files are joined afterwards. */
  reorder: boolean;
  color: Color;
  mastering: Mastering | null;
  /** Whether the picture is narrower than x265's propagation of quantisers can bear. */
  narrow?: true;
  /** Which field of a frame is shown first; absent to encode whole frames. */
  fields?: FieldOrder;
  /** Profile and encoder parameters required to splice the packets into another stream. */
  fitting?: { profile: string | null; params: string };
}

export type AudioEncoder =
  | 'aac'
  | 'libmp3lame'
  | 'libopus'
  | 'libvorbis'
  | 'flac'
  | 'pcm_s16le'
  | 'pcm_s24le';

/** Channels that a codec cannot hold as they are, and the layout that it gets. */
export interface Remixed {
  from: { channels: number; layout: string | null };
  to: ChannelLayout;
  codec: AudioCodec;
  /** Whether that layout has all of the channels, and silent ones. */
  whole: boolean;
}

export interface AudioEncoding {
  encoder: AudioEncoder;
  /** Null for lossless encoders. */
  kbps: number | null;
  /** Absent if the sound keeps its layout. */
  remixed?: Remixed;
}
