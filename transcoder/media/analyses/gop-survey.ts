import type { Analysis } from '../../model/plan.ts';
import { isSpliced } from '../../model/splice.ts';
import { answerOrNull } from '../libav/pool.ts';
import type { Analyzer } from './analyzer.ts';

/** Null if libav cannot survey the source; the planner then renders everything. */
export const survey: Analyzer<Extract<Analysis, { kind: 'survey' }>> = async (
  ctx,
  { ranges },
  { source, probe: { video } },
  { signal },
) => {
  if (!video || !isSpliced(video.codec)) return { survey: null };
  const about = { source: source.parts(), codec: video.codec, stream: video.index, ranges };
  const how = { sources: [source], signal };
  return { survey: await answerOrNull(ctx, { kind: 'survey', ...about }, how, 'survey a source') };
};
