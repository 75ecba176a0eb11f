import type { EngineId } from '../../schema/media/engines.ts';
import type { TimeMap, Warning } from '../../schema/task/task.ts';
import type { Job } from '../../schema/task/wire.ts';
import type { Capabilities } from './capabilities.ts';
import type { Interval } from './interval.ts';
import type { MediaProbe } from './media-probe.ts';
import type { Orientation } from './orientation.ts';
import type { TextRead, TextRequest } from './read-text.ts';
import type { Surveyed, Unfit } from './splice.ts';
import type { Filter, Step } from './steps.ts';

export type Limits = Job['limits'];

/** What a planner has to know beyond the probe; executed by media/analyses/. Times are timestamps of the file. */
export type Analysis =
  | { kind: 'packets'; source: number; intervals: Interval[] }
  | { kind: 'pictures'; source: number; moments: Moment[]; skipBlack: boolean; drawing: Drawing }
  | { kind: 'loudness'; source: number; stream: number }
  | { kind: 'levels'; source: number; stream: number }
  | { kind: 'tail'; source: number }
  /** Speaks lines into files of the job's directory, all by the first of the engines that can. */
  | { kind: 'speech'; engines: EngineId[]; language: string; lines: SpeechLine[] }
  /** What is said in a sound, word by word, by the first of the engines that can; aligned to a script where there is one. */
  | WordsAnalysis
  | { kind: 'orientation'; source: number }
  /** Ticks of the video stream, from and to; rising and apart. */
  | { kind: 'survey'; source: number; ranges: [number, number][] };

export interface SpeechLine {
  id: string;
  text: string;
  /** As it was asked for; null for that of `voices`. */
  voiceId: string | null;
  /** What each engine speaks it with where no voice was asked for. */
  voices: Partial<Record<EngineId, string | null>>;
  /** 1 is normal. */
  speed: number;
}

/** Spoken lines by their ids: raw files of one channel, 32-bit floats, without silence at either end. */
export interface Spoken {
  engine: EngineId;
  sampleRate: number;
  files: Record<string, SpokenFile>;
}

export interface SpokenFile {
  file: string;
  sampleRate: number;
  samples: number;
  /** How many times as fast it was spoken as it was at first. */
  hurry: number;
}

export interface WordsAnalysis {
  kind: 'words';
  source: number;
  stream: number;
  engines: EngineId[];
  script: string | null;
  /** Terms that are known to be said, where there is no script. */
  vocabulary: readonly string[];
  /** Of what is said, as it was asked for; null where nothing tells. */
  language: string | null;
}

/** A word with the seconds of the source in which it is said. */
export interface SpokenWord {
  text: string;
  start: number;
  end: number;
  /** Whether no space stands before it. */
  glued: boolean;
  /** From 0 to 1; null where nobody says it. */
  confidence: number | null;
}

export interface Heard {
  engine: EngineId;
  words: SpokenWord[];
  /** The share of the words of a script that were not heard as they are written. */
  missed: number;
}

/** A moment of a video: seconds from its start, or back from the end of its last frame. */
export type Moment = { at: number } | { beforeEnd: number };

export interface Packet {
  pts: number;
  dts: number | null;
  duration: number | null;
  key: boolean;
}

/** How the engine draws the pictures that it finds, each into its file of the job's directory. */
export interface Drawing {
  filters: Filter[];
  format: 'jpeg' | 'png' | 'pam';
  /** Of jpeg, 1 to 100. */
  quality: number;
  files: string[];
}

/**
 * A frame that can be decoded. Where the engine has drawn it, its file is there already; else `seek` is the timestamp that
 * reading begins at for it (null: the file's beginning).
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

/** The level of every 10 ms from the start of the source, 1 being full scale, each that of the loudest channel. */
export interface Levels {
  peak: Float32Array;
  rms: Float32Array;
}

export interface SourceFacts {
  /** In decoding order, each once, without those that are never shown. */
  packets?: Packet[];
  /** One for each moment; null where the video has no frame there. */
  pictures?: (Picture | null)[];
  /** Null where all is silent. */
  loudness?: Loudness | null;
  /** Null where the engine could not tell. */
  survey?: Surveyed | null;
  levels?: Levels;
  words?: Heard;
  /** Of a still picture. */
  orientation?: Orientation;
  /** The packets of the last seconds of video, in decoding order; none where it has no frame. */
  tail?: Packet[];
}

