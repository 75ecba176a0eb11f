import type { Demuxer } from '../demuxers.ts';
import { uint } from './bytes.ts';

/** The demuxer for a recording that was cut without regard to its packets, and so begins within one, or behind other bytes. */
export function cutRecording(head: Uint8Array): Demuxer | null {
  if (isCutTransportStream(head)) return 'mpegts';
  return isCutProgramStream(head) ? 'mpeg' : null;
}

const SYNC = 0x47;
/** Sizes of a packet: plain, behind a time code, and before bytes of error correction (ISO/IEC 13818-1, ETSI EN 300 429). */
const PACKETS = [188, 192, 204];
/** Packets in a row that other bytes do not resemble. */
const ENOUGH = 8;

function isCutTransportStream(head: Uint8Array): boolean {
  return PACKETS.some((packet) => {
    for (let offset = 0; offset + ENOUGH * packet <= head.length; offset++)
      if (hasSyncs(head, offset, packet)) return true;
    return false;
  });
}

function hasSyncs(head: Uint8Array, offset: number, packet: number): boolean {
  for (let at = offset; at < head.length; at += packet) if (head[at] !== SYNC) return false;
  return true;
}

const PACK = 0x1ba;
const MPEG1_PACK_BYTES = 12;
const MPEG2_PACK_BYTES = 14;

/** Whether a whole pack header is followed by a system header or a packet (ISO/IEC 11172-1, 2.4.3.2; 13818-1, 2.5.3.3). */
function isCutProgramStream(head: Uint8Array): boolean {
  for (let at = 0; at + MPEG2_PACK_BYTES + 8 <= head.length; at++) {
    if (head[at + 2] !== 1 || uint(head, at, 4) !== PACK) continue;
    const length = packBytes(head, at);
    if (length === null || at + length + 4 > head.length) continue;
    if (uint(head, at + length, 3) === 1 && (head[at + length + 3] ?? 0) > (PACK & 0xff)) return true;
  }
  return false;
}

function packBytes(head: Uint8Array, at: number): number | null {
  const marks = head[at + 4] ?? 0;
  if ((marks & 0xf1) === 0x21) return MPEG1_PACK_BYTES;
  return (marks & 0xc4) === 0x44 ? MPEG2_PACK_BYTES + ((head[at + 13] ?? 0) & 7) : null;
}
