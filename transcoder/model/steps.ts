import type { EngineId } from '../../schema/media/engines.ts';
import type { VisualStyleName } from '../../schema/media/visual-styles.ts';
import type { AudioContainer, VideoContainer } from '../../schema/operations/fields/fields.ts';
import type { Demuxer } from './demuxers.ts';
import type { Drawing } from './drawing.ts';
import type { MapShape } from './map-shape.ts';
import type { SpliceRequest, TrimRequest } from './splice.ts';

/** One run of ffmpeg as data: inputs, filter chains between labels, outputs. Its flags are spelled in arguments.ts. */
export interface Render {
  kind: 'render';
  inputs: Input[];
  chains: Chain[];
  outputs: Output[];
  /** Seconds of output to expect, for progress, and so that a source that goes on past its end is seen; null for pictures. */
  seconds: number | null;
  /** As much of the task's time as so many seconds of video that is encoded; `seconds` where it is left out. */
  weight?: number;
  /** Seconds of source that are decoded before the first frame comes out. */
  lead: number;
}

/** Writes the list that joins files of earlier steps end to end; an entry lasts up to the first frame of the next. */
export interface WriteList {
  kind: 'list';
  file: string;
  entries: { file: string; seconds: number | null }[];
}

/** Makes one raw sound file of those of earlier steps, byte by byte, and deletes them. */
export interface Append {
  kind: 'append';
  file: string;
  parts: string[];
}

/** Writes a JSON document. */
export interface WriteDocument {
  kind: 'document';
  file: string;
  content: unknown;
}

/** Writes a text. */
export interface WriteText {
  kind: 'text';
  file: string;
  text: string;
}

/** Brings raw sound to a loudness, its peaks within bounds, sample for sample; `gain_db` and what it is then go into the result. */
export interface Level {
  kind: 'level';
  from: string;
  file: string;
  sampleRate: number;
  channels: number;
  samples: number;
  /** LUFS; null to lower it only where it would clip. */
  lufs: number | null;
}

/** Takes raw stereo sound apart into its voices and the rest, which add up to it. */
export interface Separate {
  kind: 'separate';
  /** Best first; where the model of one does not load, the next one does it. */
  engines: EngineId[];
  from: string;
  sampleRate: number;
  /** Are written; null for what is not wanted. */
  vocals: string | null;
  music: string | null;
  /** Of the sound. */
  seconds: number;
  /** What the result calls the engine that has done it. */
  as: 'engine' | 'separation';
  /** Which source it is of, for what may be wrong with it. */
  source: number;
  /** What sound is whose channels are the same, where the engine needs that they are not. */
  alike: 'refused' | 'all voice';
}

/** Gives raw speech of one channel another voice, sample for sample; what came of it goes into the result. */
export interface Convert {
  kind: 'convert';
  /** Best first; where the model of one does not load, the next one does it. */
  engines: EngineId[];
  from: string;
  file: string;
  sampleRate: number;
  samples: number;
  /** Semitones by which pitch and formants move, beside what a sample asks for. */
  shift: { pitch: number; formant: number };
  /** Raw speech in the voice that is wanted, of the same rate. */
  sample: string | null;
  /** The provider's, that is wanted. */
  voice: string | null;
}

/** Lowers raw sounds, all alike, so that none of them clips; `gain_db` goes into the result. */
export interface Headroom {
  kind: 'headroom';
  files: string[];
}

/** Plays raw speech of one channel faster, its pitch kept, so that it has so many samples. */
export interface Stretch {
  kind: 'stretch';
  from: string;
  file: string;
  sampleRate: number;
  samples: number;
}

/** Lays raw sounds of one channel at their samples into silence. */
export interface Place {
  kind: 'place';
  file: string;
  /** Of the whole. */
  samples: number;
  /** At most so many samples of each, the last `fade` of them falling to silence. */
  parts: { file: string; at: number; samples: number; fade: number }[];
}

/** Draws the grey picture (PGM) of a transition: the brighter a pixel, the earlier it changes over. */
export interface WriteMap {
  kind: 'map';
  file: string;
  shape: MapShape;
  width: number;
  height: number;
}

/** The colours of a visualizer: one for every pixel of its frames, of which the mask then shows more or less. */
export interface Palette {
  style: VisualStyleName;
  width: number;
  height: number;
  /** Pixels at every edge into which the first and the last colour go on. */
  margin: number;
  /** `#rrggbb`, from one to four. */
  colors: readonly string[];
}

/** Draws the colours of a visualizer (PPM). */
export interface WritePalette extends Palette {
  kind: 'palette';
  file: string;
}

/** Draws a white square with round corners (PGM); a disc where `radius` is half the side. */
export interface WriteRounded {
  kind: 'rounded';
  file: string;
  side: number;
  radius: number;
}

/** Estimates how near everything in a picture (PPM) is, as one float a pixel, more being nearer. */
export interface EstimateDepth {
  kind: 'depth';
  picture: string;
  file: string;
}

