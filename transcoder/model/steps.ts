import type { PackagedFont } from '../../schema/media/caption-presets.ts';
import type { Demuxer } from '../../schema/media/demuxers.ts';
import type { EngineId } from '../../schema/media/engines.ts';
import type { VisualStyleName } from '../../schema/media/visual-styles.ts';
import type { PresetShift } from '../../schema/media/voice-presets.ts';
import type { AudioContainer, VideoContainer } from '../../schema/operations/fields/fields.ts';
import type { ChannelLayout } from './channel-layouts.ts';
import type { Drawing } from './drawing.ts';
import type { AudioEncoding, VideoEncoding } from './encoding.ts';
import type { MapShape } from './map-shape.ts';
import type { SpliceRequest, TrimRequest } from './splice.ts';

/** One run of ffmpeg as data: inputs, labeled filter chains, outputs. arguments.ts turns it into flags. */
export interface Render {
  kind: 'render';
  inputs: Input[];
  chains: Chain[];
  outputs: Output[];
  /** Expected seconds of output, for progress and to detect a source that runs past its end; null for pictures. */
  seconds: number | null;
  /** Share of the task's time, in seconds of encoded video; defaults to `seconds`. */
  weight?: number;
  /** Seconds of source decoded before the first frame is output. */
  lead: number;
}

/** Writes the concat list of files from earlier steps; each entry lasts until the first frame of the next one. */
export interface WriteList {
  kind: 'list';
  file: string;
  entries: { file: string; seconds: number | null }[];
}

/** Concatenates raw sound files of earlier steps, of which one may be repeated, and deletes them. */
export interface Append {
  kind: 'append';
  file: string;
  parts: string[];
}

/** Adds raw sound to other sound of the same form, which is changed in place. */
export interface Add {
  kind: 'add';
  file: string;
  from: string;
}

export interface WriteDocument {
  kind: 'document';
  file: string;
  content: unknown;
}

/** Writes a font that comes with the transcoder, for a filter to draw with. */
export interface WriteFont {
  kind: 'font';
  file: string;
  family: PackagedFont;
  bold: boolean;
}

export interface WriteText {
  kind: 'text';
  file: string;
  text: string;
}

/** Normalizes raw sound to a loudness within peak limits, without moving samples; adds `gain_db` and the final values to the result. */
export interface Level {
  kind: 'level';
  from: string;
  file: string;
  sampleRate: number;
  channels: number;
  samples: number;
  /** LUFS; null to lower it only if it would clip. */
  lufs: number | null;
}

/** Separates raw stereo sound into vocals and the rest, which add up to the original. */
export interface Separate {
  kind: 'separate';
  /** Best first; if an engine's model does not load, the next one is used. */
  engines: EngineId[];
  from: string;
  sampleRate: number;
  /** Output file; null if not wanted. */
  vocals: string | null;
  music: string | null;
  /** Duration of the sound. */
  seconds: number;
  /** Result field that names the engine used. */
  as: 'engine' | 'separation';
  /** Index of the source to blame for a failure. */
  source: number;
  /**
   * How to treat sound whose channels differ in nothing but level and polarity, if the engine needs a stereo difference. `all voice`
   * also looks for the voice at other places than the center.
   */
  alike: 'refused' | 'all voice';
}

/** Converts raw mono speech to another voice, without moving samples; adds a report to the result. */
export interface Convert {
  kind: 'convert';
  /** Best first; if an engine's model does not load, the next one is used. */
  engines: EngineId[];
  from: string;
  file: string;
  sampleRate: number;
  samples: number;
  /** A preset's shift, which depends on the pitch of the voice. */
  preset: PresetShift | null;
  /** Shift of pitch and formants in semitones, in addition to that of the preset or towards `sample`. */
  shift: { pitch: number; formant: number };
  /** Raw speech in the target voice, at the same sample rate. */
  sample: string | null;
  /** Target voice of a provider. */
  voice: string | null;
}

/** Lowers raw sounds by the same gain, which keeps all of them from clipping; adds `gain_db` to the result. */
export interface Headroom {
  kind: 'headroom';
  files: string[];
}

