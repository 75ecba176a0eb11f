import type { Demuxer } from '../../../schema/media/demuxers.ts';

/** Bytes from the beginning of a unit that are needed to recognize it. */
export const UNIT_BYTES = 32;

/**
 * Offset of the first unit that begins in these bytes: a Cluster of Matroska or a movie fragment of MP4. Each states its start
 * time, which lets a demuxer that knows the header continue at any of them. Null if none begins there.
 */
export function unitIn(bytes: Buffer, format: Demuxer): number | null {
  if (format === 'matroska') return clusterIn(bytes);
  return format === 'mov' ? fragmentIn(bytes) : null;
}

const CLUSTER = Buffer.from('1f43b675', 'hex');
/** IDs of the elements that may begin a Cluster (RFC 9559, 5.1.3): Timestamp, PrevSize, Position, Void, CRC-32. */
const firstElements = [0xe7, 0xab, 0xa7, 0xec, 0xbf];

function clusterIn(bytes: Buffer): number | null {
  for (let at = bytes.indexOf(CLUSTER); at >= 0; at = bytes.indexOf(CLUSTER, at + 1)) {
    const size = bytes[at + CLUSTER.length] ?? 0;
    const first = bytes[at + CLUSTER.length + Math.clz32(size) - 23];
    if (size > 0 && first !== undefined && firstElements.includes(first)) return at;
  }
  return null;
}

const MOOF = Buffer.from('moof');
const MFHD = Buffer.from('\0\0\0\x10mfhd');

/** ISO/IEC 14496-12, 8.8.4: a fragment begins with its `mfhd`. */
function fragmentIn(bytes: Buffer): number | null {
  for (let at = bytes.indexOf(MOOF); at >= 0; at = bytes.indexOf(MOOF, at + 1)) {
    const body = at + MOOF.length;
    if (at >= 4 && bytes.subarray(body, body + MFHD.length).equals(MFHD)) return at - 4;
  }
  return null;
}
