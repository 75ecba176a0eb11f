import type { Packet } from 'node-av/lib';
import type { Entrance } from '../../../../bitstream/codec.ts';

/** Converts a packet for a decoder that begins at an entry. @returns false if it cannot be decoded. */
export function enter(packet: Packet, entrance: Entrance, leading: boolean): boolean {
  if (entrance.passed) return true;
  const data = packet.data ?? new Uint8Array();
  const converted = entrance.packet(data, leading);
  if (!converted) return false;
  if (converted === data) return true;
  const { pts, dts, duration, isKeyframe, streamIndex } = packet;
  // New data clears all other fields.
  packet.data = Buffer.from(converted.buffer, converted.byteOffset, converted.length);
  Object.assign(packet, { pts, dts, duration, isKeyframe, streamIndex });
  return true;
}
