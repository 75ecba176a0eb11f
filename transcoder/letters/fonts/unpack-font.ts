import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { FontFault } from './font-fault.ts';

const require = createRequire(import.meta.url);

/** Largest font after unpacking: CJK fonts have up to about 25 MB. */
export const MOST_FONT_BYTES = 32_000_000;

const tooLarge = () =>
  new FontFault(
    `The font has more than ${MOST_FONT_BYTES / 1e6} MB when it is unpacked. Give one with fewer characters.`,
  );
const damaged = () => new FontFault('The font cannot be unpacked. Export it again as TTF or OTF.');

/** A font as TrueType or OpenType, unpacked from WOFF or WOFF2. Throws FontFault. */
export async function unpackedFont(bytes: Uint8Array): Promise<Uint8Array> {
  const magic = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  if (magic === 'wOFF') return unpackedWoff(bytes);
  return magic === 'wOF2' ? unpackedWoff2(bytes) : bytes;
}

/** https://www.w3.org/TR/WOFF/ */
function unpackedWoff(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 44) throw damaged();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint16(12);
  if (44 + 20 * count > bytes.length) throw damaged();
  const tables: { record: Buffer; data: Uint8Array }[] = [];
  let at = 12 + 16 * count;
  for (let index = 0; index < count; index++) {
    const entry = 44 + 20 * index;
    const [offset, packed, length] = [4, 8, 12].map((field) => view.getUint32(entry + field)) as [
      number,
      number,
      number,
    ];
    if (offset + packed > bytes.length || packed > length) throw damaged();
    if (at + length > MOST_FONT_BYTES) throw tooLarge();
    const stored = bytes.subarray(offset, offset + packed);
    const data = packed === length ? stored : inflated(stored, length);
    const record = Buffer.alloc(16);
    record.set(bytes.subarray(entry, entry + 4));
    record.writeUInt32BE(at, 8);
    record.writeUInt32BE(length, 12);
    tables.push({ record, data });
    at += 4 * Math.ceil(length / 4);
  }
  const file = Buffer.alloc(at);
  file.set(bytes.subarray(4, 8));
  file.writeUInt16BE(count, 4);
  for (const [index, { record, data }] of tables.entries()) {
    file.set(record, 12 + 16 * index);
    file.set(data, record.readUInt32BE(8));
  }
  return file;
}

function inflated(packed: Uint8Array, length: number): Uint8Array {
  try {
    const data = inflateSync(packed, { maxOutputLength: Math.max(1, length) });
    if (data.length === length) return data;
  } catch {
    throw damaged();
  }
  throw damaged();
}

/** The package has no types. */
type Decompress = (font: Uint8Array) => Promise<Uint8Array>;

async function unpackedWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  // `totalSfntSize` is only a hint, but the unpacker trusts it to reserve memory.
  const stated = bytes.length < 48 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(16);
  if (stated > MOST_FONT_BYTES) throw tooLarge();
  const decompress: Decompress = require('wawoff2/decompress');
  let data: Uint8Array;
  try {
    data = await decompress(bytes);
  } catch {
    throw damaged();
  }
  if (data.length > MOST_FONT_BYTES) throw tooLarge();
  return data;
}
