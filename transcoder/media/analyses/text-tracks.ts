import type { Analysis } from '../../model/plan.ts';
import { answerOrNull } from '../libav/pool.ts';
import type { Analyzer } from './analyzer.ts';

/** The cues of text tracks; none of them where libav cannot read them. */
export const texts: Analyzer<Extract<Analysis, { kind: 'texts' }>> = async (
  ctx,
  { streams, spans },
  { source },
  { signal },
) => {
  const request = { kind: 'cues', source: source.parts(), streams, spans } as const;
  const cues = await answerOrNull(ctx, request, { sources: [source], signal }, 'read the text tracks');
  return {
    texts: streams.map((stream, index) => {
      const own = cues?.[index] ?? [];
      return cues?.[index] === null ? { stream, cues: own, tooLong: true } : { stream, cues: own };
    }),
  };
};
