import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import { EBML, segmentAt } from '../../../../bitstream/ebml.ts';
import type { Span } from '../../../../model/source/byte-ranges.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { clockGoesBack } from './clock-samples.ts';
import { behindFragments } from './joined-movies.ts';
import { SourceBytes } from './source-bytes.ts';

/** Bytes of an EBML header and of what a segment begins with. */
const HEAD = 4096;
/** More recordings than these are not one after another in a file that someone made. */
const MOST_RECORDINGS = 1000;
const CHUNK = 1 << 20;

const signature = Buffer.alloc(4);
signature.writeUInt32BE(EBML);
const isSegment = (chunk: Buffer, at: number) => segmentAt(chunk, at) !== null;

/** Tells whether all bytes of a source may be read. */
type Searched = () => Promise<boolean>;
type Following = (bytes: SourceBytes, at: number, isSearched: Searched) => Promise<number | null>;

/** By format, where another recording begins behind the one that begins at an offset; null if none does. */
const followings: Partial<Record<Demuxer, Following>> = {
  ...{ matroska: behindSegment, flv: behindTags },
  ...{ mov: behindFragments, flac: behindFrames },
};

/**
 * The bytes of each recording of a file: of several if files were joined byte by byte, as the pieces of a browser's recorder. libav takes
 * the first one for all of it, or ends with it.
 * @param all Whether to search all of it for those behind a file that does not state its size. By default, only if it is here as a whole, or
 * if its clock goes back.
 */
export async function recordingsOf(source: SourceParts, all?: boolean): Promise<Span[]> {
  const following = followings[source.format];
  if (!following) return [[0, source.bytes]];
  let searched = all ?? (source.present === null ? true : null);
  const isSearched = async () => (searched ??= await clockGoesBack(source));
  const bytes = new SourceBytes(source);
  try {
    const starts = [0];
    for (let next: number | null = 0; starts.length < MOST_RECORDINGS; starts.push(next)) {
      next = await following(bytes, next, isSearched);
      if (next === null) break;
    }
    return starts.map((start, index): Span => [start, starts[index + 1] ?? bytes.size]);
  } finally {
    bytes.close();
  }
}

/** Whether a source consists of several recordings, of which more than the first one can be read. */
export const isJoined = async (source: SourceParts): Promise<boolean> =>
  source.format === 'mpegts' ? clockGoesBack(source) : (await recordingsOf(source)).length > 1;

async function behindSegment(bytes: SourceBytes, at: number, isSearched: Searched): Promise<number | null> {
  const segment = segmentAt(await bytes.all([at, at + HEAD]), 0);
  if (!segment) return null;
  const { body, size } = segment;
  if (size === null) return (await isSearched()) ? search(bytes, at + body, [signature, isSegment]) : null;
  const end = at + body + size;
  return end < bytes.size && segmentAt(await bytes.all([end, end + HEAD]), 0) ? end : null;
}

async function search(
  bytes: SourceBytes,
  from: number,
  [signature, isHeader]: [Buffer, (chunk: Buffer, at: number) => boolean],
): Promise<number | null> {
  for (let at = from; at < bytes.size; at += CHUNK) {
    const chunk = await bytes.all([at, Math.min(bytes.size, at + CHUNK + HEAD)]);
    for (let found = chunk.indexOf(signature); found >= 0 && found < CHUNK; ) {
      if (isHeader(chunk, found)) return at + found;
      found = chunk.indexOf(signature, found + 1);
    }
  }
  return null;
}

/**
 * RFC 9639, sections 7 and 8.1: behind the signature is a block of type 0, which may be the last one, of 34 bytes. Tags may precede the
 * first one.
 */
async function behindFrames(bytes: SourceBytes, at: number, isSearched: Searched): Promise<number | null> {
  if (!(await isSearched())) return null;
  const isHeader = (chunk: Buffer, found: number) =>
    found + 8 <= chunk.length && (chunk.readUInt32BE(found + 4) & 0x7fff_ffff) === 34;
  const own = await search(bytes, at, [FLAC, isHeader]);
  return own === null ? null : search(bytes, own + FLAC.length, [FLAC, isHeader]);
}

const FLAC = Buffer.from('fLaC');

const FLV_HEADER = 9;
const TAG_HEADER = 11;
const SIZE = 4;
const FLV = 'FLV\x01';

/**
 * Adobe Flash Video File Format 10.1, annex E: between two tags, the size of the first one; a file begins with a header and no size. All
 * of it is read anyway, as it has no index.
 */
async function behindTags(bytes: SourceBytes, start: number): Promise<number | null> {
  let [from, chunk] = [start, await bytes.all([start, start + CHUNK])];
  if (chunk.length < FLV_HEADER) return null;
  for (let at = start + chunk.readUInt32BE(5) + SIZE; at + TAG_HEADER <= bytes.size; ) {
    if (at + TAG_HEADER > from + chunk.length) [from, chunk] = [at, await bytes.all([at, at + CHUNK])];
    if (chunk.length < TAG_HEADER) return null;
    if (chunk.toString('latin1', at - from, at - from + FLV.length) === FLV) return at;
    at += TAG_HEADER + chunk.readUIntBE(at - from + 1, 3) + SIZE;
  }
  return null;
}
