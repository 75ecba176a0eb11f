import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { Deinterlace } from '../../../schema/operations/fields/deinterlace.ts';
import type { Color } from '../encoding.ts';
import type { Mastering } from '../mastering.ts';

export interface VideoStream {
  index: number;
  codec: string;
  /** Whether decoders have to read the encoder's version before they enter it; see x264-version.ts. */
  needsVersion?: boolean;
  /** Whether packets hold one field each, two of which are a frame. */
  singleFields?: boolean;
  /** Whether the container flags all packets as keyframes that are none, or none that are. */
  misflagged?: boolean;
  /** Whether the container describes its packets in several ways, of which copies would keep the first. */
  redescribed?: boolean;
  /** Whether the container states another frame rate, and so another length of the last frame, than frames have. Absent if not. */
  falseRate?: boolean;
  /** Whether files were joined byte by byte, of which only the first one is described. Absent if not. */
  joined?: boolean;
  /** Whether its first frame lies before the least time that its container can state. */
  beginsEarly?: boolean;
  /** Whether frames that are not shown have packets of their own, as some muxers write VP9. */
  unseenPackets?: boolean;
  /** Whether decoders output frames in another order than they read them. */
  reordered?: boolean;
  /** As coded. */
  width: number;
  height: number;
  /** Coded sample aspect ratio; 1 if unknown. */
  sar: number;
  sarText: string | null;
  /** Clockwise rotation in degrees that players apply. */
  rotation: 0 | 90 | 180 | 270;
  /** Whether players flip the picture vertically before they rotate it. */
  mirrored?: boolean;
  /** Size when upright, with square pixels. */
  displayWidth: number;
  displayHeight: number;
  pixelFormat: string;
  bitDepth: number;
  /** Whether pictures are, or may be, transparent. GIF transparency is ignored, as it has no equivalent in video. */
  alpha: boolean;
  /** Luma samples per chroma sample, horizontally and vertically. */
  chroma: readonly [number, number];
  color: Color;
  /** Whether frames are marked as interlaced; false if unknown. */
  interlaced: boolean;
  /** Whether the bottom field of an interlaced frame is shown before the top one. */
  bottomFirst?: boolean;
  /** What becomes of frames that are re-encoded. */
  deinterlace: Deinterlace;
  /** Why fields cannot be kept although the request wants it, as the rest of a sentence. */
  fieldsLost?: string;
  /** True for PQ and HLG. */
  hdr: boolean;
  mastering: Mastering | null;
  /** Profile of Dolby Vision, if only its decoders know what the colors of the pictures mean. Absent if any decoder does. */
  dolbyVisionOnly?: number;
  /** Such as `1/15360`. */
  timeBase: string;
  /** Average frame rate as a fraction; null if unknown. */
  frameRate: string | null;
  /** Average duration of a frame in seconds. */
  frameDuration: number;
  /** Delay of decoded frames in packets if the container states decoding times only; 0 if it states presentation times. */
  decodeDelay: number;
  /** Whether a muxer wrote decoding times in place of presentation times. */
  timedByDecoding?: boolean;
  /** Whether it begins with packets of which nothing can be decoded, as recordings that were joined within a group of pictures. */
  withinGroup?: boolean;
  /** `constant` only if every timestamp is known to lie on the grid of `frameRate`. */
  pace: 'constant' | 'variable' | 'unknown';
  frames: number | null;
  /** Time of the first frame, in the file's timestamps; 0 for a still image. */
  startTime: number;
  /** Seconds from `startTime` to the end of the last frame; 0 for a still image. */
  duration: number;
  /** The stated bitrate, otherwise the file's bitrate minus the other streams'; null if unknown. */
  kbps: number | null;
}

/** Duration of one tick of a stream in seconds. */
export function timeUnit({ timeBase }: { timeBase: string }): number {
  const [numerator = 1, denominator = 1] = timeBase.split('/').map(Number);
  return numerator / denominator;
}

/** Whether players show the coded picture neither rotated nor mirrored. */
export const isStoredUpright = ({
  rotation,
  mirrored = false,
}: Pick<VideoStream, 'rotation' | 'mirrored'>): boolean => rotation === 0 && !mirrored;

/** A video stream as its container describes it, without the times, which `probe/track-times.ts` decides. */
export type StatedVideo = Omit<VideoStream, 'startTime' | 'duration'>;

const inDecodingOrder: readonly Demuxer[] = ['avi'];

/** Whether packets have presentation times, not just decoding times. */
export const holdsPresentationTimes = (format: Demuxer): boolean => !inDecodingOrder.includes(format);

const withPaletteAside: readonly string[] = [
  ...['rawvideo', 'cinepak', 'msvideo1', 'msrle', 'qtrle', 'smc', '8bps', 'qpeg', 'kmvc', 'tscc'],
];

/** Whether the palette that the pictures of a codec may have is in the header of the container, not in their packets. */
export const hasPaletteAside = (codec: string): boolean => withPaletteAside.includes(codec);

const unindexed: readonly Demuxer[] = ['mpegts', 'flv'];

/** Whether packets have presentation times, but no index leads to keyframes. */
export const isUnindexed = (format: Demuxer): boolean => unindexed.includes(format);

/** Whether files that were joined byte by byte can be read to their end; the clock of each begins again. */
export const mayBeJoined = (format: Demuxer): boolean => isUnindexed(format) || format === 'matroska';

/** Whether the times of a stream's packets say when its frames are shown; otherwise only decoding from the beginning does. */
export const isTimedByPackets = ({
  decodeDelay,
  timedByDecoding,
}: Pick<VideoStream, 'decodeDelay' | 'timedByDecoding'>): boolean => decodeDelay === 0 && !timedByDecoding;

/** Whether a field order as ffprobe prints it names fields. */
export const isInterlaced = (order: unknown): boolean =>
  typeof order === 'string' && /^[tb][tb]$/.test(order);

/** Whether a pixel format has an alpha channel. */
export function isTransparent(pixelFormat: string): boolean {
  return /^(rgba|argb|bgra|abgr|ya|gbrap|yuva)/.test(pixelFormat);
}

/** Whether a transfer function is that of PQ or HLG (ITU-R BT.2100). */
export const isHdr = (transfer: string | null): boolean =>
  transfer === 'smpte2084' || transfer === 'arib-std-b67';