/** A stream that a splice takes pieces or sound from: of a source, or of a file that an earlier step has made. */
export type SpliceInput =
  | { source: number; stream: number }
  | { file: string; format: Demuxer; stream: number };

/** Copies packets and encodes the frames between them, in one pass of the engine. */
export interface Splice
  extends Pick<
    SpliceRequest,
    'codec' | 'container' | 'pieces' | 'frame' | 'until' | 'audio' | 'text' | 'metadata'
  > {
  kind: 'splice';
  file: string;
  /** The first is the model of the output: time base, codec parameters, display matrix, colour. */
  inputs: SpliceInput[];
  /** Seconds of output. */
  seconds: number;
}

/** Copies a range of sound to an m4a of its own, cut to the sample by its edit list. */
export interface Trim extends Pick<TrimRequest, 'start' | 'end' | 'settle'> {
  kind: 'trim';
  file: string;
  input: SpliceInput;
  /** Of output. */
  seconds: number;
}

/** What a run of ffmpeg does with sound alone, done by the engine: it reads its sources by range. */
export interface Mix extends Omit<Render, 'kind'> {
  kind: 'mix';
}

export type Step =
  | Render
  | Mix
  | Splice
  | Trim
  | WriteList
  | Append
  | WriteDocument
  | WriteText
  | WriteMap
  | Level
  | Separate
  | Headroom
  | Convert
  | Stretch
  | Place
  | WritePalette
  | WriteRounded
  | EstimateDepth;

export type Input =
  | {
      source: number;
      /** Where reading begins: at the keyframe before this timestamp of the file; null for its beginning. */
      seek: number | null;
      /**
       * For copying: begins exactly at `seek` and shifts timestamps to 0; without `seek`, copies all and shifts `zero` to 0.
       */
      copy?: boolean;
      /** Frames as they are coded, not turned upright. */
      coded?: boolean;
      /** Begin again at its end, for ever. */
      loop?: boolean;
      /** The second of the file that is 0 of the result, where inputs follow one another in it or are copied whole. */
      zero?: number;
    }
  | {
      list: string;
      /** Seconds from 0 to the first frame. */
      delay?: number;
    }
  | { raw: string; sampleRate: number; channels: number }
  | { pictures: string }
  | { map: string }
  /** Captions in SubRip. */
  | { subtitles: string }
  /** Frames that a process of ours draws meanwhile; one in a run. */
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
  /** `0:1` is stream 1 of input 0; other labels are made by chains. */
  from: string[];
  filters: Filter[];
  to: string[];
}

export const encoderOf = {
  h264: ['libx264'],
  hevc: ['libx265'],
  vp9: ['libvpx-vp9'],
  av1: ['libsvtav1', 'libaom-av1'],
} as const;
export type VideoEncoder = (typeof encoderOf)[keyof typeof encoderOf][number];

/** `crf` with an upper bound where one is known, or an average bitrate. */
export type Rate = { crf: number; maxKbps: number | null } | { kbps: number };

/** Tags as ffmpeg names them; null where the source has none. */
export interface Color {
  space: string | null;
  transfer: string | null;
  primaries: string | null;
  range: string | null;
}

/** HDR10 static metadata in the notation of x265. */
export interface Mastering {
  display: string | null;
  light: string | null;
}

export interface VideoEncoding {
  encoder: VideoEncoder;
  rate: Rate;
  pixelFormat: string;
  /** Unit of timestamps, such as `1/15360`; those of the source are kept in it. */
  timeBase: string;
  keyframeInterval: number;
  /** False where timestamps are irregular and files are joined afterwards. */
  reorder: boolean;
  color: Color;
  mastering: Mastering | null;
  /** Profile and private parameters by which the packets can be spliced into another stream. */
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

export interface AudioEncoding {
  encoder: AudioEncoder;
  /** Null for lossless. */
  kbps: number | null;
}

export type Still = 'jpeg' | 'png' | 'webp';

/** Pixels behind a line of text, for ourselves. */
export type Pixels = 'ppm' | 'pgmyuv';

export type Output =
  | {
      file: string;
      container: VideoContainer | AudioContainer;
      video: {
        from: string;
        encode: VideoEncoding | { copy: CopiedVideo };
        /** The second of the output up to which its last frame is shown, where frames are not reordered. */
        until?: number;
      } | null;
      audio: { from: string; encode: AudioEncoding | 'copy' } | null;
      text?: { from: string; codec: 'mov_text' | 'subrip' | 'webvtt'; language: string };
      /** Ends every stream here, in seconds; for copying. */
      end?: number;
      metadata?: FileMetadata;
    }
  | { file: string; container: 'raw'; from: string }
  | { file: string; container: Still | Pixels; from: string; quality: number };

/** What a file says of itself, in our own words. */
export interface FileMetadata {
  comment: string;
}

export interface CopiedVideo {
  codec: string;
  /** Ends after this many packets. */
  packets: number | null;
  /** Says of them that there is an alpha beside each picture. */
  alpha?: boolean;
}
