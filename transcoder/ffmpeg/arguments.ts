import { MAX_PIXELS, MAX_STREAMS } from '../../schema/api/plans.ts';
import type { Capabilities } from '../model/capabilities.ts';
import { formOf } from '../model/drawing.ts';
import type { VideoEncoding } from '../model/encoding.ts';
import { isOlder } from '../model/ffmpeg-version.mjs';
import { graphText } from '../model/filter-text.ts';
import { languageIn } from '../model/macintosh-languages.ts';
import { decimal } from '../model/numbers/decimal.ts';
import type { SourceFile } from '../model/source/media-source.ts';
import { isSizedFirst } from '../model/source/stated-frames.ts';
import type { VideoStream } from '../model/source/video-stream.ts';
import type { Input, Output, Render } from '../model/steps.ts';
import { audioArguments, stillArguments, videoArguments } from './encoders.ts';
import { withForwardLines } from './forward-lines.ts';
import { withOpusLead } from './opus-lead.ts';
import { withStatements } from './stated-by-frames.ts';

/** A source to read frames of. */
export interface DecodedSource extends SourceFile {
  /** Whether its presentation times are its own; false if a muxer wrote decoding times in their place. */
  presented: boolean;
  /** Codec of the pictures; absent if only sound is decoded. */
  codec?: string;
  /** Whether this ffmpeg crops pictures as their container says, unless it is asked not to. */
  cropped?: boolean;
}

/** A source whose pictures are decoded. */
export const decodedSource = (
  file: SourceFile,
  { timedByDecoding, codec }: Pick<VideoStream, 'timedByDecoding' | 'codec'>,
  { version }: Pick<Capabilities, 'version'>,
): DecodedSource => ({ ...file, presented: !timedByDecoding, codec, cropped: cropsByContainer(version) });

/** Since 7.1. Not by itself: libav, which decodes the other parts of a result, never does, and the probe states the size without it. */
const cropsByContainer = (version: string): boolean => !isOlder(version, 7, 1);

/** For a source whose pictures ffmpeg decodes. */
export const croppingArguments = ({ cropped }: Pick<DecodedSource, 'cropped'>): string[] =>
  cropped ? ['-apply_cropping:v', 'codec'] : [];

export function openArguments(source: SourceFile): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', source.format],
    ...['-max_streams', `${MAX_STREAMS}`, '-max_pixels', `${MAX_PIXELS}`, '-f', source.format],
  ];
}

/**
 * For a source whose sound is decoded. If its sample rate or channels change, ffmpeg would otherwise start its filters again, which
 * count samples; with this it fails, and `diagnose` says why.
 */
export const soundArguments: readonly string[] = ['-reinit_filter:a', '0'];

/**
 * For a source that is decoded: frames keep the presentation times of their packets. Without this, libavcodec counts times that
 * descend and then takes decoding times for all frames that follow.
 */
export const timeArguments = ({ presented, codec }: Pick<DecodedSource, 'presented' | 'codec'>): string[] => [
  ...(presented ? ['-fflags', '+igndts'] : []),
  ...(codec === undefined ? [] : reorderingArguments(codec)),
];

/** Of H.264 that does not state how far it reorders, libav otherwise leaves out frames until it has seen how far. */
export const reorderingArguments = (codec: string): string[] =>
  codec === 'h264' ? ['-strict:v', 'strict'] : [];

/** For a source whose frames first go to `sizeFilters`. If their size changes, ffmpeg would otherwise start all filters again. */
const sizeArguments: readonly string[] = ['-reinit_filter:v', '0'];

const pictures: readonly SourceFile['format'][] = ['jpeg_pipe', 'png_pipe', 'webp_pipe'];

/** A damaged picture fails: the part that the decoder cannot read would otherwise be green or empty in the result. */
const wholePictureArguments = ({ format }: SourceFile): string[] =>
  pictures.includes(format) ? ['-err_detect', 'explode'] : [];

