import type { EngineId } from '../../schema/media/engines.ts';
import type { OutputMediaType } from '../../schema/media/media-types.ts';
import type { RenderReason } from '../../schema/operations/fields/spans.ts';
import type { TimeMap, Warning } from '../../schema/task/task.ts';
import type { Job } from '../../schema/task/wire.ts';
import type { Capabilities } from './capabilities.ts';
import type { ChannelLayout } from './channel-layouts.ts';
import type { Deinterlacing } from './deinterlacing.ts';
import type { BroughtLetters, Letters } from './letters.ts';
import type { Interval } from './numbers/interval.ts';
import type { TextRead, TextRequest } from './read-text.ts';
import type { Chapter, Contents } from './source/contents.ts';
import type { MediaProbe } from './source/media-probe.ts';
import type { Orientation } from './source/orientation.ts';
import type { Packet, Packets } from './source/packets.ts';
import type { RgbProfile } from './source/rgb-profile.ts';
import type { VideoStream } from './source/video-stream.ts';
import type { Surveyed } from './splice.ts';
import type { Filter, Step } from './steps.ts';
import type { Subject } from './subject.ts';
import type { Voice } from './voice.ts';

export type Limits = Job['limits'];

/** What a planner needs to know in addition to the probe; see media/analyses/. Times are in the file's timestamps. */
export type Analysis =
  /** `most`: bytes; nothing is listed of a source of which more would have to be fetched. */
  | { kind: 'packets'; source: number; intervals: Interval[]; most?: number }
  | { kind: 'pictures'; source: number; moments: Moment[]; skipBlack: boolean; drawing: Drawing }
  /** `mixed`: the layout that its channels are mixed to, if that is what is measured. `span`: what is measured, if that is not all. */
  | { kind: 'loudness'; source: number; stream: number; mixed?: ChannelLayout; span?: Read }
  | { kind: 'levels'; source: number; stream: number }
  /** Where there is a voice, if the engine for it is available. */
  | { kind: 'voice'; source: number; stream: number }
  | { kind: 'tail'; source: number }
  /** Speaks lines into files of the job's directory, all with the first engine that works. */
  | { kind: 'speech'; engines: EngineId[]; language: string; lines: SpeechLine[] }
  /** Loads the fonts that captions are drawn with. `brought`: whether the caller brings one of them. */
  | { kind: 'letters'; brought: boolean }
  /** Transcribes speech word by word with the first engine that works, and aligns it to a script if there is one. */
  | WordsAnalysis
  | SpeakersAnalysis
  /** How a still picture is displayed. */
  | { kind: 'display'; source: number }
  /** Reads the cues of text tracks: all of them, or at least those that are shown in some spans, in seconds of the source's clock. */
  | { kind: 'texts'; source: number; streams: number[]; spans: [number, number][] | null }
  /** Tags, chapters and flags. */
  | { kind: 'contents'; source: number }
  /** Faces and salient spots. */
  | SubjectAnalysis
  /** Ticks of the video stream, from and to; ascending and disjoint. */
  | { kind: 'survey'; source: number; ranges: [number, number][] };

export interface SubjectAnalysis {
  kind: 'subject';
  source: number;
  /** Filters that turn the first picture upright, where it alone is seen; null for all frames, which ffmpeg turns. */
  photo: Filter[] | null;
  /** Size at which upright frames are looked at. */
  frame: { width: number; height: number };
  /** What will be seen of the picture, as shares of its sides. */
  crop: { width: number; height: number };
}

export interface SpeechLine {
  id: string;
  text: string;
  /** The requested voice; null to use `voices`. */
  voiceId: string | null;
  /** Default voice of each engine. */
  voices: Partial<Record<EngineId, string | null>>;
  /** 1 is normal. */
  speed: number;
}

/** Spoken lines by id: raw mono files of 32-bit floats, without silence at either end. */
export interface Spoken {
  engine: EngineId;
  /** The model, if the engine has no fixed one. */
  model?: string | null;
  sampleRate: number;
  files: Record<string, SpokenLine>;
}

export interface SpokenLine {
  file: string;
  sampleRate: number;
  samples: number;
  /** Speed relative to the first time the line was spoken. */
  hurry: number;
  /** Speed relative to the engine's usual one. */
  speed: number;
}

export interface WordsAnalysis {
  kind: 'words';
  source: number;
  stream: number;
  engines: EngineId[];
  script: string | null;
  /** Expected terms, for speech without a script. */
  vocabulary: readonly string[];
  /** Requested language of the speech; null if unknown. */
  language: string | null;
}

/** Finds who speaks when. */
export interface SpeakersAnalysis {
  kind: 'speakers';
  source: number;
  stream: number;
  engine: EngineId;
  /** How many people speak at most; null if unknown. */
  count: number | null;
  /** Whether the task fails without it. */
  needed: boolean;
}

