const PACKET = 188;
/** Bytes of a packet before a table that begins in it. */
const TABLE = 5;
const PROGRAM = 2;

/** The checksum of a table (ISO/IEC 13818-1, annex A). */
function checksum(bytes: Uint8Array): number {
  let left = 0xffffffff;
  for (const byte of bytes) {
    left ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) left = (left << 1) ^ (left < 0 ? 0x04c11db7 : 0);
  }
  return left >>> 0;
}

/** States in a transport stream that its sound, which is Opus, is AC-4: ffmpeg before version 7 takes that for data. */
export function asAc4(stream: Buffer): Buffer {
  const changed = Buffer.from(stream);
  for (let at = 0; at < changed.length; at += PACKET) {
    const table = changed.subarray(at + TABLE, at + PACKET);
    const name = table.indexOf('Opus');
    if (table[0] !== PROGRAM || name < 0) continue;
    table.write('AC-4', name);
    const end = 3 + (table.readUInt16BE(1) & 0xfff) - 4;
    table.writeUInt32BE(checksum(table.subarray(0, end)), end);
  }
  return changed;
}
