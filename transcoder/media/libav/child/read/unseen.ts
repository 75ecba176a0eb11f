import { AV_CODEC_ID_DIRAC, AV_CODEC_ID_VP8 } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import { isDiracUnseen } from '../../../../bitstream/dirac.ts';
import { isVp8Unseen } from '../../../../bitstream/vp8.ts';
import { isHidden } from '../av.ts';

/** Whether no frame of a packet is shown: an edit list hides it, others only refer to it, or it holds none. */
export function isUnseen(packet: Packet, { codecpar: { codecId } }: Stream): boolean {
  const isEmpty = codecId === AV_CODEC_ID_DIRAC && isDiracUnseen(packet.data ?? Buffer.alloc(0));
  const isReference = codecId === AV_CODEC_ID_VP8 && isVp8Unseen(packet.data ?? new Uint8Array());
  return isEmpty || isReference || isHidden(packet);
}
