import type { Analysis, TextCue } from '../../model/plan.ts';
import { LibavFailure } from '../libav/pool.ts';
import type { Analyzer } from './analyzer.ts';

/** The cues of text tracks; none of them where libav cannot read them. */
export const texts: Analyzer<Extract<Analysis, { kind: 'texts' }>> = async (
  { libav, log },
  { streams },
  { source },
  { signal },
) => {
  const found = (cues: readonly TextCue[][]) => ({
    texts: streams.map((stream, index) => ({ stream, cues: cues[index] ?? [] })),
  });
  if (!libav) return found([]);
  try {
    const request = { kind: 'cues', source: source.parts(), streams } as const;
    return found(await libav.ask(request, { sources: [source], signal }));
  } catch (error) {
    if (!(error instanceof LibavFailure)) throw error;
    log.warn('libav could not read the text tracks', { error });
    return found([]);
  }
};
