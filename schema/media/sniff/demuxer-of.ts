import type { Demuxer } from '../demuxers.ts';
import { isAnimatedWebp, isBoxedPicture, whatArrived } from './arrived.ts';
import { latin1, uint } from './bytes.ts';
import { cutRecording } from './cut-recordings.ts';
import { elementaryVideo } from './elementary-streams.ts';
import { audioSync, soundStart } from './sound-frames.ts';

/** Number of first bytes needed to recognize a file. */
export const SNIFF_BYTES = 4096;

/** Number of bytes needed after an ID3v2 tag. */
export const BEHIND_ID3 = 16;

/** Most unknown bytes that may precede sound without a container. */
const MOST_GARBAGE = 256 * 1024;
/** Enough frames to recognize sound by, each up to 4 KB. */
const FRAMES_BYTES = 16 * 1024;
/** Number of bytes needed to find sound after garbage. */
export const GARBAGE_BYTES = MOST_GARBAGE + FRAMES_BYTES;

const ID3_HEADER = 10;

const signatures: readonly (readonly [Demuxer, at: number, signature: string])[] = [
  ...['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'].map((box) => ['mov', 4, box] as const),
  ['matroska', 0, '\x1a\x45\xdf\xa3'],
  ['flac', 0, 'fLaC'],
  ['ogg', 0, 'OggS'],
  ['flv', 0, 'FLV\x01'],
  ['gif', 0, 'GIF87a'],
  ['gif', 0, 'GIF89a'],
  ['png_pipe', 0, '\x89PNG\r\n\x1a\n'],
  ['jpeg_pipe', 0, '\xff\xd8\xff'],
  ['mp3', 0, 'ID3'],
  ['asf', 0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c'],
  ['amr', 0, '#!AMR\n'],
  ['amr', 0, '#!AMR-WB\n'],
  ['ivf', 0, 'DKIF\0\0\x20\0'],
  ['caf', 0, 'caff\0\x01'],
  ['au', 0, '.snd\0\0'],
  ['wv', 0, 'wvpk'],
];

/** The key of the header partition of MXF, which other bytes, the run-in, may precede (SMPTE ST 377-1). */
const PARTITION = '\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02';

/** The demuxer for these first bytes of a file; null for text (including playlists) and anything unknown. */
export function demuxerOf(head: Uint8Array): Demuxer | null {
  const tag = (start: number, end: number) => latin1(head, start, end);
  const known = signatures.find(([, at, signature]) => tag(at, at + signature.length) === signature);
  if (known?.[0] === 'png_pipe' && animationIn(head) === true) return 'apng';
  if (known?.[0] === 'mov' && isBoxedPicture(head)) return null;
  if (known) return known[0];
  if (['RIFF', 'RF64', 'BW64'].includes(tag(0, 4))) {
    if (tag(8, 12) === 'WAVE') return 'wav';
    if (tag(8, 12) === 'AVI ') return 'avi';
    if (tag(8, 12) === 'WEBP') return isAnimatedWebp(head) ? null : 'webp_pipe';
    return null;
  }
  if (tag(0, 4) === 'FORM') return tag(8, 12) === 'AIFF' || tag(8, 12) === 'AIFC' ? 'aiff' : null;
  if (isTransportStream(head, 0, 188) || isTransportStream(head, 4, 192)) return 'mpegts';
  if (latin1(head, 0, head.length).includes(PARTITION)) return 'mxf';
  return elementaryVideo(head) ?? audioSync(head) ?? cutRecording(head);
}

/** Reads bytes of a file; fewer at its end. */
export type ReadBytes = (at: number, length: number) => Promise<Uint8Array>;

/** Also looks after ID3v2 tags, which can precede mp3, aac and flac, and for MPEG audio, AAC and Dolby Digital after unknown bytes. */
export async function demuxerIn(read: ReadBytes): Promise<Demuxer | null> {
  const head = await read(0, SNIFF_BYTES);
  const { end, next } = await behindTags(read, head);
  const known = demuxerOf(next);
  if (known === 'png_pipe' && (await isAnimatedBehind(read, head))) return 'apng';
  if (known || (end === 0 && whatArrived(head))) return known;
  const found = soundStart(await read(end, GARBAGE_BYTES));
  return found?.format ?? (end === 0 ? null : 'mp3');
}

/** More tags in a row are not read. */
const MOST_TAGS = 8;

/** Where the ID3v2 tags end with which a file begins, as some programs put theirs before another one, and what follows them. */
export async function behindTags(
  read: ReadBytes,
  head: Uint8Array,
): Promise<{ end: number; next: Uint8Array }> {
  let [end, next] = [0, head];
  for (let count = 0; count < MOST_TAGS; count++) {
    const size = id3End(next);
    if (size === null) break;
    end += size;
    next = await read(end, BEHIND_ID3);
  }
  return { end, next };
}

/**
 * End of an ID3v2 tag; null if there is none. https://id3.org/id3v2.4.0-structure section 3.1: four bytes of seven
 * bits.
 */
function id3End(head: Uint8Array): number | null {
  if (head.length < ID3_HEADER || latin1(head, 0, 3) !== 'ID3') return null;
  return ID3_HEADER + [6, 7, 8, 9].reduce((size, at) => (size << 7) | ((head[at] ?? 0) & 0x7f), 0);
}

const PNG_SIGNATURE = 8;

/** Length and type of a chunk, and the bytes of one without content. */
const [CHUNK_HEADER, EMPTY_CHUNK] = [8, 12];
/** Most chunks that are sought behind the first bytes: profiles and texts, which may be long but are few. */
const MOST_CHUNKS = 64;

/**
 * Whether a PNG has an animation control chunk, which precedes its image data (PNG, third edition, section 11.3.6.1). Otherwise where the
 * first chunk lies whose type these bytes do not hold.
 */
function animationIn(head: Uint8Array): boolean | number {
  let at = PNG_SIGNATURE;
  while (at + CHUNK_HEADER <= head.length) {
    const animated = animationOf(head, at);
    if (animated !== null) return animated;
    at += EMPTY_CHUNK + uint(head, at, 4);
  }
  return at;
}

/** What a chunk says of that; null if nothing. */
function animationOf(bytes: Uint8Array, at: number): boolean | null {
  const type = latin1(bytes, at + 4, at + CHUNK_HEADER);
  return type === 'acTL' ? true : type === 'IDAT' || type === 'IEND' ? false : null;
}

/** The same with the chunks behind the first bytes. */
async function isAnimatedBehind(read: ReadBytes, head: Uint8Array): Promise<boolean> {
  const found = animationIn(head);
  if (typeof found === 'boolean') return found;
  let at = found;
  for (let count = 0; count < MOST_CHUNKS; count++) {
    const chunk = await read(at, CHUNK_HEADER);
    if (chunk.length < CHUNK_HEADER) return false;
    const animated = animationOf(chunk, 0);
    if (animated !== null) return animated;
    at += EMPTY_CHUNK + uint(chunk, 0, 4);
  }
  return false;
}

function isTransportStream(head: Uint8Array, offset: number, packet: number): boolean {
  return [0, 1, 2].every((n) => head[offset + n * packet] === 0x47);
}
