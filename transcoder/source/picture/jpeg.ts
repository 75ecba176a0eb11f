import { MOST_PROFILE_BYTES, profileTooLarge } from './bounds.ts';
import type { KeptExif } from './kept-exif.ts';
import type { Rewrite } from './rewrite.ts';

const START = 0xd8;
const END = 0xd9;
const COMMENT = 0xfe;
const LOOK = 64 * 1024;

const EXIF = 'Exif\0';

/** Application segments that affect how a picture looks, by marker, and how their content begins. */
const kept: Readonly<Record<number, readonly string[]>> = {
  224: ['JFIF\0', 'AVI1'],
  225: [EXIF],
  226: ['ICC_PROFILE\0'],
  238: ['Adobe'],
};
const PROFILE = 'ICC_PROFILE\0';

/** ITU-T T.81 section B.1: a picture is a list of segments; coded data follows those that start a scan. */
export async function stripJpeg(file: Rewrite, exif: KeptExif): Promise<void> {
  const seen = new Set<string>();
  let profileBytes = 0;
  for (;;) {
    await keepUpToMarker(file);
    const head = await file.piece(20);
    const marker = head[1];
    if (marker === undefined) return file.keep(head.length);
    if (marker === END) return file.keep(2);
    if (isAlone(marker)) {
      await file.keep(2);
      continue;
    }
    if (head.length < 4) return file.keep(head.length);
    const length = 2 + Math.max(2, head.readUInt16BE(2));
    if (!isAncillary(marker)) {
      await file.keep(length);
      continue;
    }
    const name = kept[marker]?.find((start) => head.subarray(4).toString('latin1').startsWith(start));
    if (name === PROFILE) {
      profileBytes += length;
      if (profileBytes > MOST_PROFILE_BYTES) throw profileTooLarge();
    }
    const unwanted = name === EXIF && exif === 'without Exif';
    if (name === undefined || unwanted || (seen.has(name) && name !== PROFILE)) await file.drop(length);
    else await file.keep(length);
    if (name !== undefined) seen.add(name);
  }
}

const isAlone = (marker: number) => marker === START || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
const isAncillary = (marker: number) => marker === COMMENT || (marker >= 0xe0 && marker <= 0xef);

/** Coded data and stray bytes. FF 00 is a data byte, FF Dn a restart marker, FF FF padding. */
async function keepUpToMarker(file: Rewrite): Promise<void> {
  if (markerIn(await file.peek(2)) === 0) return;
  for (;;) {
    const bytes = await file.peek(LOOK);
    const at = markerIn(bytes);
    if (at === 0) return;
    if (at > 0) return file.keep(at);
    if (bytes.length < LOOK) return file.keep(bytes.length);
    await file.keep(bytes.length - 1);
  }
}

function markerIn(bytes: Buffer): number {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) return -1;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return -1;
}
