/** A page of Ogg (RFC 3533, 6). */
export interface OggPage {
  /** Whether its stream begins with it. */
  begins: boolean;
  serial: number;
  /** In bytes. */
  length: number;
}

/** A header and 255 segments of 255 bytes. */
export const LONGEST_OGG_PAGE = 65_307;
const HEADER = 27;
const [VERSION_AT, FLAGS_AT, SERIAL_AT, SEGMENTS_AT] = [4, 5, 14, 26];
const BEGINS = 2;
const FLAGS = 8;

/** The page at a position of these bytes; null where none begins, or its header goes on behind them. */
export function oggPageAt(bytes: Buffer, at: number): OggPage | null {
  if (at < 0 || at + HEADER > bytes.length || bytes.toString('latin1', at, at + 4) !== 'OggS') return null;
  const [version, flags] = [bytes[at + VERSION_AT], bytes[at + FLAGS_AT] ?? FLAGS];
  const count = bytes[at + SEGMENTS_AT] ?? 0;
  if (version !== 0 || flags >= FLAGS || at + HEADER + count > bytes.length) return null;
  const segments = bytes.subarray(at + HEADER, at + HEADER + count);
  return {
    begins: (flags & BEGINS) !== 0,
    serial: bytes.readUInt32LE(at + SERIAL_AT),
    length: HEADER + count + segments.reduce((sum, length) => sum + length, 0),
  };
}
