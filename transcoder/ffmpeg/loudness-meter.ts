import type { Loudness } from '../model/plan.ts';

/**
 * EBU R 128 meter. It follows ITU-R BS.1770, whereas the meter of loudnorm is off by half a unit for speech with
 * pauses. Only its summary is printed at the log level `info`, not the line for every 100 ms.
 */
export const loudnessMeter = 'ebur128=peak=true:framelog=verbose';

/**
 * Parses the meter's summary, which is the last text on stderr, after anything that quotes the source. Null for
 * silence.
 */
export function parseLoudness(stderr: string): Loudness | null {
  const summary = stderr.slice(stderr.lastIndexOf('] Summary:'));
  const figure = (pattern: RegExp) => Number(pattern.exec(summary)?.[1] ?? Number.NaN);
  const integrated = figure(/\bI:\s+(\S+) LUFS/);
  // Below 400 ms there is no gating block, and the meter reports −70 as it does for silence.
  if (!Number.isFinite(integrated) || integrated <= -70) return null;
  return {
    integrated,
    range: figure(/\bLRA:\s+(\S+) LU\b/),
    truePeak: figure(/\bPeak:\s+(\S+) dBFS/),
    threshold: figure(/\bThreshold:\s+(\S+) LUFS/),
  };
}
