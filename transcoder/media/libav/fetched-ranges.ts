import type { MediaSource } from '../../model/source/media-source.ts';
import { answerOrNull } from './pool.ts';
import type { ReachRequest } from './protocol.ts';

export type Range = ReachRequest['ranges'][number];

/**
 * Fetches what a program reads of ranges of a source. In place of what is missing, it would read zeros, and say that it cannot decode
 * them.
 * @returns whether the file may be read as it is; otherwise all of it has to be fetched.
 */
export async function fetchedRanges(
  ctx: Parameters<typeof answerOrNull>[0],
  source: MediaSource,
  { streams, ranges }: Pick<ReachRequest, 'streams' | 'ranges'>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const asked = { kind: 'reach', source: source.parts(), streams, ranges } as const;
  const how = { sources: [source], signal };
  return (await answerOrNull(ctx, asked, how, 'fetch a part of a source')) ?? false;
}
