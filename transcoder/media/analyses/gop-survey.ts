import type { Analysis } from '../../model/plan.ts';
import { isSpliced } from '../../model/splice.ts';
import { EngineFailure } from '../libav/pool.ts';
import type { Analyzer } from './analyzer.ts';

/** Null if the libav pool cannot survey the source; the planner then renders everything. */
export const survey: Analyzer<Extract<Analysis, { kind: 'survey' }>> = async (
  { engine, log },
  { ranges },
  { source, probe: { video } },
  { signal },
) => {
  if (!engine || !video || !isSpliced(video.codec)) return { survey: null };
  const about = { source: source.parts(), codec: video.codec, stream: video.index, ranges };
  try {
    const surveyed = await engine.ask({ kind: 'survey', ...about }, { sources: [source], signal });
    return { survey: surveyed };
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    log.warn('the engine could not survey a source', { error });
    return { survey: null };
  }
};