/** A source to render from. */
interface RenderSource extends DecodedSource {
  /** The track of moving pictures that chains read. */
  video?: Pick<VideoStream, 'rotation' | 'mirrored'> | null;
  /** Indices of its tracks of moving pictures, if known. */
  videoTracks?: readonly number[];
}

/** The complete argument list of one ffmpeg run. Output paths are relative to the job's directory. */
export function renderArguments(
  asked: Render,
  sources: readonly RenderSource[],
  capabilities: Pick<Capabilities, 'version'>,
): string[] {
  const step = withForwardLines(withStatements(withOpusLead(asked, capabilities)));
  const copying = step.inputs.some((input) => 'source' in input && input.copy && input.seek !== null);
  return [
    ...['-hide_banner', '-nostdin', '-y', '-v', 'error', '-nostats', '-progress', 'pipe:1'],
    ...['-stats_period', '0.25'],
    ...(copying ? [] : ['-copyts']),
    ...step.inputs.flatMap((input, index) => [
      ...unreadArguments(input, sources, streamsRead(step, index)),
      ...inputArguments(input, sources),
    ]),
    ...(step.chains.length > 0 ? ['-filter_complex', graphText(step.chains)] : []),
    ...step.outputs.flatMap((output) => outputArguments(output, step.seconds)),
  ];
}

/** Streams of an input that chains and outputs read. */
export function streamsRead(
  { chains, outputs }: Pick<Render, 'chains' | 'outputs'>,
  input: number,
): number[] {
  const labels = [
    ...chains.flatMap(({ from }) => from),
    ...outputs.flatMap((output) =>
      'from' in output
        ? output.from
        : [output.video?.from, output.audio?.from, ...othersOf(output).map(({ from }) => from)],
    ),
  ];
  return labels
    .map((label) => label?.split(':') ?? [])
    .filter(([from, stream]) => stream !== undefined && Number(from) === input)
    .map(([, stream]) => Number(stream));
}

/**
 * When ffmpeg opens a file, it decodes the first pictures of every track and keeps them. With sixteen tracks of 8K that is 2.7 GB, so
 * tracks that nothing reads are not decoded.
 */
function unreadArguments(input: Input, sources: readonly RenderSource[], read: readonly number[]): string[] {
  if (!('source' in input) || input.copy) return [];
  const tracks = sources[input.source]?.videoTracks ?? [];
  if (!tracks.some((track) => read.includes(track))) return [];
  return tracks.filter((track) => !read.includes(track)).flatMap((track) => [`-skip_frame:${track}`, 'all']);
}

function inputArguments(input: Input, sources: readonly RenderSource[]): string[] {
  if ('list' in input) {
    const open = ['-protocol_whitelist', 'file,pipe', '-f', 'concat', '-safe', '1'];
    const late = input.delay ? ['-itsoffset', decimal(input.delay)] : [];
    return [...late, ...open, '-i', `file:${input.list}`];
  }
  if ('raw' in input) {
    const layout = ['-f', 'f32le', '-ar', `${input.sampleRate}`, '-ch_layout', input.layout];
    return [...layout, '-i', `file:${input.raw}`];
  }
  if ('made' in input) {
    const late = input.late ? ['-itsoffset', decimal(input.late)] : [];
    return [...late, '-protocol_whitelist', 'file', '-f', input.format, '-i', `file:${input.made}`];
  }
  if ('subtitles' in input) return ['-f', 'srt', '-i', `file:${input.subtitles}`];
  if ('chapters' in input)
    return ['-protocol_whitelist', 'file', '-f', 'ffmetadata', '-i', `file:${input.chapters}`];
  if ('map' in input) return ['-f', 'image2', '-i', input.map];
  if ('drawing' in input) {
    const { pixels, width, height, rate } = formOf(input.drawing);
    const frames = [
      '-pixel_format',
      pixels,
      '-video_size',
      `${width}x${height}`,
      '-framerate',
      rate.join('/'),
    ];
    return ['-f', 'rawvideo', ...frames, '-i', 'pipe:0'];
  }
  if ('pictures' in input) {
    return ['-f', 'image2', '-framerate', '1', '-start_number', '1', '-i', input.pictures];
  }
  const source = sources[input.source];
  if (!source) throw new Error(`a step reads source ${input.source}, which does not exist`);
  const seek = input.seek === null ? [] : ['-ss', decimal(input.seek)];
  const exact = [...(input.copy ? [] : ['-noaccurate_seek']), '-seek_timestamp', '1'];
  return [
    ...(input.seek === null ? [] : exact),
    ...seek,
    ...(input.copy && input.seek === null && input.zero ? ['-itsoffset', decimal(-input.zero)] : []),
    // Since version 7, ffmpeg turns photos by their EXIF orientation, which planners do as well.
    ...(input.coded || pictures.includes(source.format) ? ['-noautorotate'] : []),
    ...(input.loop ? ['-stream_loop', '-1'] : []),
    ...(input.copy
      ? []
      : [
          ...timeArguments(source),
          ...croppingArguments(source),
          ...soundArguments,
          ...wholePictureArguments(source),
        ]),
    ...(source.video && !input.copy && isSizedFirst(source.video, input) ? sizeArguments : []),
    ...openArguments(source),
    ...['-i', `file:${source.path}`],
  ];
}

