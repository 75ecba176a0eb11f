import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { ProbedSource } from '../../model/source/media-source.ts';
import type { Input, Render, Step } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { fetchedRanges, type Range } from '../libav/fetched-ranges.ts';

/** Bytes from which on a source is fetched in part for a program. */
const LEAST_BYTES = 8 * 1024 * 1024;

/** Largest part of a source that is worth fetching by itself. */
const LARGEST = 1 / 2;

/** Formats with an index: of these, a program reads nothing but the header and what it seeks. */
const sought: readonly Demuxer[] = ['mov', 'matroska', 'avi'];

/** The inputs that read a source. */
export const inputsOf = ({ inputs }: Pick<Render, 'inputs'>, source: number): Input[] =>
  inputs.filter((input) => 'source' in input && input.source === source);

/** Whether the programs of a plan read all of a source, or most of it. One download is quicker than many parts. */
export function readsMost(steps: readonly Step[], index: number, { probe }: ProbedSource): boolean {
  const inputs = steps.flatMap((step) => (step.kind === 'render' ? inputsOf(step, index) : []));
  const ranges = rangesOf(inputs);
  if (inputs.length === 0 || probe.still) return false;
  return ranges === null || secondsIn(ranges, probe) > probe.duration * LARGEST;
}

/**
 * Fetches what a program reads of a source, where its inputs say how far that is.
 * @param streams Those that are decoded.
 * @returns whether the file may be read as it is; otherwise all of it has to be fetched.
 */
export async function fetchedInPart(
  ctx: MediaContext,
  source: ProbedSource,
  inputs: readonly Input[],
  streams: number[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { format, bytes, indexed, probe } = source;
  if (source.parts().present === null || bytes < LEAST_BYTES || probe.video?.timedByDecoding) return false;
  if (!sought.includes(format) || (format === 'mov' && !indexed)) return false;
  const ranges = rangesOf(inputs);
  if (ranges === null || ranges.length === 0) return false;
  return fetchedRanges(ctx, source, { streams, ranges }, signal);
}

/** Null if one of the inputs does not say how far it is read. */
function rangesOf(inputs: readonly Input[]): Range[] | null {
  const ranges: Range[] = [];
  for (const input of inputs) {
    if (!('source' in input) || input.end === undefined || input.copy || input.loop) return null;
    ranges.push({ from: input.seek, end: input.end });
  }
  return ranges;
}

function secondsIn(ranges: readonly Range[], probe: MediaProbe): number {
  const last = probe.origin + (probe.still ? 0 : probe.duration);
  return ranges.reduce((sum, { from, end }) => sum + (end ?? last) - (from ?? probe.origin), 0);
}
