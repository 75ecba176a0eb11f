/** Bytes of a frame by frame type, its header included; RFC 4867 section 5.3. Reserved types have none. */
const bytes = {
  narrow: [13, 14, 16, 18, 20, 21, 27, 32, 6, 7, 6, 6, 0, 0, 0, 1],
  wide: [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1],
} as const;

/** Splits a packet of AMR, in which each frame begins with its header. Bytes that are not a complete frame are left out. */
export function amrFrames(packet: Uint8Array, band: keyof typeof bytes): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < packet.length; ) {
    const size = bytes[band][((packet[at] ?? 0) >> 3) & 15] ?? 0;
    if (size === 0 || at + size > packet.length) break;
    frames.push(packet.subarray(at, at + size));
    at += size;
  }
  return frames;
}