function outputArguments(output: Output, seconds: number | null): string[] {
  const chapters = 'chapters' in output ? output.chapters : undefined;
  const bare = [...bareArguments(chapters), '-sn', '-dn'];
  if (output.container === 'raw') {
    return ['-map', mapOf(output.from), '-c:a', 'pcm_f32le', '-f', 'f32le', `file:${output.file}`];
  }
  if (isStill(output)) {
    const one = ['-frames:v', '1', '-fps_mode', 'passthrough', '-update', '1', '-f', 'image2'];
    return ['-map', mapOf(output.from), ...bare, ...stillArguments(output), ...one, output.file];
  }
  const { video, audio, texts = [], container, metadata } = output;
  return [
    ...(video ? ['-map', mapOf(video.from)] : ['-vn']),
    ...(audio ? ['-map', mapOf(audio.from)] : ['-an']),
    ...othersOf(output).flatMap(({ from }) => ['-map', mapOf(from)]),
    ...(texts.length > 0 ? bare.filter((one) => one !== '-sn') : bare),
    ...(video ? pictureArguments(video, container) : []),
    ...(audio ? audioArguments(audio.encode) : []),
    ...texts.flatMap(({ codec }, index) => [`-c:s:${index}`, codec]),
    ...labelArguments(output),
    ...(metadata ? ['-metadata', `comment=${metadata.comment}`] : []),
    ...(output.end === undefined ? [] : ['-t', decimal(output.end)]),
    ...muxerArguments(output, seconds),
    `file:${output.file}`,
  ];
}

/** `-map_metadata -1` would take the titles of chapters as well. */
const bareArguments = (chapters: number | undefined): string[] =>
  chapters === undefined
    ? ['-map_metadata', '-1', '-map_chapters', '-1']
    : ['-map_metadata:g', '-1', '-map_metadata:s', '-1', '-map_chapters', `${chapters}`];

const othersOf = ({ sounds = [], texts = [] }: MediaOutput) => [...sounds, ...texts];

/** Languages, titles and, if there are several tracks of a kind, which of them players choose. */
function labelArguments({ container, labels, sounds = [], texts = [] }: MediaOutput): string[] {
  const kinds = {
    v: labels?.video ? [labels.video] : [],
    a: [...(labels?.audio ? [labels.audio] : []), ...sounds.map(({ label }) => label)],
    s: texts.map(({ label }) => label),
  };
  return Object.entries(kinds).flatMap(([kind, all]) =>
    all.flatMap(({ language, title, default: isDefault }, index) => [
      ...(language === null
        ? []
        : [`-metadata:s:${kind}:${index}`, `language=${languageIn(container, language)}`]),
      ...(title === null ? [] : [`-metadata:s:${kind}:${index}`, `title=${title}`]),
      ...(all.length > 1 || kind === 's'
        ? [`-disposition:${kind}:${index}`, isDefault ? 'default' : '0']
        : []),
    ]),
  );
}