export interface SpeakersHeard {
  engine: EngineId;
  /** Seconds of the source, by start; speakers are numbered from 0 and may overlap. */
  turns: { start: number; end: number; speaker: number }[];
}

/** A word and the seconds of the source in which it is spoken. */
export interface SpokenWord {
  text: string;
  start: number;
  end: number;
  /** Whether it follows the previous word without a space. */
  glued: boolean;
  /** 0–1; null if the engine reports none. */
  confidence: number | null;
}

export interface Heard {
  engine: EngineId;
  words: SpokenWord[];
  /** Share of a script's words that were not recognized as written. */
  missed: number;
  /** The model, if the engine has no fixed one. */
  model?: string | null;
  /** The language that the engine recognized, as a BCP 47 tag. */
  language?: string | null;
  /** Words whose times were placed by their length, because the engine reported none. */
  guessed?: number;
}

/** A moment of a video: seconds after its start, or seconds before the end of its last frame. */
export type Moment = { at: number } | { beforeEnd: number };

/** How the engine draws the pictures that it finds, each into a file of the job's directory. */
export interface Drawing {
  filters: Filter[];
  format: 'jpeg' | 'png' | 'pam';
  /** For jpeg, 1 to 100. */
  quality: number;
  files: string[];
}

/**
 * A frame that decodes. If the engine has drawn it, its file already exists; otherwise `seek` is the timestamp at which reading
 * begins (null: the file's beginning).
 */
export interface Picture {
  pts: number;
  seek: number | null;
  drawn: boolean;
}

export interface Loudness {
  integrated: number;
  range: number;
  truePeak: number;
  threshold: number;
}

/** Levels per 10 ms from the start of the source; 1 is full scale. Each is that of the loudest channel. */
export interface Levels {
  peak: Float32Array;
  rms: Float32Array;
}

/** A text and the seconds during which it is shown. */
export interface TextCue {
  start: number;
  end: number;
  text: string;
}

export interface TextTrack {
  stream: number;
  cues: TextCue[];
  /** Whether its cues are too many, and none of them is here. Absent if not. */
  tooLong?: boolean;
}

export interface SourceFacts {
  /** In decoding order, without duplicates and without hidden packets. */
  packets?: Packets;
  /** One per moment; null if the video has no frame there. */
  pictures?: (Picture | null)[];
  /** Null if everything is silent. */
  loudness?: Loudness | null;
  /** Seconds from the start of the file to the end of the sound whose loudness was measured, as decoded. */
  heard?: number;
  /** Null if libav could not survey the source. */
  survey?: Surveyed | null;
  levels?: Levels;
  /** Null if the engine that detects voices is unavailable. */
  voice?: Voice | null;
  words?: Heard;
  /** Null if the engine could not distinguish them. */
  speakers?: SpeakersHeard | null;
  /** By text track, in the file's timestamps. */
  texts?: TextTrack[];
  contents?: Contents;
  /** For a still image. */
  orientation?: Orientation;
  /** What the numbers of a still image mean; null for sRGB. */
  colors?: RgbProfile | null;
  subject?: Subject;
  /** Packets of the last seconds of video, in decoding order; empty if it has no frame. */
  tail?: Packet[];
}

/** Facts about the first source and, in `sources`, about each source by index. */
export interface Facts extends SourceFacts {
  speech?: Spoken;
  letters?: Letters | BroughtLetters;
  sources?: readonly SourceFacts[];
}

