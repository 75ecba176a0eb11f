import type { Demuxer } from './demuxers.ts';
import type { Color, Mastering } from './steps.ts';

export interface VideoStream {
  index: number;
  codec: string;
  /** As coded. */
  width: number;
  height: number;
  /** Sample aspect ratio as coded, 1 where unknown. */
  sar: number;
  sarText: string | null;
  /** Clockwise degrees that a player turns the picture by: 0, 90, 180 or 270. */
  rotation: number;
  /** Upright and with square pixels. */
  displayWidth: number;
  displayHeight: number;
  pixelFormat: string;
  bitDepth: number;
  /** Whether its pictures are transparent in places, or may be; that of GIF is left out, which every video lacks. */
  alpha: boolean;
  /** Width and height of a chroma sample in luma samples. */
  chroma: readonly [number, number];
  color: Color;
  /** Whether its frames are said to be two fields each; false where that is unknown. */
  interlaced: boolean;
  /** True for PQ and HLG. */
  hdr: boolean;
  mastering: Mastering | null;
  /** Such as `1/15360`. */
  timeBase: string;
  /** Average rate as a fraction; null where unknown. */
  frameRate: string | null;
  /** Seconds a frame lasts on average. */
  frameDuration: number;
  /** Packets by which decoded frames come too late if the container says when they are decoded; 0 if it says when they are shown. */
  decodeDelay: number;
  /** `constant` only where every timestamp is known to lie on the grid of `frameRate`. */
  pace: 'constant' | 'variable' | 'unknown';
  frames: number | null;
  /** Of its first frame, in the timestamps of the file; 0 of a still picture. */
  startTime: number;
  /** Seconds from there to the end of its last frame; 0 of a still picture. */
  duration: number;
  /** As stated, else what the other streams leave of the file's; null where that is unknown too. */
  kbps: number | null;
}

/** Seconds of one tick of a stream's timestamps. */
export function timeUnit({ timeBase }: { timeBase: string }): number {
  const [numerator = 1, denominator = 1] = timeBase.split('/').map(Number);
  return numerator / denominator;
}

/** What a container says of a picture; its times are for `probe/track-times.ts` to decide. */
export type StatedVideo = Omit<VideoStream, 'startTime' | 'duration'>;

const inDecodingOrder: readonly Demuxer[] = ['avi'];

/** Whether packets say when their frames are shown, and not only when they are decoded. */
export const holdsPresentationTimes = (format: Demuxer): boolean => !inDecodingOrder.includes(format);

/** Whether pixels of this format have an alpha. */
export function isTransparent(pixelFormat: string): boolean {
  return /^(rgba|argb|bgra|abgr|ya|gbrap|yuva)/.test(pixelFormat);
}
