import { AV_CODEC_ID_TTA, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import { Decoder } from '../av.ts';

/**
 * Whether only decoding tells how long the sound of a packet lasts: containers may state no length (ALAC, WavPack and Speex in Matroska),
 * and of TTA they state the length of a whole frame, which the last one is not.
 */
export const isLengthUnstated = ({ duration }: Packet, { codecpar }: Stream): boolean =>
  codecpar.codecType === AVMEDIA_TYPE_AUDIO && (duration === 0n || codecpar.codecId === AV_CODEC_ID_TTA);

/** Ticks of the sound that a packet alone decodes to; null if that is none. */
export async function ticksDecoded(packet: Packet, stream: Stream): Promise<number | null> {
  const { num, den } = stream.timeBase;
  let seconds = 0;
  try {
    const decoder = await Decoder.open(stream, { exact: false });
    try {
      for (const sent of [packet, null]) {
        await decoder.send(sent, async ({ nbSamples, sampleRate }) => {
          seconds += nbSamples / sampleRate;
        });
      }
    } finally {
      decoder.close();
    }
  } catch {
    return null;
  }
  return seconds > 0 ? Math.round((seconds * den) / num) : null;
}
