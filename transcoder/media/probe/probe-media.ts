import { z } from 'zod';
import { firstFrameArguments, streamArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { MediaProbe, StatedAudio } from '../../model/source/media-probe.ts';
import type { Arrived, MediaSource, SourceFile } from '../../model/source/media-source.ts';
import { protectedSource, refusedAs } from '../../model/source/refused-source.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { answerOrNull } from '../libav/pool.ts';
import { type Printed, printed } from '../libav/protocol.ts';
import { chaptersOf } from './chapters.ts';
import { clockOf } from './source-clock.ts';
import { containerName, parseStreams, type StatedSource, type StatedStream } from './streams.ts';
import { movingStreams, stillStreams } from './timed-streams.ts';

const PROBE_SECONDS = 60;

/**
 * Reads the container and its streams, plus what only packets or frames reveal. Throws `source_not_media`, and `track_not_found` without
 * the wanted sound track.
 * @param audioTrack Number of the sound track to choose, counted from 0; null for the one that players choose.
 */
export async function probeMedia(
  ctx: MediaContext,
  source: MediaSource,
  signal?: AbortSignal,
  audioTrack: number | null = null,
): Promise<MediaProbe> {
  const described = asArrived(await statedOf(ctx, source, signal), source.arrived);
  const stated = audioTrack === null ? described : hearing(described, audioTrack);
  if (!stated.video && !stated.audio) {
    throw new TaskFailure('source_not_media', nothingIn(stated.streams));
  }
  const { arrived } = source;
  const container = arrived ? containerName(arrived.format) : stated.container;
  const fileSize = arrived?.bytes ?? source.bytes;
  const facts = {
    ...{ format: source.format, container, fileSize },
    ...(stated.timecode ? { timecode: stated.timecode } : {}),
  };
  if (stated.still) {
    const streams = stillStreams(stated);
    return { ...facts, ...streams, chapters: [], still: true, origin: 0, duration: null, kbps: null };
  }
  const { times, ...own } = await clockOf({ ctx, source, signal }, stated);
  const { origin, duration } = arrived?.clock ?? own;
  const kbps = duration > 0 ? (fileSize * 8) / duration / 1000 : null;
  const streams = movingStreams(stated, { origin, duration, times, kbps });
  const video = streams.video && arrived?.interlaced ? { ...streams.video, interlaced: true } : streams.video;
  return {
    ...facts,
    ...{ ...streams, video },
    chapters: chaptersOf(stated.chapters, origin + duration),
    ...{ still: false, origin, duration, kbps },
  };
}

/** Names what is there: `its audio (mpegh_3d_audio)`. */
function nothingIn(streams: readonly StatedStream[]): string {
  const there = streams
    .filter(({ type }) => type === 'video' || type === 'audio')
    .map(({ type, codec }) => `its ${type} (${codec})`);
  const [first, ...more] = new Set(there);
  if (!first) return 'The source contains no video, audio or picture that can be decoded.';
  const what = [first, ...more].join(' and ');
  const verb = more.length > 0 ? 'are' : 'is';
  return `Nothing in the source can be decoded: ${what} ${verb} damaged or coded in a way that is not supported.`;
}

/** The streams of a remuxed source, where the ones whose sound was decoded are listed as they were coded. */
function asArrived(stated: StatedSource, arrived: Arrived | undefined): StatedSource {
  const codedOf = (stream: number) => arrived?.decoded.find(({ index }) => index === stream);
  const asCoded = (audio: StatedAudio | null) =>
    audio && { ...audio, kbps: (codedOf(audio.index) ?? audio).kbps };
  const streams = stated.streams.map((stream) => ({
    ...stream,
    ...codedOf(stream.index),
    audio: asCoded(stream.audio),
  }));
  return { ...stated, streams, audio: asCoded(stated.audio) };
}

function hearing(stated: StatedSource, track: number): StatedSource {
  const sounds = stated.streams.flatMap(({ audio }) => audio ?? []);
  const audio = sounds[track];
  if (audio) return { ...stated, audio };
  const last = sounds.length - 1;
  const allowed =
    last < 0 ? 'no audio track' : last === 0 ? 'one audio track, 0' : `the audio tracks 0 to ${last}`;
  throw new TaskFailure('track_not_found', `audio_track is ${track}, but the source has ${allowed}.`);
}

/** What the container says of its streams. Throws `source_not_media`. */
export async function statedOf(
  ctx: MediaContext,
  source: MediaSource,
  signal: AbortSignal | undefined,
): Promise<StatedSource> {
  const description = (await probedByLibav(ctx, source, signal)) ?? (await byProgram(ctx, source, signal));
  if (description.encrypted) throw refusedAs(protectedSource);
  return parseStreams(description, source.format);
}

/** Null if libav is unavailable or cannot open the source; ffprobe then decides whether it is media. */
export const probedByLibav = (
  ctx: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  signal: AbortSignal | undefined,
): Promise<Printed | null> =>
  answerOrNull(
    ctx,
    { kind: 'probe', source: source.parts() },
    { sources: [source], signal },
    'probe a source',
  );

async function byProgram(
  ctx: MediaContext,
  source: MediaSource,
  signal: AbortSignal | undefined,
): Promise<Printed> {
  const file = await source.whole();
  const description = printed.parse(await ask(ctx, file, streamArguments(file), signal));
  const { video } = parseStreams(description, source.format);
  if (!video?.hdr || video.mastering) return description;
  const frame = firstFrame.parse(await ask(ctx, file, firstFrameArguments(file, video.index), signal));
  const more = frame.frames[0]?.side_data_list ?? [];
  const streams = description.streams.map((stream) =>
    stream.index === video.index
      ? { ...stream, side_data_list: [...stream.side_data_list, ...more] }
      : stream,
  );
  return { ...description, streams };
}

const firstFrame = z.object({
  frames: z
    .array(z.object({ side_data_list: z.array(z.record(z.string(), z.unknown())).default([]) }))
    .default([]),
});

async function ask(
  ctx: MediaContext,
  { path }: SourceFile,
  args: string[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    const { stdout } = await run(ctx.programs, 'ffprobe', args, {
      ...{ signal, reads: [path] },
      timeoutSeconds: PROBE_SECONDS,
    });
    return JSON.parse(stdout);
  } catch (error) {
    // A header that asks for more memory than the machine has is damaged, too.
    const codes = ['render_failed', 'out_of_memory'];
    if (!(error instanceof TaskFailure && codes.includes(error.code))) throw error;
    const detail = 'The source cannot be opened: it is damaged or its format is not supported.';
    throw new TaskFailure('source_not_media', detail, { cause: error });
  }
}
