import { textMediaTypes } from '../../../schema/media/media-types.ts';
import type { AudioContainer, VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { AudioEncoding } from '../../model/encoding.ts';
import type { ExpectedMedia, ExpectedPicture, Plan, PlannedFile } from '../../model/plan.ts';
import type { Output, Render, Step } from '../../model/steps.ts';
import { probedCodec } from './audio-target.ts';
import type { Size } from './geometry.ts';
import { audioFile, demuxerFor, videoFile } from './output-files.ts';
import { micros, thousandths } from './require-streams.ts';

/** A file of the output and what verification expects of it; texts and documents are not verified. */
export interface Made {
  file: PlannedFile;
  media?: Omit<ExpectedMedia, 'file'>;
  picture?: Omit<ExpectedPicture, 'file'>;
}

/** A file and the step that writes it. */
export interface Written extends Made {
  step: Step;
}

/** A text or document as a file of the output. */
export function writtenText(
  role: string,
  name: string,
  extension: keyof typeof textMediaTypes,
  text: string,
): Written {
  const file = `${name}.${extension}`;
  return {
    file: { role, file, extension, media_type: textMediaTypes[extension] },
    step: { kind: 'text', file, text },
  };
}

/** A plan for a document alone. @param others Further files, and the steps that write them. */
export function planDocument(
  name: string,
  content: Record<string, unknown>,
  { warnings = [], others = [] }: { warnings?: Warning[]; others?: readonly Written[] } = {},
): Plan {
  const file = `${name}.json`;
  const document: Made = {
    file: { role: 'document', file, extension: 'json', media_type: textMediaTypes.json },
  };
  return planOf({
    steps: [{ kind: 'document', file, content }, ...others.map(({ step }) => step)],
    ...{ files: [document, ...others], data: content, warnings },
  });
}

/**
 * A span of a source and the span of the output in which it plays, in seconds of each. Played backwards, it starts with its
 * later end.
 */
export interface Shown {
  source?: number;
  start: number;
  end: number;
  out: number;
  outEnd: number;
}

/** All of the first source, at its own speed. */
export const shownWhole = (seconds: number): Shown[] => [{ start: 0, end: seconds, out: 0, outEnd: seconds }];

export const timeMapOf = (shows: readonly Shown[]): Plan['time_map'] =>
  shows.map(({ source = 0, start, end, out, outEnd }) => ({
    source,
    in: [micros(start), micros(end)],
    out: [micros(out), micros(outEnd)],
  }));

/** What a planner says of the result of its steps. */
export interface Result {
  /** As players show it, if the stored pictures are turned or only copied. */
  size?: Size | null;
  /** Without rounding. */
  fps?: number | null;
  shows?: readonly Shown[];
  data?: Record<string, unknown> | undefined;
  /** Seconds of video whose packets are copied; the rest is rendered. Absent if the operation never copies. */
  copied?: number | undefined;
  warnings?: Warning[];
}

interface Files extends Result {
  steps: Step[];
  /** In the order of delivery; the first one has the duration and size of the result. */
  files: readonly Made[];
}

const NO_SIZE = { width: null, height: null };

/** The only place where a plan is put together; see `changed-plan.ts` for what is changed later. */
export function planOf({ steps, files, shows = [], data = {}, copied, ...result }: Files): Plan {
  const [main, ...others] = files;
  if (!main) throw new Error('a plan without files');
  const duration = main.media ? micros(main.media.duration) : null;
  const { width, height } = result.size ?? main.media?.video ?? main.picture ?? NO_SIZE;
  const pictured = main.media?.video ? (duration ?? 0) : 0;
  const copying = (seconds: number) => ({
    copied_seconds: micros(seconds),
    rendered_seconds: micros(pictured - micros(seconds)),
  });
  return {
    steps,
    files: [main.file, ...others.map(({ file }) => file)],
    expect: expectationsOf(files),
    ...{ duration, width, height, fps: result.fps == null ? null : thousandths(result.fps) },
    data: { ...data, ...(copied === undefined ? {} : copying(copied)) },
    time_map: timeMapOf(shows),
    warnings: result.warnings ?? [],
  };
}

export const expectationsOf = (files: readonly Made[]): Plan['expect'] => ({
  media: files.flatMap(({ file, media }) => (media ? [{ file: file.file, ...media }] : [])),
  pictures: files.flatMap(({ file, picture }) => (picture ? [{ file: file.file, ...picture }] : [])),
});

type MediaOutput = Extract<Output, { audio: unknown }>;

type Picture = NonNullable<MediaOutput['video']> & NonNullable<ExpectedMedia['video']>;
/** Where the sound of a file comes from. */
export type Sound = { from: string } & ({ encode: AudioEncoding } | { encode: 'copy'; codec: string });

/** The run of ffmpeg that writes a file of video or sound. */
interface Run extends Pick<Render, 'inputs' | 'chains'>, Partial<Pick<Render, 'lead' | 'weight'>> {
  sound: Sound | null;
  /** Of the output, in seconds. */
  duration: number;
  tolerance?: number;
  endsTogether?: boolean;
  identity?: ExpectedMedia['identity'];
  slack?: number;
  /** Second at which every copied stream ends. */
  end?: number;
}

export type MediaRun = Run &
  (
    | { container: VideoContainer; picture: Picture }
    | { container: AudioContainer | 'webm' | 'mkv'; picture: null }
  );

/** Tolerance of times of sound, in seconds. */
const SOUND_TOLERANCE = 0.05;

/** @param name Name and role of the file; by default it is the main file. */
export function mediaRun(run: MediaRun, name?: Pick<PlannedFile, 'role' | 'file'>): Written {
  const { container, picture, sound, duration, identity, weight, end } = run;
  const file = { ...(run.picture ? videoFile(run.container) : audioFile(run.container)), ...name };
  return {
    file,
    step: {
      ...{ kind: 'render', inputs: run.inputs, chains: run.chains },
      outputs: [
        {
          ...{ file: file.file, container },
          video: picture && streamOf(picture),
          audio: sound && { from: sound.from, encode: sound.encode },
          ...(end === undefined ? {} : { end }),
        },
      ],
      ...{ seconds: duration, ...(weight === undefined ? {} : { weight }), lead: run.lead ?? 0 },
    },
    media: {
      format: demuxerFor(container),
      video: picture && shapeOf(picture),
      audio: sound && { codec: sound.encode === 'copy' ? sound.codec : probedCodec[sound.encode.encoder] },
      ...{ duration, tolerance: run.tolerance ?? SOUND_TOLERANCE },
      ...{ endsTogether: run.endsTogether ?? false, slack: run.slack ?? 0 },
      ...(identity ? { identity } : {}),
    },
  };
}

const streamOf = ({ from, encode, until }: Picture): NonNullable<MediaOutput['video']> => ({
  ...{ from, encode },
  ...(until === undefined ? {} : { until }),
});

const shapeOf = ({ codec, width, height, frames }: Picture) => ({ codec, width, height, frames });

/** A plan for one file of video or sound. @param before Steps whose files the run reads. */
export function planMedia(before: readonly Step[], run: MediaRun, result: Result): Plan {
  const written = mediaRun(run);
  return planOf({ ...result, steps: [...before, written.step], files: [written] });
}
