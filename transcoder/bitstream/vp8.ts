/**
 * Whether the frame of a packet is only referred to: libvpx writes the alternate reference frame of a group as a packet with the time of the
 * next one (RFC 6386, 9.1: bit 4 of the frame tag is `show_frame`).
 */
export const isVp8Unseen = (packet: Uint8Array): boolean =>
  packet.length > 0 && ((packet[0] ?? 0) & 0x10) === 0;
