/** Meter of each channel's level. */
export const channelMeter = 'astats=measure_perchannel=RMS_level:measure_overall=none';

/**
 * Parses the meter's report, which is the last text on stderr, after anything that quotes the source.
 * @returns the RMS level of each channel in dBFS; empty if nothing was measured.
 */
export function parseChannelLevels(stderr: string): number[] {
  const report = stderr.slice(Math.max(0, stderr.lastIndexOf('] Channel: 1\n')));
  return [...report.matchAll(/^\[Parsed_astats_[^\]]+\] RMS level dB: (\S+)$/gm)].map(([, level]) =>
    level === '-inf' ? Number.NEGATIVE_INFINITY : Number(level),
  );
}
