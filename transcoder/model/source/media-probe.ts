import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { Chapter } from './contents.ts';
import { isTimedByPackets, type VideoStream } from './video-stream.ts';

/** Everything known about a source without reading all of its packets. */
export type MediaProbe = StillProbe | MovingProbe;

interface SourceFacts {
  format: Demuxer;
  /** Display name of the container: `mp4`, `mkv`, … */
  container: string;
  fileSize: number;
  /** Timestamp in the file that players show as time 0; may be negative. */
  origin: number;
  kbps: number | null;
  /** Absent if the source states none. */
  timecode?: StartTimecode;
  streams: StreamFacts[];
  /** Tracks of the source that it has no more since it was remuxed; absent if there are none. */
  lost?: readonly StreamFacts[];
  /** By start; at most one more than are kept. */
  chapters: readonly Chapter[];
  /** The video stream that players select; never an attached picture. */
  video: VideoStream | null;
  /** The audio stream that players select. */
  audio: AudioStream | null;
}

/** The timecode of the first picture. */
export interface StartTimecode {
  /** `HH:MM:SS:FF`, with a semicolon or a dot before the frames if it is drop-frame. */
  text: string;
  /** Frames per second that it counts; null if nothing says so. */
  perSecond: number | null;
}

/** A still image, without a duration. */
export interface StillProbe extends SourceFacts {
  still: true;
  duration: null;
  audio: null;
}

export interface MovingProbe extends SourceFacts {
  still: false;
  /** Seconds from `origin` to the end of the last track. */
  duration: number;
}

export interface StreamFacts {
  index: number;
  type: 'video' | 'audio' | 'subtitle' | 'data' | 'attached_picture';
  codec: string;
  /** Of a data track, four characters of the container that name what it holds, such as `gpmd`; null if it states none. */
  tag: string | null;
  profile: string | null;
  /** Seconds; null if unknown. */
  duration: number | null;
  /** In the file's timestamps; null if unknown. */
  startTime: number | null;
  kbps: number | null;
  language: string | null;
  /** As its file names it; a stranger's text. */
  title: string | null;
  default: boolean;
  /** How many times as fast as usual an edit list shows it; absent if that is once. */
  editRate?: number;
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
  /** Time of the first audible sample, in the file's timestamps. */
  startTime: number;
  /** Seconds from `startTime` to the end. */
  duration: number;
  kbps: number | null;
  /** Such as `1/48000`. */
  timeBase: string;
  /** Whether packets state the time at which they end; see `BlockTimes`. */
  endsStated: boolean;
  /** Whether packets state neither their time nor their length, as laced ALAC in Matroska. Absent if they do. */
  untimed?: boolean;
  /** Whether only the first of several recordings is described, as of chained Ogg, or only its first page is timed rightly. Absent if not. */
  chained?: boolean;
  /** Whether files were joined byte by byte, of which only the first one is described. Absent if not. */
  joined?: boolean;
  /** Whether packets have the times at which they arrived; see `isUnsteady`. Absent if not. */
  unsteady?: boolean;
  /** Whether libav cannot seek in it, because the header states wrong bytes per second. Absent if not. */
  miscounted?: boolean;
  /** Whether ffmpeg, or an older version of it, decodes its samples wrongly, at other times, or not at all. Absent if not. */
  misread?: boolean;
  /** Whether an edit list shows it in several pieces, between which there are packets that it hides. Absent if not. */
  inPieces?: boolean;
  /** Whether parts of it are described differently, and only decoders know where they begin. Absent if not. */
  redescribed?: boolean;
}

/** An audio stream as its container describes it, without what `probe/track-times.ts` finds in packets. */
export type StatedAudio = Omit<AudioStream, 'startTime' | 'duration' | 'endsStated'>;

/** Indices of the tracks of moving pictures. */
export const videoTracks = ({ streams }: MediaProbe): number[] =>
  streams.filter(({ type }) => type === 'video').map(({ index }) => index);

/**
 * Formats whose index leads to a keyframe; others are read from the beginning. The index of flv uses decoding times and leads to
 * keyframes that are shown too late.
 */
const indexed: readonly Demuxer[] = ['mov', 'matroska', 'wav', 'flac', 'avi'];

/** Whether the place of samples follows from the bytes per second that the header states, which ffmpeg itself writes wrongly for ADPCM. */
const isCounted = ({ codec, miscounted }: AudioStream): boolean => codec.startsWith('pcm_') && !miscounted;

/** Whether a seek lands on a keyframe at or before its target or, for audio, on the exact sample. */
export function canSeek(probe: MediaProbe): boolean {
  // With decoding times only, the decoder's frame times are unreliable after a seek.
  if (probe.video && !isTimedByPackets(probe.video)) return false;
  if (probe.format === 'wav' && probe.audio && !isCounted(probe.audio)) return false;
  return indexed.includes(probe.format);
}
