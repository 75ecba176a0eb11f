import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { FormatContext } from 'node-av/lib';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import type { TrackHeaders } from '../mp4/track-headers.ts';
import { SourceBytes } from '../read/source-bytes.ts';

/** Whether tracks of a source are encrypted. libav opens and copies such files as if they were not. */
export async function isEncrypted(
  source: SourceParts,
  input: FormatContext,
  headers: TrackHeaders | null,
): Promise<boolean> {
  if (headers) return headers.encrypted;
  // The id of the key (ContentEncKeyID, RFC 9559 section 5.1.4.1.31.10).
  if (source.format === 'matroska')
    return input.streams.some(({ metadata }) => metadata?.getAll().enc_key_id !== undefined);
  if (source.format === 'mpegts') return isScrambled(source, input);
  return false;
}

/** Transport stream packets (ISO/IEC 13818-1 section 2.4.3.2). An m2ts file puts four bytes of time before each of them. */
const [SYNC, PACKET, TIMED_PACKET] = [0x47, 188, 192];

/** Bytes to look at; a stream of one Mbit/s sends that much in eight seconds. */
const LOOKED_AT = 1_000_000;

/**
 * Whether most packets of every picture track, or of every sound track where there is no picture, are scrambled. A broadcast can
 * have some channels that are scrambled and others that are clear.
 */
async function isScrambled(source: SourceParts, { streams }: FormatContext): Promise<boolean> {
  const pids = (type: number) =>
    streams.filter(({ codecpar }) => codecpar.codecType === type).map(({ id }) => id);
  const pictures = pids(AVMEDIA_TYPE_VIDEO);
  const wanted = pictures.length > 0 ? pictures : pids(AVMEDIA_TYPE_AUDIO);
  if (wanted.length === 0) return false;
  const bytes = new SourceBytes(source);
  try {
    const counts = scrambledPackets(await bytes.all([0, LOOKED_AT]));
    return wanted.every((pid) => {
      const { scrambled, all } = counts.get(pid) ?? { scrambled: 0, all: 0 };
      return scrambled * 2 > all;
    });
  } finally {
    bytes.close();
  }
}

/** By packet identifier: how many packets say that their payload is scrambled (`transport_scrambling_control`), of how many. */
function scrambledPackets(bytes: Buffer): Map<number, { scrambled: number; all: number }> {
  const length = bytes[0] === SYNC && bytes[PACKET] === SYNC ? PACKET : TIMED_PACKET;
  const counts = new Map<number, { scrambled: number; all: number }>();
  for (let at = length - PACKET; at + PACKET <= bytes.length; at += length) {
    if (bytes[at] !== SYNC) break;
    const pid = bytes.readUInt16BE(at + 1) & 0x1fff;
    const count = counts.get(pid) ?? { scrambled: 0, all: 0 };
    count.all++;
    if (bytes.readUInt8(at + 3) & 0xc0) count.scrambled++;
    counts.set(pid, count);
  }
  return counts;
}
