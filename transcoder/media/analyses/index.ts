import { loudnessArguments } from '../../ffmpeg/inspect.ts';
import { parseLoudness } from '../../ffmpeg/loudness-meter.ts';
import { run } from '../../ffmpeg/run.ts';
import { packetsOf, shownPackets } from '../../model/gop-survey.ts';
import { canSeek, type MediaProbe } from '../../model/media-probe.ts';
import type { MediaSource } from '../../model/media-source.ts';
import type { Analysis, Facts, Loudness, Packet, SourceFacts } from '../../model/plan.ts';
import { isSpliced, type Surveyed } from '../../model/splice.ts';
import type { VideoStream } from '../../model/video-stream.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { EngineFailure } from '../libav/pool.ts';
import { measureLevels } from './audio-levels.ts';
import { orientationOf } from './exif-orientation.ts';
import { findPictures } from './frames-at.ts';
import { listPackets } from './packets.ts';
import { speak } from './synthesize-speech.ts';
import { hear } from './transcribe.ts';

export interface AnalyzeRequest {
  probes: readonly MediaProbe[];
  sources: readonly MediaSource[];
  /** The job's, where the engine draws pictures. */
  directory: string;
  /** The caller's key of a provider, where one came with the request. */
  providerKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Finds out what a planner needs to know.
 * @param before What is known already, which is kept.
 */
export async function analyze(
  ctx: MediaContext,
  analyses: readonly Analysis[],
  request: AnalyzeRequest,
  before: Facts = {},
): Promise<Facts> {
  const { signal } = request;
  const sources: SourceFacts[] = request.sources.map((_, index) => ({ ...before.sources?.[index] }));
  let { speech } = before;
  for (const analysis of analyses) {
    if (analysis.kind === 'speech') {
      speech = await speak(ctx, analysis, speech, request);
      continue;
    }
    const source = request.sources[analysis.source];
    const probe = request.probes[analysis.source];
    const facts = sources[analysis.source];
    if (!source || !probe || !facts)
      throw new Error(`an analysis reads source ${analysis.source}, which there is not`);
    if (analysis.kind === 'packets') {
      const { video } = probe;
      if (!video) throw new Error('packets are listed of a source without video');
      facts.packets =
        packetsOf(facts.survey, video) ??
        shownPackets(await listPackets(ctx, source, video, analysis.intervals, signal), video);
    } else if (analysis.kind === 'pictures') {
      facts.pictures = await findPictures({ ctx, source, probe, signal }, analysis, request.directory);
    } else if (analysis.kind === 'survey') {
      facts.survey = await surveyed(ctx, analysis, request);
    } else if (analysis.kind === 'levels') {
      facts.levels = await measureLevels(ctx, source, probe, analysis.stream, signal);
    } else if (analysis.kind === 'words') {
      facts.words = await hear(ctx, analysis, { source, probe, directory: request.directory, signal });
    } else if (analysis.kind === 'orientation') {
      facts.orientation = await orientationOf((await source.whole()).path);
    } else if (analysis.kind === 'tail') {
      const { video } = probe;
      if (!video) throw new Error('the tail of a source without video was asked for');
      facts.tail = await tailOf(ctx, source, probe, video, signal);
    } else {
      facts.loudness = await measureLoudness(ctx, source, analysis.stream, signal);
    }
  }
  return { ...sources[0], sources, ...(speech ? { speech } : {}) };
}

/** So far before the end that the container states, the last packets are looked for first. */
const TAIL_SECONDS = 10;

async function tailOf(
  ctx: MediaContext,
  source: MediaSource,
  probe: MediaProbe,
  video: VideoStream,
  signal: AbortSignal | undefined,
): Promise<Packet[]> {
  const from = video.startTime + video.duration - TAIL_SECONDS;
  const late =
    canSeek(probe) && from > probe.origin
      ? await listPackets(ctx, source, video, [[from, null]], signal)
      : [];
  return late.length > 0 ? late : listPackets(ctx, source, video, [], signal);
}

async function surveyed(
  { engine, log }: MediaContext,
  { source: index, ranges }: Extract<Analysis, { kind: 'survey' }>,
  { probes, sources, signal }: AnalyzeRequest,
): Promise<Surveyed | null> {
  const [source, video] = [sources[index], probes[index]?.video];
  if (!engine || !source || !video || !isSpliced(video.codec)) return null;
  const about = { source: source.parts(), codec: video.codec, stream: video.index, ranges };
  try {
    return await engine.survey({ kind: 'survey', ...about }, { sources: [source], signal });
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    log.warn('the engine could not survey a source', { error });
    return null;
  }
}

async function measureLoudness(
  ctx: MediaContext,
  source: MediaSource,
  stream: number,
  signal: AbortSignal | undefined,
): Promise<Loudness | null> {
  const file = await source.whole();
  const args = loudnessArguments(file, stream);
  const { stderrTail } = await run(ctx.programs, 'ffmpeg', args, {
    signal,
    reads: [file.path],
    onProgress: () => {},
    stallSeconds: 60,
  });
  return parseLoudness(stderrTail);
}
