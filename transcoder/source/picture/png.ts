import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { MOST_EXIF_BYTES, MOST_PROFILE_BYTES, profileTooLarge } from './bounds.ts';
import type { KeptExif } from './kept-exif.ts';
import type { Rewrite } from './rewrite.ts';

const inflated = promisify(inflate);

const SIGNATURE = 8;
/** Length, type and checksum around the content of a chunk. */
const AROUND = 12;
const critical = ['IHDR', 'PLTE', 'IDAT', 'IEND'];
/** Chunks of an animation: its control, that of each frame, and the frames behind the first. */
const animation = ['acTL', 'fcTL', 'fdAT'];
/**
 * Chunks that affect colors, transparency or dimensions, and their largest sizes.
 * https://www.w3.org/TR/png-3/#11Chunks
 */
const once: Readonly<Record<string, number>> = {
  ...{
    tRNS: 256,
    gAMA: 4,
    cHRM: 32,
    sRGB: 1,
    sBIT: 4,
    cICP: 4,
    mDCV: 24,
    mDCv: 24,
    cLLI: 8,
    cLLi: 8,
    pHYs: 9,
  },
  ...{ eXIf: MOST_EXIF_BYTES, iCCP: MOST_PROFILE_BYTES },
};

export const stripPng = (file: Rewrite, exif: KeptExif) => strip(file, critical, exif);
export const stripApng = (file: Rewrite, exif: KeptExif) => strip(file, [...critical, ...animation], exif);

async function strip(file: Rewrite, kept: readonly string[], exif: KeptExif): Promise<void> {
  const seen = new Set<string>();
  await file.keep(SIGNATURE);
  for (;;) {
    const head = await file.piece(8);
    if (head.length < 8) return file.keep(head.length);
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)];
    const first = !seen.has(type);
    seen.add(type);
    if (kept.includes(type)) {
      await file.keep(length + AROUND);
      if (type === 'IEND') return;
      continue;
    }
    if (type === 'iCCP' && first) await admitProfile(file, length);
    const unwanted = type === 'eXIf' && exif === 'without Exif';
    if (first && !unwanted && length <= (once[type] ?? -1)) await file.keep(length + AROUND);
    else await file.drop(length + AROUND);
  }
}

/** Content of iCCP: name, zero byte, compression method, compressed profile. */
async function admitProfile(file: Rewrite, length: number): Promise<void> {
  if (length > MOST_PROFILE_BYTES) throw profileTooLarge();
  const content = (await file.peek(8 + length)).subarray(8);
  const packed = content.subarray(content.indexOf(0) + 2);
  try {
    await inflated(packed, { maxOutputLength: MOST_PROFILE_BYTES });
  } catch (error) {
    // Data that does not inflate is left for the decoder to reject.
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw profileTooLarge();
  }
}
