/** Each byte as the character with its number, which signatures are written in. Few bytes only. */
export const latin1 = (bytes: Uint8Array, start = 0, end = bytes.length): string =>
  String.fromCharCode(...bytes.subarray(start, end));

/** Unsigned, big-endian; bytes after the end count as zero. */
export function uint(bytes: Uint8Array, at: number, length: 2 | 3 | 4): number {
  let value = 0;
  for (let index = 0; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}
