import { constants, deflateRawSync } from 'node:zlib';
import { u32 } from '../bytes.ts';
import type { Ending } from '../case.ts';

/** What reads a hostile file. */
export type Asked = 'probe' | 'frame' | 'transcode' | 'cut' | 'animate' | 'merge' | 'mp3';

/** How the file is made, what reads it, how that may end, and the most that its processes may hold at once, in MB. */
export type Row = [make: () => Buffer, asked: readonly Asked[], ends: readonly Ending[], mostMb: number];
export type Rows = Record<string, Row>;

export const done = ['completed'] as const;
export const tooLarge = ['source_too_large'] as const;
export const damaged = ['completed', 'source_not_media', 'source_truncated', 'source_damaged'] as const;

export const MB = 1_000_000;

const PIECE = MB;
const LAST_OF_ALL = Buffer.from([3, 0]);
const ADLER = 65_521n;

/** Adler-32 (RFC 1950) of this many bytes of one value. */
function checksumOf(count: number, value: number): Buffer {
  const [n, v] = [BigInt(count), BigInt(value)];
  const a = (1n + n * v) % ADLER;
  const b = (n + (v * n * (n + 1n)) / 2n) % ADLER;
  return u32(Number((b << 16n) | a));
}

/**
 * Deflated data that inflates to this many equal bytes. It is one deflated piece again and again: to deflate a gigabyte takes longer
 * than all that the service does with it.
 */
export function bomb(bytes: number, value = 97): Buffer {
  const raw = (count: number) =>
    deflateRawSync(Buffer.alloc(count, value), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const piece = raw(PIECE);
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    times(Math.floor(bytes / PIECE), () => piece),
    raw(bytes % PIECE),
    LAST_OF_ALL,
    checksumOf(bytes, value),
  ]);
}

export const times = (count: number, one: (index: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => one(index)));
