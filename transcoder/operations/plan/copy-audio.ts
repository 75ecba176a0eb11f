import type { AudioStream, MediaProbe } from '../../model/media-probe.ts';
import type { Span } from './frame-selection.ts';

/** Sound that is copied, and how many packets its decoder takes to settle. */
const settling: Partial<Record<string, number>> = { aac: 1, ac3: 1, mp3: 3 };

/**
 * A span of sound in samples, where packets can be cut to the sample by an edit list: their times count samples, and
 * their decoder settles soon. Else null.
 */
export function copiedSound(probe: MediaProbe, stream: AudioStream, span: Span) {
  const { index, codec, sampleRate, timeBase } = stream;
  const settle = settling[codec];
  const profile = probe.streams.find((each) => each.index === index)?.profile;
  if (probe.format !== 'mov' || settle === undefined || timeBase !== `1/${sampleRate}`) return null;
  if (codec === 'aac' && profile !== 'LC') return null;
  return {
    start: Math.round((probe.origin + span.start) * sampleRate),
    end: Math.round((probe.origin + span.end) * sampleRate),
    settle,
  };
}
