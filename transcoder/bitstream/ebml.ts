/** An element of EBML. Offsets are those in the bytes it was read from. */
interface Element {
  id: number;
  /** Where its content begins. */
  body: number;
  /** Bytes of its content; null if it ends where the next element of its level begins. */
  size: number | null;
}

export const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;

/** Reads the ID and the size of an element (RFC 8794, sections 4 to 6). Null if they are not complete, or are none. */
export function elementAt(bytes: Buffer, at: number): Element | null {
  const id = lengthOf(bytes, at);
  if (id === null || id > 4) return null;
  const size = lengthOf(bytes, at + id);
  if (size === null) return null;
  const [stated, body] = [bytes.subarray(at + id, at + id + size), at + id + size];
  const unknown = stated.every((byte, index) => byte === (index === 0 ? 2 ** (9 - size) - 1 : 0xff));
  return { id: bytes.readUIntBE(at, id), body, size: unknown ? null : numberIn(stated, 2 ** (8 - size)) };
}

/** The segment of Matroska behind the EBML header that begins at an offset; null if none does. */
export function segmentAt(bytes: Buffer, at: number): Element | null {
  const header = elementAt(bytes, at);
  if (header?.id !== EBML || header.size === null) return null;
  const segment = elementAt(bytes, header.body + header.size);
  return segment?.id === SEGMENT ? segment : null;
}

/** Bytes of a number, of which the leading zeros of the first one say how many follow it. Null if they are not complete. */
function lengthOf(bytes: Buffer, at: number): number | null {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  return length > 8 || at + length > bytes.length ? null : length;
}

/** @param marker Of the first byte, the bit that ends its leading zeros. */
function numberIn(bytes: Buffer, marker: number): number {
  return bytes.reduce((sum, byte, index) => sum * 256 + (index === 0 ? byte % marker : byte), 0);
}
