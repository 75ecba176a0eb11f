/** The CRC of 32 bits, without reflection, that transport streams and Ogg have in common. @param from What it starts with. */
export function remainder(bytes: Uint8Array, from: number): number {
  let sum = from;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0;
}
