import type { Rewrite } from './rewrite.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
export const TRAILER = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
/** Application extensions that state the number of repetitions of an animation. */
const loops = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/**
 * https://www.w3.org/Graphics/GIF/spec-gif89a.txt, appendix A. Ends where a browser ends: before a picture that is cut off, unless it is the
 * first, and before what is no block. Of these two, only a file that was cut off lacks a trailer afterwards.
 */
export async function stripGif(file: Rewrite): Promise<void> {
  const screen = await file.peek(13);
  await file.keep(13 + colorsIn(screen[10] ?? 0));
  /** Where the last whole picture ends in the copy. */
  let whole: number | null = null;
  for (;;) {
    const head = await file.piece(14);
    const [introducer, label] = head;
    const isBlock = introducer === IMAGE || introducer === EXTENSION;
    if (!isBlock && introducer !== 0) break;
    if (introducer === 0) {
      await file.drop(1);
      continue;
    }
    const loop = label === APPLICATION && loops.includes(head.toString('latin1', 3, 14));
    const kept = introducer === IMAGE || label === CONTROL || loop;
    const own = introducer === IMAGE ? 11 + colorsIn(head[9] ?? 0) : 2;
    await (kept ? file.keep(own) : file.drop(own));
    if (!(await blocks(file, kept))) {
      if (whole !== null) await file.endAt(whole);
      return;
    }
    if (introducer === IMAGE) whole = file.written;
  }
  if (whole !== null) await file.endAt(whole);
  file.add(Buffer.from([TRAILER]));
}

/** Size in bytes of the color table announced by a flags field. */
const colorsIn = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Sub-blocks of at most 255 bytes, each preceded by its length, up to an empty one. @returns false if the file ends before that */
async function blocks(file: Rewrite, kept: boolean): Promise<boolean> {
  for (;;) {
    const bytes = await file.peek(64 * 1024);
    let at = 0;
    let size = bytes[at];
    while (size !== undefined && size > 0 && at + 1 + size < bytes.length) {
      at += 1 + size;
      size = bytes[at];
    }
    const ends = size === 0 || size === undefined || bytes.length < 64 * 1024;
    const count = ends && size !== 0 ? bytes.length : at + (size === 0 ? 1 : 0);
    await (kept ? file.keep(count) : file.drop(count));
    if (ends) return size === 0;
  }
}
