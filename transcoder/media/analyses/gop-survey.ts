import type { Analysis } from '../../model/plan.ts';
import { isSpliced } from '../../model/splice.ts';
import { LibavFailure } from '../libav/pool.ts';
import type { Analyzer } from './analyzer.ts';

/** Null if libav pool cannot survey the source; the planner then renders everything. */
export const survey: Analyzer<Extract<Analysis, { kind: 'survey' }>> = async (
  { libav, log },
  { ranges },
  { source, probe: { video } },
  { signal },
) => {
  if (!libav || !video || !isSpliced(video.codec)) return { survey: null };
  const about = { source: source.parts(), codec: video.codec, stream: video.index, ranges };
  try {
    const surveyed = await libav.ask({ kind: 'survey', ...about }, { sources: [source], signal });
    return { survey: surveyed };
  } catch (error) {
    if (!(error instanceof LibavFailure)) throw error;
    log.warn('libav could not survey a source', { error });
    return { survey: null };
  }
};
