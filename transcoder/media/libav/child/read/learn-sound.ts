import { AV_CODEC_ID_NONE, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { Decoder } from '../av.ts';

/** Whether libav knows the codec of a sound, but neither its rate nor its channels. */
export const isUnheard = ({ codecpar: { codecType, codecId, sampleRate } }: Stream): boolean =>
  codecType === AVMEDIA_TYPE_AUDIO && codecId !== AV_CODEC_ID_NONE && sampleRate === 0;

/** Packets of all streams in which to look. */
const MOST_PACKETS = 1000;

/**
 * Completes the parameters of sounds by decoding. libav does not parse the packets of a stream in MPEG-TS whose codec the container does
 * not name, as mp3 in .m2ts. The next packet to be read is then any one.
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
      await decoders.get(packet.streamIndex)?.send(packet, async ({ sampleRate, channelLayout, format }) => {
        if (!par || par.sampleRate > 0) return;
        par.sampleRate = sampleRate;
        par.channelLayout = channelLayout;
        par.format = format;
      });
      packet.unref();
    }
  } finally {
    packet.free();
    for (const decoder of decoders.values()) decoder.close();
  }
}
