import { open } from 'node:fs/promises';
import type { Demuxer } from '../demuxers.ts';

/** As many first bytes as are needed to tell. */
export const SNIFF_BYTES = 4096;

/** As many bytes behind an ID3v2 tag are needed. */
export const BEHIND_ID3 = 16;

const ID3_HEADER = 10;

/** The demuxer for these first bytes of a file; null for text (playlists among it) and whatever is not known. */
export function demuxerOf(head: Buffer): Demuxer | null {
  const tag = (start: number, end: number) => head.toString('latin1', start, end);
  if (['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'].includes(tag(4, 8))) return 'mov';
  if (head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3) return 'matroska';
  if (['RIFF', 'RF64', 'BW64'].includes(tag(0, 4))) {
    if (tag(8, 12) === 'WAVE') return 'wav';
    if (tag(8, 12) === 'AVI ') return 'avi';
    if (tag(8, 12) === 'WEBP') return 'webp_pipe';
    return null;
  }
  if (tag(0, 4) === 'fLaC') return 'flac';
  if (tag(0, 4) === 'OggS') return 'ogg';
  if (tag(0, 4) === 'FLV\x01') return 'flv';
  if (tag(0, 6) === 'GIF87a' || tag(0, 6) === 'GIF89a') return 'gif';
  if (tag(0, 8) === '\x89PNG\r\n\x1a\n') return 'png_pipe';
  if (tag(0, 3) === '\xff\xd8\xff') return 'jpeg_pipe';
  if (tag(0, 3) === 'ID3') return 'mp3';
  if (isTransportStream(head, 0, 188) || isTransportStream(head, 4, 192)) return 'mpegts';
  return audioSync(head);
}

/** Looks behind an ID3v2 tag, which stands before mp3, aac and flac alike. */
export async function demuxerOfFile(path: string): Promise<Demuxer | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    const end = id3End(head);
    if (end === null) return demuxerOf(head);
    const behind = await file.read(Buffer.alloc(BEHIND_ID3), 0, BEHIND_ID3, end);
    return demuxerOf(behind.buffer.subarray(0, behind.bytesRead)) ?? 'mp3';
  } finally {
    await file.close();
  }
}

/** Where an ID3v2 tag ends; null where there is none. https://id3.org/id3v2.4.0-structure, 3.1: four bytes of seven bits. */
export function id3End(head: Buffer): number | null {
  if (head.length < ID3_HEADER || head.toString('latin1', 0, 3) !== 'ID3') return null;
  return ID3_HEADER + [6, 7, 8, 9].reduce((size, at) => (size << 7) | ((head[at] ?? 0) & 0x7f), 0);
}

function isTransportStream(head: Buffer, offset: number, packet: number): boolean {
  return [0, 1, 2].every((n) => head[offset + n * packet] === 0x47);
}

/** Eleven set bits begin a frame; layer bits 00 mean ADTS, 01 and 10 MPEG audio III and II; 11 would take a UTF-16 mark for one. */
function audioSync(head: Buffer): Demuxer | null {
  const [first = 0, second = 0, third = 0xff] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  if ((second & 0xf6) === 0xf0) return 'aac';
  const layer = (second >> 1) & 3;
  const version = (second >> 3) & 3;
  return (layer === 1 || layer === 2) && version !== 1 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3
    ? 'mp3'
    : null;
}
