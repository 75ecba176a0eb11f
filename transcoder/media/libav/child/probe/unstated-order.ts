import { AV_CODEC_ID_H264 } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import { H264Order, leavesOrderOpen } from '../../../../bitstream/h264-order.ts';
import { isAscending } from '../../../../model/numbers/min-max.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { Reader } from '../read/reader.ts';

/** Packets among which the first picture is that is shown before the one ahead of it. */
const FIRST_GROUP = 8;

/**
 * Whether H.264 in an mp4 has pictures that are shown in another order than they are coded in, though neither its parameter sets nor
 * the index say so. The other containers are opened with packets, from which libav learns it.
 */
export async function isReorderedUnstated(
  source: SourceParts,
  { index, codecpar }: Stream,
): Promise<boolean> {
  if (source.format !== 'mov' || codecpar.codecId !== AV_CODEC_ID_H264 || codecpar.videoDelay > 0)
    return false;
  const extradata = Uint8Array.from(codecpar.extradata ?? []);
  if (!leavesOrderOpen(extradata)) return false;
  const order = new H264Order(extradata);
  const reader = await Reader.ofPackets({ source, stream: index });
  try {
    for (let count = 0; count < FIRST_GROUP; count++) {
      const packet = await reader.next();
      if (!packet) break;
      order.take(packet.data ?? new Uint8Array());
    }
  } finally {
    await reader.close();
  }
  const shown = order.shown({ once: false });
  return shown !== null && !isAscending(shown);
}