/** Time-stretches raw sound to a number of samples, preserving its pitch. */
export interface Stretch {
  kind: 'stretch';
  from: string;
  file: string;
  sampleRate: number;
  channels: number;
  samples: number;
}

/** Turns raw sound round in place: its last sample comes first. */
export interface Backwards {
  kind: 'backwards';
  file: string;
  channels: number;
}

/** Places raw mono sounds at their sample offsets in silence. */
export interface Place {
  kind: 'place';
  file: string;
  /** Length of the result. */
  samples: number;
  /** `samples` is the most to use of each file; the last `fade` of them fade out. */
  parts: { file: string; at: number; samples: number; fade: number }[];
}

/** Draws the greyscale map (PGM) of a transition: brighter pixels switch earlier. */
export interface WriteMap {
  kind: 'map';
  file: string;
  shape: MapShape;
  width: number;
  height: number;
}

/** Colors of a visualizer, one per pixel of its frames; the mask controls how much of each shows. */
export interface Palette {
  style: VisualStyleName;
  width: number;
  height: number;
  /** Pixels at every edge, filled by extending the first and last color. */
  margin: number;
  /** One to four colors as `#rrggbb`. */
  colors: readonly string[];
}

/** Draws the colors of a visualizer (PPM). */
export interface WritePalette extends Palette {
  kind: 'palette';
  file: string;
}

/** Draws a white square with rounded corners (PGM); a disc if `radius` is half the side. */
export interface WriteRounded {
  kind: 'rounded';
  file: string;
  side: number;
  radius: number;
}

/** Estimates the depth of a picture (PPM) as one float per pixel; higher values are nearer. */
export interface EstimateDepth {
  kind: 'depth';
  picture: string;
  file: string;
}

/** A stream to splice from: of a source, or of a file from an earlier step. */
export type SpliceInput =
  | { source: number; stream: number }
  | { file: string; format: Demuxer; stream: number };

/** Copies packets and re-encodes the frames between them, in one pass of the engine. */
export interface Splice extends Omit<SpliceRequest, 'kind' | 'inputs' | 'file'> {
  kind: 'splice';
  file: string;
  /** The first one is the model of the output: timebase, codec parameters, display matrix, color. */
  inputs: SpliceInput[];
  /** Seconds of output. */
  seconds: number;
}

/** Copies a range of audio to its own m4a file, trimmed to the sample by an edit list. */
export interface Trim extends Pick<TrimRequest, 'start' | 'end' | 'settle' | 'rate' | 'label'> {
  kind: 'trim';
  file: string;
  input: SpliceInput;
  /** Seconds of output. */
  seconds: number;
}

/** An audio-only filter run in the engine, which reads its sources by byte range. */
export interface Mix extends Omit<Render, 'kind'> {
  kind: 'mix';
}

/** Copies packets of a source into another container, with other tags, chapters, covers and flags, and proves the copy. */
export interface Remux {
  kind: 'remux';
  file: string;
  container: VideoContainer | AudioContainer;
  /** The demuxer for the file. */
  format: Demuxer;
  source: number;
  /** Second of the source that becomes 0. */
  zero: number;
  /** Tracks of the output, in order. */
  tracks: RemuxTrack[];
  /** Pictures, each attached to the source or a source itself. */
  covers: Cover[];
  /** A file of an earlier step with the tags of the file and of each track, and chapters. */
  tags: string;
  /** Whether tags are written as QuickTime keys, which can have any name. */
  keyed: boolean;
  /** Seconds of output. */
  seconds: number;
}

export interface RemuxTrack {
  /** Index in the source. */
  stream: number;
  type: 'video' | 'audio' | 'subtitle' | 'data' | 'attachment';
  /** Four characters that name the codec to players; null for the muxer's choice. */
  tag: string | null;
  flags: string[];
  /** Seconds to add to its times. */
  delay: number;
}

export type Cover = ({ stream: number } | { source: number }) & {
  still: CoverFormat;
  /** Whether to remove its metadata. */
  bare: boolean;
};

export type CoverFormat = 'jpeg' | 'png';

