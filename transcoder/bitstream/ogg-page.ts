import { remainder } from './remainder.ts';

/** A page of Ogg (RFC 3533, 6). */
export interface OggPage {
  /** Whether its stream begins with it. */
  begins: boolean;
  serial: number;
  /** Number of the page in its stream. */
  sequence: number;
  /** In bytes. */
  length: number;
  /** What of the stream has ended with this page, in samples of sound; negative if it states none. */
  granule: number;
  /** Packets that end on it. */
  packets: number;
  /** Bytes before its first packet. */
  header: number;
}

/** A header and 255 segments of 255 bytes. */
export const LONGEST_OGG_PAGE = 65_307;
const HEADER = 27;
const [VERSION_AT, FLAGS_AT, GRANULE_AT, SERIAL_AT, SEQUENCE_AT] = [4, 5, 6, 14, 18];
const [CHECKSUM_AT, SEGMENTS_AT] = [22, 26];
const LONGEST_SEGMENT = 255;
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
    sequence: bytes.readUInt32LE(at + SEQUENCE_AT),
    length: HEADER + count + segments.reduce((sum, length) => sum + length, 0),
    granule: Number(bytes.readBigInt64LE(at + GRANULE_AT)),
    packets: segments.filter((length) => length < LONGEST_SEGMENT).length,
    header: HEADER + count,
  };
}

/** The same page with another granule. */
export function withGranule(page: Buffer, granule: number): Buffer {
  const changed = Buffer.from(page);
  changed.writeBigInt64LE(BigInt(granule), GRANULE_AT);
  changed.writeUInt32LE(0, CHECKSUM_AT);
  changed.writeUInt32LE(remainder(changed, 0), CHECKSUM_AT);
  return changed;
}
