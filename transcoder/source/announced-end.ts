import type { Demuxer } from '../../schema/media/demuxers.ts';
import { segmentAt } from '../bitstream/ebml.ts';
import { id3Length, TAG_BYTES, xingIn } from '../bitstream/lame-tag.ts';
import { BOX_HEADER, boxAt } from '../bitstream/mp4/boxes.ts';

/** Reads bytes of a file: fewer at its end, and none where they have not arrived. */
export type ReadArrived = (at: number, length: number) => Promise<Buffer>;

/**
 * The byte at which a file ends at the earliest by its own account: beyond its last one if it was cut off. Null if it does not say, or
 * if what says it has not arrived.
 * @param bytes Size of the file.
 */
export async function announcedEnd(
  format: Demuxer,
  bytes: number,
  read: ReadArrived,
): Promise<number | null> {
  const end = await accounts[format]?.(read, bytes);
  return Number.isSafeInteger(end) ? (end ?? null) : null;
}

/** Samples that a FLAC announces, in seconds; null if it does not say. RFC 9639, section 8.2. */
export function announcedSeconds(head: Buffer): number | null {
  const at = id3Length(head);
  if (head.length < at + 26 || head.toString('latin1', at, at + 4) !== 'fLaC') return null;
  const rate = head.readUIntBE(at + 18, 3) >> 4;
  const samples = ((head[at + 21] ?? 0) & 0xf) * 2 ** 32 + head.readUInt32BE(at + 22);
  return rate > 0 && samples > 0 ? samples / rate : null;
}

/** The byte at which the first of the parts ends that a WAV or AIFF consists of; null for others, and if it does not say. */
export const firstPartEnd = async (format: Demuxer, read: ReadArrived): Promise<number | null> =>
  format === 'wav' ? riffEnd(read, 0) : format === 'aiff' ? formEnd(read) : null;

type Account = (read: ReadArrived, bytes: number) => Promise<number | null>;

/** Elementary streams, transport streams and Ogg do not know their own length. */
const accounts: Partial<Record<Demuxer, Account>> = {
  mov: (read, bytes) => lastPartEnd(bytes, (at) => boxEnd(read, at)),
  matroska: segmentEnd,
  wav: (read, bytes) => lastPartEnd(bytes, (at) => riffEnd(read, at)),
  avi: (read, bytes) => lastPartEnd(bytes, (at) => riffEnd(read, at)),
  aiff: formEnd,
  caf: cafEnd,
  au: auEnd,
  asf: asfEnd,
  mp3: xingEnd,
};

/** Files with more parts, which are recordings of many hours, are not asked. */
export const MOST_PARTS = 4096;

/** The end of the last of the parts that a file consists of. */
async function lastPartEnd(
  bytes: number,
  endOf: (at: number) => Promise<number | null>,
): Promise<number | null> {
  let at = 0;
  for (let count = 0; count < MOST_PARTS && at < bytes; count++) {
    const end = await endOf(at);
    if (end === null || end <= at) return null;
    at = end;
  }
  return at >= bytes ? at : null;
}

async function boxEnd(read: ReadArrived, at: number): Promise<number | null> {
  const header = await read(at, BOX_HEADER);
  if (header.length < 8 || header.readUInt32BE(0) === 0) return null;
  const type = header.toString('latin1', 4, 8);
  return boxType.test(type) ? (boxAt(header, 0, Number.MAX_SAFE_INTEGER, at)?.to ?? null) : null;
}

const boxType = /^[\x20-\x7e\xa9]{4}$/;

/** Microsoft, Multimedia Programming Interface and Data Specifications 1.0. Recorders that stream leave 0 or the largest size. */
async function riffEnd(read: ReadArrived, at: number): Promise<number | null> {
  const header = await read(at, 8);
  if (header.length < 8 || header.toString('latin1', 0, 4) !== 'RIFF') return null;
  const size = header.readUInt32LE(4);
  return size === 0 || size >= STREAMED ? null : at + 8 + size + (size % 2);
}

/** Sizes from here on stand for an unknown one: programs round them in different ways. */
const STREAMED = 0x7fff_0000;

async function formEnd(read: ReadArrived): Promise<number | null> {
  const header = await read(0, 8);
  if (header.length < 8 || header.toString('latin1', 0, 4) !== 'FORM') return null;
  const size = header.readUInt32BE(4);
  return size === 0 || size >= STREAMED ? null : 8 + size;
}

/** Apple, Core Audio Format Specification: chunks behind a header of 8 bytes; the size −1 means up to the end. */
async function cafEnd(read: ReadArrived, bytes: number): Promise<number | null> {
  const first = await read(0, 8);
  if (first.toString('latin1', 0, 4) !== 'caff') return null;
  return lastPartEnd(bytes, async (at) => {
    if (at === 0) return 8;
    const header = await read(at, 12);
    if (header.length < 12) return null;
    const size = Number(header.readBigInt64BE(4));
    return size < 0 ? null : at + 12 + size;
  });
}

/** Position and size of the sound, each in four bytes; the largest size stands for an unknown one. */
async function auEnd(read: ReadArrived): Promise<number | null> {
  const header = await read(0, 12);
  if (header.length < 12 || header.toString('latin1', 0, 4) !== '.snd') return null;
  const size = header.readUInt32BE(8);
  return size === 0 || size >= STREAMED ? null : header.readUInt32BE(4) + size;
}

/** RFC 9559: the segment behind the EBML header. */
async function segmentEnd(read: ReadArrived): Promise<number | null> {
  const segment = segmentAt(await read(0, 4096), 0);
  return segment && segment.size !== null ? segment.body + segment.size : null;
}

const filePropertiesId = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');
const BROADCAST = 1;

/** Microsoft, Advanced Systems Format 1.2, section 3.2. A broadcast does not know its size. */
async function asfEnd(read: ReadArrived): Promise<number | null> {
  const head = await read(0, 64 * 1024);
  const at = head.indexOf(filePropertiesId);
  if (at < 0 || at + 92 > head.length || head.readUInt32LE(at + 88) & BROADCAST) return null;
  return Number(head.readBigUInt64LE(at + 40)) || null;
}

const HAS_FRAMES = 1;
const HAS_BYTES = 2;

/** The Xing header counts the bytes from the frame on that holds it (http://gabriel.mp3-tech.org/mp3infotag.html). */
async function xingEnd(read: ReadArrived): Promise<number | null> {
  const from = id3Length(await read(0, 10));
  const frame = await read(from, TAG_BYTES);
  const xing = xingIn(frame);
  if (xing === null || xing + 16 > frame.length) return null;
  const flags = frame.readUInt32BE(xing + 4);
  if (!(flags & HAS_BYTES)) return null;
  const size = frame.readUInt32BE(xing + (flags & HAS_FRAMES ? 12 : 8));
  return size === 0 ? null : from + size;
}
