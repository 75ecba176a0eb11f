import type { SourceFile } from '../ffmpeg/arguments.ts';
import { loudnessArguments } from '../ffmpeg/inspect.ts';
import { run } from '../ffmpeg/run.ts';
import type { MediaContext } from './context.ts';
import { measureLevels } from './levels.ts';
import { listPackets } from './packets.ts';
import { findPictures } from './pictures.ts';
import type { Analysis, Facts, Loudness } from './plan.ts';
import type { MediaProbe } from './probe.ts';
import { packetsOf } from './surveyed.ts';
import { EngineFailure } from './worker/engine.ts';
import type { Surveyed } from './worker/protocol.ts';

export interface AnalyzeRequest {
  probes: readonly MediaProbe[];
  sources: readonly SourceFile[];
  signal?: AbortSignal | undefined;
}

/** Finds out what a planner needs to know. */
export async function analyze(
  ctx: MediaContext,
  analyses: readonly Analysis[],
  request: AnalyzeRequest,
): Promise<Facts> {
  const { signal } = request;
  const facts: Facts = {};
  for (const analysis of analyses) {
    const source = request.sources[analysis.source];
    const probe = request.probes[analysis.source];
    if (!source || !probe) throw new Error(`an analysis reads source ${analysis.source}, which there is not`);
    if (analysis.kind === 'packets') {
      const { video } = probe;
      if (!video) throw new Error('packets are listed of a source without video');
      facts.packets =
        packetsOf(facts.survey, video) ?? (await listPackets(ctx, source, video, analysis.intervals, signal));
    } else if (analysis.kind === 'pictures') {
      facts.pictures = await findPictures({ ctx, source, probe, signal }, analysis);
    } else if (analysis.kind === 'survey') {
      facts.survey = await surveyed(ctx, analysis, request);
    } else if (analysis.kind === 'levels') {
      facts.levels = await measureLevels(ctx, source, probe, analysis.stream, signal);
    } else {
      facts.loudness = await measureLoudness(ctx, source, analysis.stream, signal);
    }
  }
  return facts;
}

async function surveyed(
  { engine, log }: MediaContext,
  { source: index, from, to }: Extract<Analysis, { kind: 'survey' }>,
  { probes, sources, signal }: AnalyzeRequest,
): Promise<Surveyed | null> {
  const [source, stream] = [sources[index], probes[index]?.video?.index];
  if (!engine || !source || stream === undefined) return null;
  try {
    const { path, format } = source;
    return await engine.survey({ kind: 'survey', source: { path, format }, stream, from, to }, { signal });
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    log.warn('the engine could not survey a source', { error });
    return null;
  }
}

async function measureLoudness(
  ctx: MediaContext,
  source: SourceFile,
  stream: number,
  signal: AbortSignal | undefined,
): Promise<Loudness | null> {
  const { stderrTail } = await run(ctx.programs, 'ffmpeg', loudnessArguments(source, stream), {
    signal,
    onProgress: () => {},
    stallSeconds: 60,
  });
  const printed: Record<string, string> = JSON.parse(/\{[^{}]*\}\s*$/.exec(stderrTail)?.[0] ?? '{}');
  const figure = (name: string) => Number(printed[name] ?? Number.NaN);
  const integrated = figure('input_i');
  if (!Number.isFinite(integrated) || integrated <= -70) return null;
  return {
    integrated,
    range: figure('input_lra'),
    truePeak: figure('input_tp'),
    threshold: figure('input_thresh'),
  };
}
