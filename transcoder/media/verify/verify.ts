import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { demuxers } from '../../../schema/media/demuxers.ts';
import { sourceEndedEarly } from '../../ffmpeg/diagnose.ts';
import { checkArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { ExpectedMedia, ExpectedPicture } from '../../model/plan.ts';
import type { Chapter } from '../../model/source/contents.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { completeSource } from '../execute/complete-source.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { Rendered } from '../execute/rendered.ts';
import { LibavFailure } from '../libav/pool.ts';
import { type PrintedChapters, printedChapters } from '../probe/chapters.ts';
import { endInTags } from '../probe/ffprobe-schema.ts';
import { lineOf } from '../probe/line-of.ts';
import { pictureSize } from './image-size.ts';

/** Allowed difference between the ends of audio and video, in seconds. */
const APART = 0.05;
/**
 * Matroska has no edit list: the last packet of AAC is played whole. In seconds, at 32 kHz, the lowest rate of such results.
 */
const LAST_PACKET = 0.032;
/** Seconds at the end to decode, starting from the preceding keyframe. */
const LAST_SECONDS = 0.5;
/** A stream that starts later than this may have no packet among the first ones of the file. */
const LATE = 0.1;

const number = z.coerce.number().optional().catch(undefined);
const checked = z.object({
  streams: z.array(
    z.object({
      index: z.number(),
      codec_type: z.string(),
      codec_name: z.string().optional(),
      width: number,
      height: number,
      start_time: number,
      duration: number,
      nb_frames: number,
      tags: z.record(z.string(), z.string()).default({}).catch({}),
    }),
  ),
  chapters: printedChapters,
  frames: z
    .array(
      z.object({
        // Absent for subtitles among the frames.
        stream_index: number,
        best_effort_timestamp_time: number,
        pkt_duration_time: number,
        duration_time: number,
      }),
    )
    .default([]),
});
type Checked = z.output<typeof checked>;

/**
 * Proves that the result matches the plan: it opens, has the expected streams, sizes and duration, and its first and last
 * frames decode. Media files are examined once or twice, decoding the first packets and the last half second; images are checked by their
 * headers. Throws `output_invalid`. Whether the source is to blame is decided later, see source-damage.ts.
 */
export async function verify(ctx: MediaContext, rendered: Rendered, signal?: AbortSignal): Promise<void> {
  const directory = dirname(rendered.files[0].path);
  // Checked first because ffmpeg may exit successfully on damaged media without writing anything.
  for (const { path, role } of rendered.files) {
    if ((await sizeOf(path)) > 0) continue;
    throw new TaskFailure('output_invalid', `The output file ${role} is empty.`);
  }
  for (const expected of rendered.expect.media) {
    const problem = await mediaProblem(ctx, expected, join(directory, expected.file), signal);
    if (problem !== null) throw new TaskFailure('output_invalid', problem);
  }
  for (const expected of rendered.expect.pictures) {
    const problem = await pictureProblem(expected, join(directory, expected.file));
    if (problem !== null) throw new TaskFailure('output_invalid', problem);
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** What is found in a file: everything at its start and, from a second on, after the keyframe before it. */
type Look = (from: number | null) => Promise<Checked & { cutOff: boolean }>;

/** What libav finds wrong may be its own doing, therefore ffprobe has the last word. */
async function mediaProblem(
  ctx: MediaContext,
  expected: ExpectedMedia,
  path: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const quick = await libavLook(ctx, expected, path, signal);
  try {
    if (quick && (await problemSeen(quick, expected)) === null) return null;
  } catch (error) {
    if (!(error instanceof LibavFailure)) throw error;
    ctx.log.warn('libav could not examine a result', { error });
  }
  return problemSeen(programLook(ctx, expected, path, signal), expected);
}

/** Null if libav is unavailable, or does not read the format here. */
async function libavLook(
  { libav }: MediaContext,
  { format }: ExpectedMedia,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Look | null> {
  const demuxer = demuxers.find((name) => name === format);
  if (!libav || !demuxer) return null;
  const source = await completeSource({ path, format: demuxer });
  return async (from) => {
    const request = { kind: 'examine' as const, source: source.parts(), from };
    const { messages, ...found } = await libav.ask(request, { sources: [source], signal });
    return { ...checked.parse(found), cutOff: sourceEndedEarly(messages.join('\n')) };
  };
}

function programLook(
  { programs }: MediaContext,
  { format }: ExpectedMedia,
  path: string,
  signal: AbortSignal | undefined,
): Look {
  return async (from) => {
    const args = checkArguments(path, format, from);
    const { stdout, stderrTail } = await run(programs, 'ffprobe', args, { signal, reads: [path] });
    return { ...checked.parse(JSON.parse(stdout)), cutOff: sourceEndedEarly(stderrTail) };
  };
}

async function problemSeen(look: Look, expected: ExpectedMedia): Promise<string | null> {
  const lastSeconds = Math.max(0, expected.duration - LAST_SECONDS);
  const found = await look(expected.proven ? null : lastSeconds);
  // An index at the front lists frames that a cut-off file no longer has.
  if (found.cutOff) return 'The output ends earlier than its index says.';
  const late = found.streams.find((stream) => (stream.start_time ?? 0) > LATE && !decodes(stream, found));
  if (late) found.frames = found.frames.concat((await look(late.start_time ?? 0)).frames);
  const problem = streamProblem(expected, found) ?? timeProblem(expected, found);
  if (problem === null || !expected.proven) return problem;
  found.frames = found.frames.concat((await look(lastSeconds)).frames);
  return streamProblem(expected, found) ?? timeProblem(expected, found);
}

const decodes = ({ index }: Checked['streams'][number], { frames }: Checked) =>
  frames.some((frame) => frame.stream_index === index);

/** For a copy of several tracks, whose packets were compared with the source already. */
function copiedProblem(
  codecs: readonly string[],
  covers: number,
  { streams, frames }: Checked,
): string | null {
  const made = streams.slice(0, codecs.length).map(({ codec_name = 'unknown' }) => codec_name);
  if (made.join() !== codecs.join())
    return `The output has the tracks ${made.join()} instead of ${codecs.join()}.`;
  const pictures = streams.slice(codecs.length).filter(({ codec_type }) => codec_type === 'video');
  if (pictures.length !== covers) return `The output has ${pictures.length} covers instead of ${covers}.`;
  return frames.length > 0 ? null : 'The output cannot be decoded.';
}

function streamProblem(expected: ExpectedMedia, found: Checked): string | null {
  if (expected.streams) return copiedProblem(expected.streams, expected.covers ?? 0, found);
  for (const type of ['video', 'audio'] as const) {
    const wanted = expected[type];
    const streams = found.streams.filter((stream) => stream.codec_type === type);
    const all = [...(wanted ? [wanted] : []), ...(type === 'audio' ? (expected.sounds ?? []) : [])];
    if (streams.length !== all.length)
      return `The output has ${streams.length} ${type} streams instead of ${all.length}.`;
    for (const [index, { codec }] of all.entries()) {
      const stream = streams[index];
      if (stream?.codec_name !== codec)
        return `The ${type} of the output is ${stream?.codec_name}, not ${codec}.`;
      if (!decodes(stream, found)) return `The ${type} of the output cannot be decoded.`;
    }
  }
  const texts = found.streams.filter((stream) => stream.codec_type === 'subtitle');
  const wantedTexts = expected.texts ?? [];
  if (texts.map(({ codec_name }) => codec_name).join() !== wantedTexts.map(({ codec }) => codec).join()) {
    return `The output has ${texts.length} text tracks instead of ${wantedTexts.length}.`;
  }
  const misplaced = chapterProblem(expected.chapters ?? [], found.chapters);
  if (misplaced !== null) return misplaced;
  const video = found.streams.find((stream) => stream.codec_type === 'video');
  const wanted = expected.video;
  if (!video || !wanted) return null;
  if (video.width !== wanted.width || video.height !== wanted.height) {
    return `The picture of the output is ${video.width} × ${video.height}, not ${wanted.width} × ${wanted.height}.`;
  }
  if (wanted.frames !== null && video.nb_frames !== undefined && video.nb_frames !== wanted.frames) {
    return `The output has ${video.nb_frames} frames, not ${wanted.frames}.`;
  }
  return null;
}

/** Containers write the times of chapters in milliseconds or finer. */
const CHAPTER_ROUNDING = 0.0015;

function chapterProblem(wanted: readonly Chapter[], found: PrintedChapters): string | null {
  if (found.length !== wanted.length)
    return `The output has ${found.length} chapters instead of ${wanted.length}.`;
  for (const [index, { start, end, title }] of wanted.entries()) {
    const made = found[index];
    const off = Math.max(Math.abs((made?.start_time ?? 0) - start), Math.abs((made?.end_time ?? 0) - end));
    if (off > CHAPTER_ROUNDING) return `Chapter ${index} of the output is ${off.toFixed(3)} s off.`;
    if ((lineOf(made?.tags.title ?? '') ?? '') !== title)
      return `The title of chapter ${index} of the output differs.`;
  }
  return null;
}

function timeProblem(expected: ExpectedMedia, found: Checked): string | null {
  const timed = expected.streams
    ? found.streams.slice(0, expected.streams.length).filter(isMedia)
    : found.streams;
  const endIn = (kind: string) => {
    const stream = timed.find(({ codec_type }) => codec_type === kind);
    return stream && endOf(expected, stream, found);
  };
  const end = greatest(timed.map((stream) => endOf(expected, stream, found)));
  if (Math.abs(end - expected.duration) > expected.tolerance + APART + expected.slack) {
    return `The output is ${end.toFixed(3)} s long, not ${expected.duration.toFixed(3)} s.`;
  }
  // Further sounds may end before the picture.
  const [video, audio] = [endIn('video'), endIn('audio')];
  if (!expected.endsTogether || video === undefined || audio === undefined) return null;
  // A last frame may be shown for longer than the range.
  const shown = Math.min(video, Math.max(expected.duration, audio));
  const more = expected.format === 'matroska' && expected.audio?.codec === 'aac' ? LAST_PACKET : 0;
  if (Math.abs(shown - audio) <= Math.max(APART, expected.tolerance) + more) return null;
  return `The video of the output ends at ${video.toFixed(3)} s and its audio at ${audio.toFixed(3)} s.`;
}

const isMedia = ({ codec_type }: Checked['streams'][number]) =>
  codec_type === 'video' || codec_type === 'audio';

/**
 * With reordered frames and a gap between them, the stated duration covers decoding only; the last frame may end later. Matroska has
 * the duration of the last picture in the tags alone, and that of the last sound if its frames state none, as in WavPack.
 */
function endOf(expected: ExpectedMedia, stream: Checked['streams'][number], found: Checked): number {
  // Timestamps of an mp3 include the encoder's delay and padding, which players skip.
  if (expected.format === 'mp3') return lastFrameEnd(stream, found) - (stream.start_time ?? 0);
  const { start_time: start = 0, duration } = stream;
  const stated = duration === undefined ? 0 : start + duration;
  const last = found.frames.findLast((frame) => frame.stream_index === stream.index);
  const isOpen = last !== undefined && (last.duration_time ?? last.pkt_duration_time) === undefined;
  if (duration === undefined && (stream.codec_type === 'video' || isOpen))
    return Math.max(endInTags(stream) ?? 0, lastFrameEnd(stream, found));
  return stated > 0 && stream.codec_type !== 'video' ? stated : Math.max(stated, lastFrameEnd(stream, found));
}

function lastFrameEnd(stream: Checked['streams'][number], found: Checked): number {
  const times = found.frames
    .filter((frame) => frame.stream_index === stream.index)
    .map(
      (frame) =>
        (frame.best_effort_timestamp_time ?? 0) + (frame.duration_time ?? frame.pkt_duration_time ?? 0),
    );
  return Math.max(0, greatest(times));
}

async function pictureProblem(expected: ExpectedPicture, path: string): Promise<string | null> {
  const found = await pictureSize(path);
  if (found === null || found.format !== expected.format)
    return `An output picture is not ${expected.format}.`;
  if (found.width === expected.width && found.height === expected.height) return null;
  return `An output picture is ${found.width} × ${found.height}, not ${expected.width} × ${expected.height}.`;
}
