import type { SourceFacts } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import type { BroughtProviders } from '../../model/speech-endpoint.ts';
import type { MediaContext } from '../execute/media-context.ts';

export interface AnalysisConditions extends BroughtProviders {
  /** The job's directory, for drawn pictures. */
  directory: string;
  /** The caller's provider key, if the request included one. */
  providerKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The source to analyze, and what is already known about it. */
export interface Analyzed {
  source: MediaSource;
  probe: MediaProbe;
  facts: SourceFacts;
}

/** One kind of analysis of one source. */
export type Analyzer<A> = (
  ctx: MediaContext,
  analysis: A,
  about: Analyzed,
  conditions: AnalysisConditions,
) => Promise<SourceFacts>;

/** The video stream to analyze. Throws if the source has none. */
export function videoOf({ probe }: Analyzed, kind: string): VideoStream {
  if (!probe.video) throw new Error(`analysis ${kind} needs a source with video`);
  return probe.video;
}
