import { EBML, segmentAt } from '../../../../bitstream/ebml.ts';
import type { Span } from '../../../../model/source/byte-ranges.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { SourceBytes } from './source-bytes.ts';

/** Bytes of an EBML header and of what a segment begins with. */
const HEAD = 4096;
/** More recordings than these are not one after another in a file that someone made. */
const MOST_RECORDINGS = 1000;
const CHUNK = 1 << 20;

const signature = Buffer.alloc(4);
signature.writeUInt32BE(EBML);

/**
 * The bytes of each recording of a Matroska file: of several if files were joined byte by byte, as the pieces of a browser's recorder. libav
 * takes the first one for all of it. Of a file that is not here as a whole, those behind one without a stated size are not seen.
 */
export async function recordingsOf(source: SourceParts): Promise<Span[]> {
  const bytes = new SourceBytes(source);
  try {
    const starts = [0];
    for (let next: number | null = 0; starts.length < MOST_RECORDINGS; starts.push(next)) {
      next = await following(bytes, next, source.present === null);
      if (next === null) break;
    }
    return starts.map((start, index): Span => [start, starts[index + 1] ?? bytes.size]);
  } finally {
    bytes.close();
  }
}

/** Whether a source is a Matroska file of several recordings. */
export const isJoined = async (source: SourceParts): Promise<boolean> =>
  source.format === 'matroska' && (await recordingsOf(source)).length > 1;

/** Where another recording begins behind the one that begins at an offset; null if none does. */
async function following(bytes: SourceBytes, at: number, here: boolean): Promise<number | null> {
  const segment = segmentAt(await bytes.all([at, at + HEAD]), 0);
  if (!segment) return null;
  const { body, size } = segment;
  if (size === null) return here ? search(bytes, at + body) : null;
  const end = at + body + size;
  return end < bytes.size && segmentAt(await bytes.all([end, end + HEAD]), 0) ? end : null;
}

async function search(bytes: SourceBytes, from: number): Promise<number | null> {
  for (let at = from; at < bytes.size; at += CHUNK) {
    const chunk = await bytes.all([at, Math.min(bytes.size, at + CHUNK + HEAD)]);
    for (let found = chunk.indexOf(signature); found >= 0 && found < CHUNK; ) {
      if (segmentAt(chunk, found)) return at + found;
      found = chunk.indexOf(signature, found + 1);
    }
  }
  return null;
}
