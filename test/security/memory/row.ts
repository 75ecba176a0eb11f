import { deflateSync } from 'node:zlib';
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

const bombs = new Map<number, Buffer>();

/** Deflated data that inflates to this many equal bytes. It is kept, because many rows use the same. */
export function bomb(bytes: number): Buffer {
  const made = bombs.get(bytes) ?? deflateSync(Buffer.alloc(bytes, 97), { level: 9 });
  bombs.set(bytes, made);
  return made;
}
export const times = (count: number, one: (index: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => one(index)));
