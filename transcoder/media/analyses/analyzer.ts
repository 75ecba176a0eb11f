import type { MediaProbe } from '../../model/media-probe.ts';
import type { MediaSource } from '../../model/media-source.ts';
import type { SourceFacts } from '../../model/plan.ts';
import type { VideoStream } from '../../model/video-stream.ts';
import type { MediaContext } from '../execute/media-context.ts';

export interface AnalysisConditions {
  /** The job's, where the engine draws pictures. */
  directory: string;
  /** The caller's key of a provider, where one came with the request. */
  providerKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The source that an analysis is of, and what is known of it already. */
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

/** The picture of a source that an analysis is of. Throws where the planner asked for one that is not there. */
export function videoOf({ probe }: Analyzed, kind: string): VideoStream {
  if (!probe.video) throw new Error(`an analysis of ${kind} reads a source without video`);
  return probe.video;
}
