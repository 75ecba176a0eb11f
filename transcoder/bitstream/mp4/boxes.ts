/** A box of an ISO base media file (ISO/IEC 14496-12 section 4.2), as positions in the file. */
export interface Box {
  type: string;
  from: number;
  /** Where its contents begin. */
  body: number;
  to: number;
}

/** The longest header: size, type and a 64-bit size. */
export const BOX_HEADER = 16;

/**
 * The box whose header is at `at` in `bytes` and which ends at `end` at the latest; null if there is none.
 * @param shift Position of `bytes` in the file.
 */
export function boxAt(bytes: Buffer, at: number, end: number, shift = 0): Box | null {
  if (at < 0 || at + 8 > bytes.length) return null;
  const type = bytes.toString('latin1', at + 4, at + 8);
  const short = bytes.readUInt32BE(at);
  if (short === 1 && at + BOX_HEADER > bytes.length) return null;
  const header = short === 1 ? BOX_HEADER : 8;
  const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? end - at : short;
  if (size < header || at + size > end) return null;
  return { type, from: shift + at, body: shift + at + header, to: shift + at + size };
}

/** Consecutive boxes in a range of `bytes`, up to the first position that is not a box. */
export function* boxesIn(bytes: Buffer, from: number, to: number): Generator<Box> {
  for (let at = from; at < to; ) {
    const box = boxAt(bytes, at, to);
    if (!box) return;
    yield box;
    at = box.to;
  }
}
