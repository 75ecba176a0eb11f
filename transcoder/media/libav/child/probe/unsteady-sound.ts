import { AV_CODEC_ID_VORBIS, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import type { StatedBlock } from '../../../../model/source/block-times.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { isUnsteady } from '../../../../model/source/unsteady-sound.ts';
import { tickOf } from '../read/packet-window.ts';
import { Reader } from '../read/reader.ts';

/** Containers of recorders, with times in milliseconds. */
const recorded: readonly Demuxer[] = ['matroska', 'flv'];
/** Packets to look at. A browser has 32 of them in two seconds. */
const PACKETS = 32;

/** Whether the first packets of a sound have times at which they arrived. The blocks of Vorbis are of two lengths, which the container does not tell. */
export async function hasUnsteadySound(
  source: SourceParts,
  { index, codecpar: { codecType, codecId }, timeBase: { num, den } }: Stream,
): Promise<boolean> {
  if (!recorded.includes(source.format) || codecType !== AVMEDIA_TYPE_AUDIO || codecId === AV_CODEC_ID_VORBIS)
    return false;
  const reader = await Reader.ofPackets({ source, stream: index });
  try {
    const blocks: StatedBlock[] = [];
    while (blocks.length < PACKETS) {
      const packet = await reader.next();
      if (!packet) break;
      const tick = tickOf(packet);
      if (tick === null || packet.duration <= 0n) return false;
      blocks.push({ time: (tick * num) / den, length: (Number(packet.duration) * num) / den });
    }
    return isUnsteady(blocks);
  } finally {
    await reader.close();
  }
}
