import type { Packet } from 'node-av/lib';

/** Gives a packet other bytes. node-av clears its other fields with them; a keyframe without its flag would be missing in an index. */
export function refill(packet: Packet, bytes: Uint8Array): void {
  const { pts, dts, duration, flags, streamIndex } = packet;
  packet.data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  Object.assign(packet, { pts, dts, duration, flags, streamIndex });
}
