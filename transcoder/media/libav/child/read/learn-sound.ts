import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Codec, type FormatContext, Packet, type Stream } from 'node-av/lib';
import { Decoder } from '../av.ts';

/** The type of streams in MPEG-TS whose codec the container does not name (ISO/IEC 13818-1, 2.4.4.10). */
const PRIVATE_DATA = 6;

/** Whether libav has found the codec of a sound in its packets, but neither its rate nor its channels. */
export const isUnheard = ({ codecpar: { codecType, codecId, codecTag, sampleRate } }: Stream): boolean =>
  codecType === AVMEDIA_TYPE_AUDIO &&
  Number(codecTag) === PRIVATE_DATA &&
  sampleRate === 0 &&
  Codec.findDecoder(codecId) !== null;

/** Packets of all streams in which to look. */
const MOST_PACKETS = 1000;

/**
 * Completes the parameters of sounds by decoding. libav does not parse the packets of private streams, as of mp3 in .m2ts. The
 * next packet to be read is then any one.
 */
export async function learnSound(input: FormatContext): Promise<void> {
  const decoders = new Map<number, Decoder>();
  const packet = new Packet();
  packet.alloc();
  try {
    for (const stream of input.streams.filter(isUnheard))
      decoders.set(stream.index, await Decoder.open(stream, { exact: false }));
    for (let count = 0; count < MOST_PACKETS && input.streams.some(isUnheard); count++) {
      if ((await input.readFrame(packet)) < 0) return;
      const par = input.streams[packet.streamIndex]?.codecpar;
      const decoded = decoders.get(packet.streamIndex)?.send(packet, async (frame) => {
        if (!par || par.sampleRate > 0) return;
        par.sampleRate = frame.sampleRate;
        par.channelLayout = frame.channelLayout;
        par.format = frame.format;
      });
      // A packet may be damaged, and the next one whole.
      await decoded?.catch(() => {});
      packet.unref();
    }
  } finally {
    packet.free();
    for (const decoder of decoders.values()) decoder.close();
  }
}
