import type { Packet } from 'node-av/lib';
import type { Entrance } from '../../../../bitstream/codec.ts';
import { refill } from './refill.ts';

/** Converts a packet for a decoder that begins at an entry. @returns false if it cannot be decoded. */
export function enter(packet: Packet, entrance: Entrance, leading: boolean): boolean {
  if (entrance.passed) return true;
  const data = packet.data ?? new Uint8Array();
  const converted = entrance.packet(data, leading);
  if (!converted) return false;
  if (converted === data) return true;
  refill(packet, converted);
  return true;
}
