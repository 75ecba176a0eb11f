import { MOST_EXIF_BYTES, MOST_PROFILE_BYTES, profileTooLarge } from './bounds.ts';
import type { Rewrite } from './rewrite.ts';

const HEADER = 12;
const pictures = ['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF'];
const once: Readonly<Record<string, number>> = { ICCP: MOST_PROFILE_BYTES, EXIF: MOST_EXIF_BYTES };
/** Flags of VP8X that announce a chunk. */
const flags: Readonly<Record<string, number>> = { ICCP: 0x20, EXIF: 0x08, 'XMP ': 0x04 };
const announced = Object.values(flags).reduce((all, flag) => all | flag, 0);

/** https://developers.google.com/speed/webp/docs/riff_container */
export async function stripWebp(file: Rewrite): Promise<void> {
  const stayed = new Set<string>();
  let extended: { at: number; flags: number } | null = null;
  let dropped = false;
  await file.keep(HEADER);
  for (;;) {
    const head = await file.piece(9);
    if (head.length < 8) {
      await file.keep(head.length);
      break;
    }
    const [type, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)];
    const whole = 8 + length + (length % 2);
    if (type === 'ICCP' && length > MOST_PROFILE_BYTES) throw profileTooLarge();
    if (type === 'VP8X') extended ??= { at: file.written + 8, flags: head[8] ?? 0 };
    if (pictures.includes(type) || (!stayed.has(type) && length <= (once[type] ?? -1))) {
      stayed.add(type);
      await file.keep(whole);
    } else {
      dropped = true;
      await file.drop(whole);
    }
  }
  if (!dropped) return;
  const size = Buffer.alloc(4);
  size.writeUInt32LE(file.written - 8);
  await file.patch(4, size);
  if (!extended) return;
  const stay = [...stayed].reduce((all, type) => all | (flags[type] ?? 0), 0);
  await file.patch(extended.at, Buffer.from([extended.flags & (~announced | stay)]));
}