type MediaOutput = Extract<Output, { audio: unknown }>;
type Video = NonNullable<MediaOutput['video']>;

/**
 * Arguments for the picture; the last frame lasts until `until`, and otherwise as long as others. Since ffmpeg 6.1, frames whose times a
 * filter has changed have no duration, and a last frame of an mp4 that has none is not shown.
 *
 * In the bitstream filter `TB` is the encoder's timebase, or that of the file from which packets are copied, but before ffmpeg 6 its
 * timestamps use the container's. Both are therefore given the timebase of the container, except for a copy into mp4, which keeps
 * the timebase.
 */
function pictureArguments({ encode, until }: Video, container: Output['container']): string[] {
  const matroska = container === 'mkv' || container === 'webm';
  if ('copy' in encode) {
    const copied = videoArguments(encode, container);
    if (until === undefined) return copied;
    return [...copied, ...(matroska ? ['-time_base:v', MILLISECONDS] : []), ...durations(lasting(until))];
  }
  const timeBase = matroska ? MILLISECONDS : mp4TimeBase(encode.timeBase);
  return [
    ...videoArguments({ ...encode, timeBase }, container),
    ...durations(until === undefined ? usual(encode) : lasting(until)),
  ];
}

/** The times are stated as well: without them, presentation times would become decoding times. */
const durations = (duration: string) => ['-bsf:v', `setts=pts=PTS:dts=DTS:duration=${duration}`];
const lasting = (until: number) =>
  `if(eq(NEXT_PTS\\,NOPTS)\\,max(1\\,round(${decimal(until)}/TB-PTS))\\,DURATION)`;
const usual = ({ frameSeconds }: VideoEncoding) =>
  `if(DURATION\\,DURATION\\,max(1\\,round(${decimal(frameSeconds)}/TB)))`;

/** The timebase of Matroska. */
const MILLISECONDS = '1/1000';

/** The timebase that the mp4 and mov muxers derive: ticks are doubled until there are at least 10 000 per second. */
function mp4TimeBase(text: string): string {
  let ticks = Number(text.split('/')[1]);
  while (ticks < 10_000) ticks *= 2;
  return `1/${ticks}`;
}

/** Timescale of edit lists, in ticks per second. ffmpeg's default is milliseconds. */
export const EDIT_TICKS = '90000';

const muxers: Partial<Record<Output['container'], string>> = { mkv: 'matroska', m4a: 'ipod' };

/** ffmpeg's name for the muxer of a container. */
export const muxerOf = (container: Output['container']): string => muxers[container] ?? container;

/**
 * Seconds from which a WAV may exceed 4 GiB, at eight channels of 192 kHz. Such a file begins with room for the sizes of RF64, which ffmpeg
 * uses if it has to; a shorter one keeps the header of 44 bytes that simple readers expect.
 */
const LARGE_WAV_SECONDS = 600;

/** @param seconds Null if it may be any length. */
export const largeWav = (container: Output['container'], seconds: number | null): string[] =>
  container === 'wav' && (seconds === null || seconds > LARGE_WAV_SECONDS) ? ['-rf64', 'auto'] : [];

function muxerArguments({ container }: Output, seconds: number | null): string[] {
  const edited = ['mp4', 'mov', 'm4a'].includes(container)
    ? ['-movflags', '+faststart', '-movie_timescale', EDIT_TICKS]
    : [];
  return [
    '-bitexact',
    '-max_muxing_queue_size',
    '9999',
    ...edited,
    ...largeWav(container, seconds),
    '-f',
    muxerOf(container),
  ];
}

function isStill(output: Output): output is Extract<Output, { quality: number }> {
  return 'quality' in output;
}

function mapOf(label: string): string {
  return /^\d+:\d+$/.test(label) ? label : `[${label}]`;
}
