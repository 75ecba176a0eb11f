import type { ReadFont } from './read-font.ts';

/** Tables that measuring and drawing letters need. Programs, bitmaps, colors, variations and signatures are left out. */
const kept = [
  ...['head', 'hhea', 'maxp', 'OS/2', 'hmtx', 'cmap', 'loca', 'glyf', 'CFF '],
  ...['kern', 'GDEF', 'GPOS', 'GSUB'],
];

/** `usWeightClass` of bold: libass makes a lighter font bolder by itself if captions are bold. */
const BOLD = 700;
const WINDOWS = 3;
const UNICODE = 1;
const ENGLISH = 0x409;
/** Family, style, full name, PostScript name. */
const nameIds = [1, 2, 4, 6];

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

/** A new file with the letters of a font under another name, upright and bold, so libass draws it as it is. */
export function writeFont({ tables, outlines }: ReadFont, family: string): Uint8Array<ArrayBuffer> {
  const chosen = new Map<string, Uint8Array>([['name', nameTable(family)]]);
  for (const tag of kept) {
    const table = tables.get(tag);
    if (table) chosen.set(tag, edited(tag, table));
  }
  // One kind of outlines: which of two a program would choose is its own affair.
  for (const tag of outlines === 'glyf' ? ['CFF '] : ['glyf', 'loca']) chosen.delete(tag);
  return fileOf(
    [...chosen].sort(([a], [b]) => (a < b ? -1 : 1)),
    outlines,
  );
}

function edited(tag: string, table: Uint8Array): Uint8Array {
  const copy = table.slice();
  const view = viewOf(copy);
  if (tag === 'head') view.setUint16(44, 1);
  if (tag === 'OS/2' && copy.length >= 6) view.setUint16(4, BOLD);
  if (tag === 'OS/2' && copy.length >= 64) view.setUint16(62, 0x20);
  return copy;
}

function nameTable(family: string): Uint8Array {
  const text = Buffer.from(family, 'utf16le').swap16();
  const table = new Uint8Array(6 + 12 * nameIds.length + text.length);
  const view = viewOf(table);
  view.setUint16(2, nameIds.length);
  view.setUint16(4, 6 + 12 * nameIds.length);
  for (const [index, id] of nameIds.entries()) {
    const at = 6 + 12 * index;
    for (const [part, value] of [WINDOWS, UNICODE, ENGLISH, id, text.length, 0].entries())
      view.setUint16(at + 2 * part, value);
  }
  table.set(text, 6 + 12 * nameIds.length);
  return table;
}

const aligned = (length: number) => 4 * Math.ceil(length / 4);

function fileOf(
  tables: readonly (readonly [string, Uint8Array])[],
  outlines: 'glyf' | 'CFF ',
): Uint8Array<ArrayBuffer> {
  const start = 12 + 16 * tables.length;
  const bytes = new Uint8Array(start + tables.reduce((sum, [, table]) => sum + aligned(table.length), 0));
  const view = viewOf(bytes);
  const power = Math.floor(Math.log2(tables.length));
  view.setUint32(0, outlines === 'glyf' ? 0x00010000 : 0x4f54544f);
  for (const [index, value] of [
    tables.length,
    16 * 2 ** power,
    power,
    16 * (tables.length - 2 ** power),
  ].entries())
    view.setUint16(4 + 2 * index, value);
  let at = start;
  for (const [index, [tag, table]] of tables.entries()) {
    bytes.set(table, at);
    const record = 12 + 16 * index;
    bytes.set(Buffer.from(tag, 'latin1'), record);
    view.setUint32(record + 4, checksum(bytes.subarray(at, at + aligned(table.length))));
    view.setUint32(record + 8, at);
    view.setUint32(record + 12, table.length);
    at += aligned(table.length);
  }
  return bytes;
}

function checksum(table: Uint8Array): number {
  const view = viewOf(table);
  let sum = 0;
  for (let at = 0; at < table.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}
