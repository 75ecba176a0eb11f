import { z } from 'zod';
import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { StartTimecode, StatedAudio, StreamFacts } from '../../model/source/media-probe.ts';
import type { StatedVideo } from '../../model/source/video-stream.ts';
import { type PrintedChapters, printedChapters } from './chapters.ts';
import {
  durationOf,
  endInTags,
  kbpsOf,
  type PrintedStream,
  printedStream,
  ratio,
  text,
} from './ffprobe-schema.ts';
import { lineOf } from './line-of.ts';
import { videoStream } from './video-stream.ts';

/** A stream as its container describes it. */
export interface StatedStream extends Omit<StreamFacts, 'video' | 'audio'> {
  video: StatedVideo | null;
  audio: StatedAudio | null;
}

const printed = z.object({
  streams: z.array(printedStream).default([]),
  chapters: printedChapters,
  format: z
    .object({
      format_name: text,
      tags: z.record(z.string(), z.string()).default({}).catch({}),
    })
    .default({ tags: {} }),
});

const containerNames: Partial<Record<Demuxer, string>> = {
  mov: 'mp4',
  matroska: 'mkv',
  aac: 'aac',
  png_pipe: 'png',
  jpeg_pipe: 'jpeg',
  webp_pipe: 'webp',
  mpegvideo: 'm2v',
  mpeg: 'mpg',
  obu: 'av1',
};
/** Display name of the container, as far as the demuxer identifies it. */
export const containerName = (format: Demuxer): string => containerNames[format] ?? format;

const stills: readonly Demuxer[] = ['png_pipe', 'jpeg_pipe', 'webp_pipe'];

export interface StatedSource {
  container: string;
  streams: StatedStream[];
  /** The video stream that players select. */
  video: StatedVideo | null;
  /** The audio stream that players select. */
  audio: StatedAudio | null;
  /** Whether the source is a still image, without a duration. */
  still: boolean;
  chapters: PrintedChapters;
  /** Absent if none is stated. */
  timecode?: StartTimecode;
}

export function parseStreams(json: unknown, format: Demuxer): StatedSource {
  const { streams: raw, format: facts, chapters } = printed.parse(json);
  const streams = withoutEmpty(
    raw,
    raw.map((stream) => streamFacts(withoutPadding(stream, facts.tags), format)),
  );
  const pick = <T>(of: (stream: StatedStream) => T | null) => {
    const candidates = streams.filter((stream) => of(stream) !== null);
    const chosen = candidates.find((stream) => stream.default) ?? candidates[0];
    return chosen ? of(chosen) : null;
  };
  const video = pick((stream) => stream.video);
  const audio = pick((stream) => stream.audio);
  const timecode = startTimecode(raw, facts.tags, video?.index);
  const brand = (facts.tags.major_brand ?? '').trim();
  const container =
    format === 'mov' && brand === 'qt'
      ? 'mov'
      : format === 'matroska' && isWebm(raw, streams)
        ? 'webm'
        : containerName(format);
  return {
    container,
    streams,
    video,
    audio,
    chapters,
    ...(timecode ? { timecode } : {}),
    still:
      video !== null &&
      audio === null &&
      isStill(
        raw.find(({ index }) => index === video.index),
        format,
      ),
  };
}

/** Takes the pictures and sound of tracks without a sample from which nothing can be chosen, unless all are like that. */
function withoutEmpty(raw: readonly PrintedStream[], streams: StatedStream[]): StatedStream[] {
  const empty = raw.filter((stream) => stream.empty || endInTags(stream) === 0);
  const isEmpty = ({ index }: StatedStream) => empty.some((stream) => stream.index === index);
  const isFilled = (stream: StatedStream) => (stream.video ?? stream.audio) !== null && !isEmpty(stream);
  if (!streams.some(isFilled)) return streams;
  return streams.map((stream) => (isEmpty(stream) ? { ...stream, video: null, audio: null } : stream));
}

/** Still images have no duration. A one-frame video is not one: its frame has a duration. */
function isStill(stream: PrintedStream | undefined, format: Demuxer): boolean {
  if (stills.includes(format) || stream?.disposition.still_image === 1) return true;
  return (format === 'gif' || format === 'apng') && stream?.nb_frames === 1;
}

/** Whether WebM can hold all of a Matroska file: its documents say what they are, but ffprobe does not. */
function isWebm(raw: readonly PrintedStream[], streams: readonly StatedStream[]): boolean {
  const allowed = ['vp8', 'vp9', 'av1', 'opus', 'vorbis', 'webvtt'];
  return streams.every(
    ({ type, codec }, at) =>
      allowed.includes(codec) || (type === 'data' && raw[at]?.codec_type !== 'attachment'),
  );
}

