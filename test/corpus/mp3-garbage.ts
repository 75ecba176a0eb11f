import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inScratch } from './decode.ts';
import type { Family } from './stated.ts';

/** Consecutive frames that are no accident. */
const ENOUGH = 4;
const RATES = [44_100, 48_000, 32_000];
/** Kilobits a second of layer III, in MPEG 1 and in the later versions. */
const KBPS = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/**
 * Gives `work` a copy of an mp3 that begins with its first frame if other bytes than a tag stand before it. ffmpeg takes the first frame behind other bytes for a part of
 * them, and with it loses what that frame says of the encoder's delay; libmpg123 does not. Anything else is given as it is.
 */
export async function withoutGarbage<T>(
  path: string,
  { container }: Family,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const bytes = container === 'mp3' ? await readFile(path) : Buffer.alloc(0);
  const behindTag = tagLength(bytes);
  const start = firstFrame(bytes, behindTag);
  if (start === behindTag) return work(path);
  return inScratch(async (scratch) => {
    const copy = join(scratch, 'frames.mp3');
    await writeFile(copy, bytes.subarray(start));
    return work(copy);
  });
}

/** Bytes of an ID3v2 tag; its size has seven bits a byte. */
function tagLength(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3') return 0;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10);
  return 10 + (a << 21) + (b << 14) + (c << 7) + d;
}

function firstFrame(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (isChain(bytes, at)) return at;
  }
  return from;
}

function isChain(bytes: Buffer, from: number): boolean {
  let at = from;
  for (let count = 0; count < ENOUGH; count++) {
    const length = frameLength(bytes, at);
    if (length === null) return false;
    at += length;
  }
  return true;
}

/** Bytes of the frame of layer III whose header is there; null where none is. */
function frameLength(bytes: Buffer, at: number): number | null {
  if (at + 4 > bytes.length || bytes.readUInt16BE(at) < 0xffe0) return null;
  const [kind, form] = [bytes.readUInt8(at + 1), bytes.readUInt8(at + 2)];
  const [version, layer] = [(kind >> 3) & 3, (kind >> 1) & 3];
  const rate = RATES[(form >> 2) & 3];
  const kbps = KBPS[version === 3 ? 0 : 1]?.[(form >> 4) - 1];
  if (version === 1 || layer !== 1 || rate === undefined || kbps === undefined) return null;
  const [slots, divisor] = version === 3 ? [144, 1] : [72, version === 2 ? 2 : 4];
  return Math.floor((slots * 1000 * kbps * divisor) / rate) + ((form >> 1) & 1);
}
