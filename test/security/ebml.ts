/** An element of Matroska (RFC 8794): its id, its size in eight bytes, and what it holds. */
export function ebml(id: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(12);
  const hex = id.toString(16);
  const bytes = hex.length / 2;
  head.write(hex, 'hex');
  head.writeBigUInt64BE((1n << 56n) | BigInt(content.length), bytes);
  return Buffer.concat([head.subarray(0, bytes + 8), content]);
}