/** mp4 and mov have a track of it, which libav names at its video as well; other containers have a tag, which Matroska capitalizes. */
function startTimecode(
  raw: readonly PrintedStream[],
  file: PrintedStream['tags'],
  video: number | undefined,
): StartTimecode | null {
  const own = raw.find(({ index }) => index === video)?.tags;
  const tags = [own, file].map((tags) => tags?.timecode ?? tags?.TIMECODE);
  const text = tags.find((tag) => tag !== undefined && /^\d\d:\d\d:\d\d[:;.]\d\d\d?$/.test(tag));
  if (text === undefined) return null;
  const track = raw.find(({ codec_tag_string: name, tags }) => name === 'tmcd' && tags.timecode === text);
  return { text, perSecond: ratio(track?.avg_frame_rate, '/') };
}

/** How the container names a codec that libav does not know: `mha1`. */
const tagOf = ({ codec_tag_string: tag = '' }: PrintedStream): string =>
  /^[\w-]{4}$/.test(tag) ? tag : 'unknown';

function streamFacts(stream: PrintedStream, format: Demuxer): StatedStream {
  const attached = stream.disposition.attached_pic === 1;
  const kind = stream.codec_type;
  const type =
    kind === 'video' && attached
      ? 'attached_picture'
      : kind === 'video' || kind === 'audio' || kind === 'subtitle'
        ? kind
        : 'data';
  const named = stream.codec_name === 'unknown' ? undefined : stream.codec_name;
  return {
    index: stream.index,
    type,
    codec: named ?? (type === 'data' ? 'unknown' : tagOf(stream)),
    tag:
      type === 'data' && /^\w{4}$/.test(stream.codec_tag_string ?? '')
        ? (stream.codec_tag_string ?? null)
        : null,
    profile: stream.profile ?? null,
    duration: durationOf(stream),
    startTime: stream.start_time ?? null,
    kbps: kbpsOf(stream),
    language: languageOf(stream.tags.language),
    title: lineOf(stream.tags.title ?? ''),
    default: stream.disposition.default === 1,
    ...(stream.edit_rate === undefined ? {} : { editRate: stream.edit_rate }),
    video: type === 'video' && named && stream.width && stream.height ? videoStream(stream, format) : null,
    audio:
      type === 'audio' && named && !stream.unframed && stream.sample_rate && stream.channels
        ? audioStream(stream, format)
        : null,
  };
}

/**
 * iTunes may state in a tag how many samples to drop at the start of an mp4 without an edit list. The stated duration counts them, the
 * start is behind them. Format: the second of the numbers, in hexadecimal.
 */
function withoutPadding(stream: PrintedStream, tags: Record<string, string>): PrintedStream {
  const { start_time: start = 0, duration, sample_rate: rate = 0 } = stream;
  const samples = Number.parseInt(/^\s*[\da-f]+ ([\da-f]+)/i.exec(tags.iTunSMPB ?? '')?.[1] ?? '', 16);
  if (duration === undefined || Number.isNaN(samples) || samples === 0) return stream;
  if (Math.abs(start * rate - samples) > 1) return stream;
  return { ...stream, duration: Math.max(0, duration - start) };
}

function languageOf(tag: string | undefined): string | null {
  return tag !== undefined && /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8})*$/.test(tag) && tag !== 'und' ? tag : null;
}

/** Uncompressed sound of mp4, whose sample format is in a box of its own (ISO/IEC 23003-5). */
const uncompressed: readonly string[] = ['ipcm', 'fpcm'];

/** Codecs whose packets hold many frames, of which the decoder leaves out the first ones. */
const packed: readonly string[] = ['wmav1', 'wmav2', 'wmapro', 'wmavoice', 'wmalossless'];

/** Whether older versions of ffmpeg read such sound wrongly, or every version the first packet of it. */
const isMisread = (
  { codec_name, codec_tag_string, primed }: PrintedStream,
  { bits, format }: { bits: number | null; format: Demuxer },
): boolean =>
  uncompressed.includes(codec_tag_string ?? '') ||
  (codec_name === 'flac' && bits === 32) ||
  (format === 'wav' && packed.includes(codec_name ?? '')) ||
  primed;

function audioStream(stream: PrintedStream, format: Demuxer): StatedAudio {
  const bits = stream.bits_per_raw_sample || stream.bits_per_sample || null;
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    sampleRate: stream.sample_rate ?? 0,
    channels: stream.channels ?? 0,
    layout: stream.channel_layout ?? null,
    bitsPerSample: bits,
    kbps: kbpsOf(stream),
    timeBase: stream.time_base ?? '1/90000',
    ...(stream.untimed ? { untimed: true } : {}),
    ...(stream.chained ? { chained: true } : {}),
    ...(stream.joined ? { joined: true } : {}),
    ...(stream.unsteady ? { unsteady: true } : {}),
    ...(stream.miscounted ? { miscounted: true } : {}),
    ...(isMisread(stream, { bits, format }) ? { misread: true } : {}),
    ...(stream.in_pieces ? { inPieces: true } : {}),
    ...(stream.redescribed ? { redescribed: true } : {}),
  };
}
