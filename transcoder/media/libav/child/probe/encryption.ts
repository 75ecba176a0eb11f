import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { FormatContext } from 'node-av/lib';
import { pidOf } from '../../../../bitstream/transport/program-tables.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import type { TrackHeaders } from '../mp4/track-headers.ts';
import { packetsIn } from '../remux/transport-stream.ts';

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
  const counts = await scrambledPackets(source);
  return wanted.every((pid) => {
    const { scrambled, all } = counts.get(pid) ?? { scrambled: 0, all: 0 };
    return scrambled * 2 > all;
  });
}

/**
 * By packet identifier: how many packets say that their payload is scrambled (`transport_scrambling_control`, ISO/IEC 13818-1
 * section 2.4.3.2), of how many.
 */
async function scrambledPackets(
  source: SourceParts,
): Promise<Map<number, { scrambled: number; all: number }>> {
  const counts = new Map<number, { scrambled: number; all: number }>();
  for await (const { packets } of packetsIn(source, [0, Math.min(source.bytes, LOOKED_AT)])) {
    for (const packet of packets) {
      const pid = pidOf(packet);
      const count = counts.get(pid) ?? { scrambled: 0, all: 0 };
      count.all++;
      if (packet.readUInt8(3) & 0xc0) count.scrambled++;
      counts.set(pid, count);
    }
  }
  return counts;
}
