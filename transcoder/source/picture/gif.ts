import type { Rewrite } from './rewrite.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
/** Application extensions that state the number of repetitions of an animation. */
const loops = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt, appendix A */
export async function stripGif(file: Rewrite): Promise<void> {
  const screen = await file.peek(13);
  await file.keep(13 + colorsIn(screen[10] ?? 0));
  for (;;) {
    const head = await file.piece(14);
    const [introducer, label] = head;
    if (introducer === undefined) return;
    if (introducer === TRAILER) return file.keep(1);
    if (introducer === IMAGE) {
      await file.keep(11 + colorsIn(head[9] ?? 0));
      await blocks(file, true);
    } else if (introducer === EXTENSION) {
      const loop = label === APPLICATION && loops.includes(head.toString('latin1', 3, 14));
      const kept = label === CONTROL || loop;
      await (kept ? file.keep(2) : file.drop(2));
      await blocks(file, kept);
    } else await file.drop(1);
  }
}

/** Size in bytes of the color table announced by a flags field. */
const colorsIn = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Sub-blocks of at most 255 bytes, each preceded by its length, up to an empty one. */
async function blocks(file: Rewrite, kept: boolean): Promise<void> {
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
    if (ends) return;
  }
}
