import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import { audioCodecsOf } from '../../../schema/operations/transcode.ts';
import type { AudioStream, MediaProbe } from '../../model/source/media-probe.ts';
import type { Span } from './frames.ts';

/** Codecs whose packets can be copied, and the packets that their decoders need to settle. */
const settling: Partial<Record<string, number>> = { aac: 1, ac3: 1, mp3: 3 };

/**
 * A span of sound in samples, if an edit list can trim its packets to the sample: timestamps count samples or are near enough to find
 * them by, and the decoder settles quickly. Otherwise null.
 */
export function copiedSound(probe: MediaProbe, stream: AudioStream, span: Span) {
  const { index, codec, sampleRate, timeBase } = stream;
  const settle = settling[codec];
  const profile = probe.streams.find((each) => each.index === index)?.profile;
  const counted = probe.format === 'mov' && timeBase === `1/${sampleRate}`;
  if (settle === undefined || !(counted || probe.format === 'matroska')) return null;
  if (stream.inPieces || stream.redescribed || (codec === 'aac' && profile !== 'LC')) return null;
  return {
    start: Math.round((probe.origin + span.start) * sampleRate),
    end: Math.round((probe.origin + span.end) * sampleRate),
    settle,
    ...(counted ? {} : { rate: sampleRate }),
  };
}

/** Samples of a packet of AAC, and how many seconds later than the picture a sound may end. */
const AAC_PACKET = 1024;
const APART = 0.05;

/** Whether all packets can be copied next to rendered pictures: an edit list keeps them exact to the sample. */
export function copiesWhole(
  { format: from, origin, video }: MediaProbe,
  { codec, inPieces, redescribed, sampleRate }: AudioStream,
  format: VideoContainer,
) {
  if (inPieces || redescribed) return false;
  const edited = from === 'mov' && (format === 'mp4' || format === 'mov') && origin === 0;
  // Fragments have no edit list for the end: the last packet may be stated to last less than it does, which a copy does not keep.
  const fragmented = video !== null && video.frames === null;
  if (fragmented && codec === 'aac' && AAC_PACKET / sampleRate > APART) return false;
  return edited && codec === audioCodecsOf[format][0];
}
