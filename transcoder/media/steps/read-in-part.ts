import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { ProbedSource } from '../../model/source/media-source.ts';
import type { Input } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { fetchedRanges, type Range } from '../libav/fetched-ranges.ts';

/** Bytes from which on a source is fetched in part for a program. */
const LEAST_BYTES = 8 * 1024 * 1024;

/** Largest part of a source that is worth fetching by itself. */
const LARGEST = 1 / 2;

/** Formats with an index: of these, a program reads nothing but the header and what it seeks. */
const sought: readonly Demuxer[] = ['mov', 'matroska', 'avi'];

/**
 * Fetches what a program reads of a source, where its inputs say how far that is.
 * @returns whether the file may be read as it is; otherwise all of it has to be fetched.
 */
export async function fetchedInPart(
  ctx: MediaContext,
  source: ProbedSource,
  inputs: readonly Input[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { format, bytes, indexed, probe } = source;
  if (source.parts().present === null || bytes < LEAST_BYTES || probe.video?.timedByDecoding) return false;
  if (!sought.includes(format) || (format === 'mov' && !indexed)) return false;
  const ranges: Range[] = [];
  for (const input of inputs) {
    if (!('source' in input) || input.end === undefined || input.copy || input.loop) return false;
    ranges.push({ from: input.seek, end: input.end });
  }
  if (ranges.length === 0 || secondsIn(ranges, probe) > (probe.still ? 0 : probe.duration * LARGEST))
    return false;
  return fetchedRanges(ctx, source, ranges, signal);
}

function secondsIn(ranges: readonly Range[], probe: MediaProbe): number {
  const last = probe.origin + (probe.still ? 0 : probe.duration);
  return ranges.reduce((sum, { from, end }) => sum + (end ?? last) - (from ?? probe.origin), 0);
}