/** A region of a picture, as shares of its sides. */
export interface Region {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A region of an upright picture, and the region of another picture that shows it. */
export interface Place {
  of: Region;
  at: Region;
}

/** How a file shows frames of the sources, which verification needs to identify them; the time map says when. */
interface Identity {
  /** By source, the visible region of its upright picture, and where it is shown; omitted sources fill the picture. */
  places?: Record<number, Place>;
  /** For a single source whose visible region moves: spans of the result in which it stands still. Only they are compared. */
  still?: readonly { from: number; to: number; place: Place }[];
  /** Filters in ffmpeg's syntax that turn or mirror the upright pictures of all sources. */
  turn?: string;
  /** Seconds at either end that fade. */
  fades?: { in: number; out: number };
  /** Sources whose frames are repeated or dropped to reach a constant frame rate. */
  grid?: readonly number[];
  /** Whether the sources' own audio plays where the time map says. */
  heard?: boolean;
  /** Spans of the result with an overlay, in seconds. */
  overlaid?: readonly (readonly [from: number, to: number])[];
}

export interface ExpectedMedia {
  file: string;
  /** The demuxer for the file. */
  format: string;
  video: { codec: string; width: number; height: number; frames: number | null } | null;
  audio: { codec: string } | null;
  /** Further sound tracks: the stream that each plays of every source. */
  sounds?: { streams: number[]; codec: string }[];
  /** Text tracks. */
  texts?: { codec: string }[];
  /** In seconds of the file, where its titles are on one line each. */
  chapters?: readonly Chapter[];
  /** Codecs of the tracks in order, if there may be several of a type. Streams that the muxer adds follow them. */
  streams?: string[];
  /** Pictures in addition to `streams`. */
  covers?: number;
  /** Seconds. */
  duration: number;
  /** Duration of a video frame in seconds; the tolerance of every time comparison. */
  tolerance: number;
  /** Whether audio and video must end within 50 ms of one another, without what the last frame is shown for beyond the end. */
  endsTogether: boolean;
  /** Absent if the pictures are drawn. */
  identity?: Identity;
  /** Whether the engine has already decoded it around its junctions. */
  proven?: boolean;
  /** Seconds by which the end may be later than planned, because packets were copied. */
  slack: number;
}

export interface ExpectedPicture {
  file: string;
  format: 'jpeg' | 'png' | 'webp';
  width: number;
  height: number;
}

export interface PlannedFile {
  role: string;
  file: string;
  extension: string;
  media_type: OutputMediaType;
}

/** Why everything is re-encoded. */
export type WhyRendered = Exclude<
  RenderReason,
  'cut' | 'filtered' | 'transition' | 'speed' | 'gap' | 'other_encoding'
>;

/** What is said of the files of a result. */
export interface Outcome {
  /** What verification expects of the files. */
  expect: { media: ExpectedMedia[]; pictures: ExpectedPicture[] };
  /** Seconds; null for images and documents. */
  duration: number | null;
  width: number | null;
  height: number | null;
  fps: number | null;
  /** Parses with the operation's `data` schema. */
  data: Record<string, unknown>;
  time_map: TimeMap;
  warnings: Warning[];
}

/** Everything a task will do, as data: ordered steps, the files they make, and what must be true of them. */
export interface Plan extends Outcome {
  steps: Step[];
  /** The fallback plan if the engine fails in one of the steps. */
  otherwise?: Plan;
  /** Set if copying packets would have been possible in principle. */
  rendered_because?: WhyRendered;
  files: [PlannedFile, ...PlannedFile[]];
}

/**
 * What a source may be remuxed for: nothing; to be listed, where its packets tell; to be decoded rightly; or, in addition, to be sought
 * and copied.
 */
export type RemuxedFor = 'nothing' | 'listing' | 'decoding' | 'copying';

/** Seconds of a source that an operation reads, from its start. */
export interface Read {
  start: number;
  /** May be infinite. */
  end: number;
}

/** The pure functions of an operation whose parsed request is `I`. They throw TaskFailure if the request does not fit the sources. */
export interface Planner<I> {
  analyses: (input: I, probes: readonly MediaProbe[], means: Means) => Analysis[];
  /** Further analyses that depend on the first facts; their facts are added. */
  again?: (request: PlanRequest<I>) => Analysis[];
  plan: (request: PlanRequest<I>) => Plan;
  /** Number of the sound track of a source that is used, counted from 0; null for the one that players choose. */
  audioTrack?: (input: I, source: number) => number | null;
  /** What becomes of the fields of an interlaced source; by default it is deinterlaced where it is re-encoded. */
  deinterlacing?: (input: I, video: VideoStream) => Deinterlacing;
  /** What its sources are remuxed for; by default for copying. */
  remuxedFor?: RemuxedFor;
  /** Second at which its sources are read first, as far as the request alone tells; beyond the end for the end. */
  near?: (input: I) => number | null;
  /**
   * Of an operation that copies, what is read of a source; null if that is not known, or if the result depends on all of it.
   * @param source Its number, counted from 0.
   */
  within?: (input: I, source: number) => Read | null;
  /** The text to parse ahead of planning: from the request, or from `texts`, the texts of its sources; null for none. */
  reads?: (input: I, texts: readonly string[]) => TextRequest | null;
}

/** Limits of the account's plan, features of the installed ffmpeg, and the available engines. */
export interface Means {
  limits: Limits;
  capabilities: Capabilities;
  engines: ReadonlySet<EngineId>;
  /** Engines for which the caller sent a key or an endpoint. */
  own?: ReadonlySet<EngineId>;
  /** Non-media inputs of the task, each as often as the request names it. */
  brought?: Brought;
}

export interface Brought {
  texts: readonly string[];
  timeMaps: readonly TimeMap[];
  /** The parsed text that the planner's `reads` asked for; absent if it was not parsed ahead. */
  read?: TextRead | undefined;
}

export interface PlanRequest<I> extends Means {
  input: I;
  probes: readonly MediaProbe[];
  facts: Facts;
}
