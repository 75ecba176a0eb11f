import type { Loudness } from '../model/plan.ts';

/**
 * The meter of EBU R 128. Unlike loudnorm, whose own meter is off by half a unit where speech has pauses, it stands to
 * ITU-R BS.1770; its summary is printed on stderr at the level `info`, the log of every 100 ms is not.
 */
export const loudnessMeter = 'ebur128=peak=true:framelog=verbose';

/** From the summary that the meter prints, which nothing of the source's own text comes after. Null where all is silent. */
export function parseLoudness(stderr: string): Loudness | null {
  const summary = stderr.slice(stderr.lastIndexOf('] Summary:'));
  const figure = (pattern: RegExp) => Number(pattern.exec(summary)?.[1] ?? Number.NaN);
  const integrated = figure(/\bI:\s+(\S+) LUFS/);
  // Under 400 ms there is nothing that could be gated, and the meter says −70 as of silence.
  if (!Number.isFinite(integrated) || integrated <= -70) return null;
  return {
    integrated,
    range: figure(/\bLRA:\s+(\S+) LU\b/),
    truePeak: figure(/\bPeak:\s+(\S+) dBFS/),
    threshold: figure(/\bThreshold:\s+(\S+) LUFS/),
  };
}