export type Step =
  | Render
  | Remux
  | Mix
  | Splice
  | Trim
  | WriteList
  | Append
  | Add
  | WriteDocument
  | WriteText
  | WriteFont
  | WriteMap
  | Level
  | Separate
  | Headroom
  | Convert
  | Stretch
  | Backwards
  | Place
  | WritePalette
  | WriteRounded
  | EstimateDepth;

export type Input =
  | {
      source: number;
      /** Seek position: reading begins at the keyframe before this timestamp of the file; null for the beginning. */
      seek: number | null;
      /** Timestamp of the file up to which it is read; null for its end, absent if that depends on what is read. */
      end?: number | null;
      /**
       * For copying: begins exactly at `seek` and shifts timestamps to 0. Without `seek`, copies everything and shifts `zero` to 0.
       */
      copy?: boolean;
      /** Whether to keep frames as coded, without rotating them upright. */
      coded?: boolean;
      /** Whether to restart it at its end, endlessly. */
      loop?: boolean;
      /** Second of the file that becomes 0 of the result, if inputs follow one another or are copied whole. */
      zero?: number;
    }
  | {
      list: string;
      /** Time of the first frame in seconds. */
      delay?: number;
    }
  | { raw: string; sampleRate: number; layout: ChannelLayout }
  | { pictures: string }
  | { map: string }
  /** Subtitles in SubRip format. */
  | { subtitles: string }
  /** Chapters in ffmpeg's format. */
  | { chapters: string }
  /** A media file of an earlier step, to copy. */
  | { made: string; format: Demuxer /** Seconds that are added to its times. */; late?: number }
  /** Frames drawn by a child process during the run; at most one per run. */
  | { drawing: Drawing };

export interface Filter {
  name: string;
  options?: Record<string, string | number>;
}

/** Options of `aresample`: fill gaps longer than 10 ms. Shorter ones are rounding of timestamps by the container. */
export const withoutGapsOptions = { async: 1, min_hard_comp: 0.01, first_pts: 0 };
/** Options of `aresample` for looped sound: encoder padding between repeats is not a gap to fill. */
export const repeatedOptions = { async: 1, first_pts: 0 };

export interface Chain {
  /** `0:1` is stream 1 of input 0; chains define the other labels. */
  from: string[];
  filters: Filter[];
  to: string[];
}

export type Still = 'jpeg' | 'png' | 'webp';

/** Formats of pixels after a text header, for internal files. */
export type Pixels = 'ppm' | 'pgmyuv';

export type Output =
  | {
      file: string;
      container: VideoContainer | AudioContainer;
      video: {
        from: string;
        encode: VideoEncoding | { copy: CopiedVideo };
        /** Second of the output at which its last frame ends, if frames are not reordered. */
        until?: number;
      } | null;
      audio: { from: string; encode: AudioEncoding | 'copy' } | null;
      /** Further sound, copied. */
      sounds?: { from: string; label: TrackLabel }[];
      texts?: { from: string; codec: TextCodec; label: TrackLabel }[];
      /** Of the picture and of the first sound; null for none. */
      labels?: TrackLabels;
      /** Index of the input whose chapters it gets. */
      chapters?: number;
      /** Second at which every stream ends; for copying. */
      end?: number;
      metadata?: FileMetadata;
    }
  | { file: string; container: 'raw'; from: string }
  | { file: string; container: Still | Pixels; from: string; quality: number };

/** What a container says of a track to people who choose one. */
export interface TrackLabel {
  /** ISO 639-2; null if unknown. */
  language: string | null;
  title: string | null;
  /** Whether players choose it by themselves. */
  default: boolean;
}

export interface TrackLabels {
  video: TrackLabel | null;
  audio: TrackLabel | null;
}

export type TextCodec = 'mov_text' | 'subrip' | 'webvtt';

/** Metadata that Spool writes; never text of the caller. */
interface FileMetadata {
  comment: string;
}

export interface CopiedVideo {
  codec: string;
  /** Ends after this many packets. */
  packets: number | null;
  /** Whether to tag the stream as having an alpha picture in each packet. */
  alpha?: boolean;
  /** Whether only decoders of Dolby Vision know its colors. */
  dolbyVision?: boolean;
}