/** Those of the first source, and of each in its place. */
export interface Facts extends SourceFacts {
  speech?: Spoken;
  sources?: readonly SourceFacts[];
}

/** A part of a picture, in shares of its sides. */
export interface Region {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A part of an upright picture, and the part of another in which it is seen. */
export interface Place {
  of: Region;
  at: Region;
}

/** How frames of the sources are seen in a file, so that it can be proven which ones they are; when says the time map. */
export interface Identity {
  /** By source, what of its upright picture is seen and where; all of it everywhere for those that are left out. */
  places?: Record<number, Place>;
  /** Seconds at either end in which pictures fade. */
  fades?: { in: number; out: number };
  /** Sources of which frames are repeated or left out, so that they stand at even distances. */
  grid?: readonly number[];
  /** Whether the sources are heard as they are seen: their own sound, where the time map says. */
  heard?: boolean;
  /** Seconds of the result in which something is drawn over them. */
  overlaid?: readonly (readonly [from: number, to: number])[];
}

export interface ExpectedMedia {
  file: string;
  /** The demuxer that opens it. */
  format: string;
  video: { codec: string; width: number; height: number; frames: number | null } | null;
  audio: { codec: string } | null;
  /** Of captions beside them. */
  text?: { codec: string };
  /** Seconds. */
  duration: number;
  /** Seconds of a frame of video; bounds every comparison of times. */
  tolerance: number;
  /** Whether sound and picture have to end within 50 ms of one another. */
  endsTogether: boolean;
  /** Absent where pictures are drawn. */
  identity?: Identity;
  /** Whether the engine has decoded it around its junctions already. */
  proven?: boolean;
  /** Whether the moment of the end may be later, by up to this many seconds, because packets were copied. */
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
  media_type: string;
}

/** Why everything is rendered from end to end. */
export type WhyRendered =
  | 'container'
  | 'codec'
  | 'format'
  | 'quality'
  | 'converted'
  | 'engine_unavailable'
  | 'no_entry_in_range'
  | 'little_to_copy'
  | 'edit_list'
  | 'frames_differ'
  | 'no_clip_fits'
  | 'variable_rate'
  | Unfit;

/** All that will happen, as data: steps in order, what they make, and what has to be true of it. */
export interface Plan {
  steps: Step[];
  /** What happens instead where the engine fails in one of the steps. */
  otherwise?: Plan;
  /** Where copying was possible in principle. */
  rendered_because?: WhyRendered;
  files: [PlannedFile, ...PlannedFile[]];
  expect: { media: ExpectedMedia[]; pictures: ExpectedPicture[] };
  duration: number | null;
  width: number | null;
  height: number | null;
  fps: number | null;
  data: Record<string, unknown>;
  time_map: TimeMap;
  warnings: Warning[];
}

/** The two pure halves of an operation whose parsed request is `I`. Each throws TaskFailure where it does not fit the sources. */
export interface Planner<I> {
  analyses: (input: I, probes: readonly MediaProbe[], means: Means) => Analysis[];
  /** What is to be found out once the first is known; its facts come beside those. */
  again?: (request: PlanRequest<I>) => Analysis[];
  plan: (request: PlanRequest<I>) => Plan;
  /** Where its sources are read first, in seconds, as far as the request alone says it; beyond the end for the end. */
  near?: (input: I) => number | null;
  /** The text that has to be read for it: of the request, or of `texts`, those of its sources; null for none. */
  reads?: (input: I, texts: readonly string[]) => TextRequest | null;
}

/** What the plan of the account allows, what the ffmpeg at hand can do, and which engines there are beside it. */
export interface Means {
  limits: Limits;
  capabilities: Capabilities;
  engines: ReadonlySet<EngineId>;
  /** What the task reads beside media, each as often as its request names it. */
  brought?: Brought;
}

export interface Brought {
  texts: readonly string[];
  timeMaps: readonly TimeMap[];
  /** What was read of the text that `reads` of the planner names; absent where it has not been read ahead. */
  read?: TextRead | undefined;
}

export interface PlanRequest<I> extends Means {
  input: I;
  probes: readonly MediaProbe[];
  facts: Facts;
}
