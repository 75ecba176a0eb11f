import { type OggEnd, oggEnd } from '../../../../bitstream/ogg-end.ts';
import { LONGEST_OGG_PAGE, withGranule } from '../../../../bitstream/ogg-page.ts';
import type { Patch } from '../../../../bitstream/unfinished-sizes.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { Decoder } from '../av.ts';
import { tickOf } from '../read/packet-window.ts';
import { Reader } from '../read/reader.ts';
import type { SourceBytes } from '../read/source-bytes.ts';

/**
 * For libav to end Vorbis and Speex with their samples: it takes the last granule for the end of the last packet, however long that becomes, and
 * counts below zero what ends before that packet.
 */
export async function misstatedEnd(source: SourceParts, head: Buffer, bytes: SourceBytes): Promise<Patch[]> {
  const from = Math.max(0, bytes.size - 2 * LONGEST_OGG_PAGE);
  const tail = await bytes.all([from, bytes.size]);
  const end = oggEnd(head, tail);
  const granule = end && (await rightGranule(source, end));
  if (!end || granule === null) return [];
  return [{ at: from + end.at, bytes: withGranule(tail.subarray(end.at), granule) }];
}

/** Null if what is stated can be right. */
async function rightGranule(
  source: SourceParts,
  { codec, page, least, most }: OggEnd,
): Promise<number | null> {
  if (page.granule < least) return least;
  if (page.granule <= most) return null;
  return codec === 'speex' ? most : Math.min(most, (await endOfVorbis(source)) ?? most);
}

/** Sample at which the last packet ends, whose length depends on the one before. */
async function endOfVorbis(source: SourceParts): Promise<number | null> {
  const reader = await Reader.ofPackets({ source, stream: 0 });
  const decoder = await Decoder.open(reader.stream, { exact: false });
  let [start, samples]: [number | null, number] = [null, 0];
  try {
    for (let packet = await reader.next(); packet; packet = await reader.next()) {
      start = tickOf(packet) ?? start;
      samples = 0;
      await decoder.send(packet, async ({ nbSamples }) => {
        samples += nbSamples;
      });
    }
    return start === null ? null : start + samples;
  } catch {
    // What cannot be decoded is found later.
    return null;
  } finally {
    decoder.close();
    await reader.close();
  }
}
