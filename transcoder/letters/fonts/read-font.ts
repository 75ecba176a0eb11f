import { FontFault } from './font-fault.ts';

/** The tables of a font by tag, as views of its file. */
export type Tables = ReadonlyMap<string, Uint8Array>;

export interface ReadFont {
  tables: Tables;
  /** Outlines: quadratic in `glyf`, cubic in `CFF `. */
  outlines: 'glyf' | 'CFF ';
  /** Whether it has several styles, of which the default one is used. */
  variable: boolean;
}

/** A font has about twenty tables. */
const MOST_TABLES = 64;
const DIRECTORY = 12;
const RECORD = 16;

const collection = 'ttcf';
/** TrueType (Windows, Apple) and OpenType with CFF outlines. */
const single = ['\0\x01\0\0', 'true', 'OTTO'];

const remake = 'Export it again as TTF or OTF.';
const damaged = (what: string) => new FontFault(`The font is damaged: ${what}. ${remake}`);

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

const tagAt = (bytes: Uint8Array, at: number) => Buffer.from(bytes.subarray(at, at + 4)).toString('latin1');

/**
 * Reads the table directory of a TrueType or OpenType font, or of the first font of a collection, and checks the tables that
 * measuring and drawing rely on. Every count and offset is compared with the file, and the work is linear in its size. Throws FontFault.
 * https://learn.microsoft.com/typography/opentype/spec/otff
 */
export function readFont(bytes: Uint8Array): ReadFont {
  const tables = tablesOf(bytes, startOf(bytes));
  const outlines = tables.has('glyf') && tables.has('loca') ? 'glyf' : 'CFF ';
  if (outlines === 'CFF ' && !tables.has('CFF '))
    throw new FontFault(
      `The font has no outlines in TrueType or CFF format, only bitmaps or another format. ${remake}`,
    );
  const glyphs = checkHeads(tables);
  if (outlines === 'glyf') checkLocations(tables, glyphs);
  checkCharacters(required(tables, 'cmap', 4));
  return { tables, outlines, variable: tables.has('fvar') };
}

/** Offset of the table directory. */
function startOf(bytes: Uint8Array): number {
  const magic = tagAt(bytes, 0);
  if (bytes.length >= DIRECTORY && single.includes(magic)) return 0;
  if (magic !== collection || bytes.length < 16)
    throw new FontFault('The file is not a font. Give a link to a TTF, OTF, TTC, WOFF or WOFF2 file.');
  const at = viewOf(bytes).getUint32(12);
  if (at + DIRECTORY > bytes.length || !single.includes(tagAt(bytes, at)))
    throw damaged('the collection does not contain its first font');
  return at;
}

function tablesOf(bytes: Uint8Array, start: number): Tables {
  const view = viewOf(bytes);
  const count = view.getUint16(start + 4);
  if (count === 0 || count > MOST_TABLES) throw damaged(`it has ${count} tables`);
  const end = start + DIRECTORY + count * RECORD;
  if (end > bytes.length) throw damaged('its list of tables is cut off');
  const tables = new Map<string, Uint8Array>();
  let total = 0;
  for (let at = start + DIRECTORY; at < end; at += RECORD) {
    const tag = tagAt(bytes, at);
    const [offset, length] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (offset + length > bytes.length) throw damaged('a table lies outside the file');
    if (tables.has(tag)) throw damaged('a table is listed twice');
    total += length;
    // Tables that overlap could add up to many times the file.
    if (total > bytes.length) throw damaged('its tables overlap');
    tables.set(tag, bytes.subarray(offset, offset + length));
  }
  return tables;
}

function required(tables: Tables, tag: string, least: number): DataView {
  const table = tables.get(tag);
  if (!table) throw damaged(`it has no table \`${tag.trim()}\``);
  if (table.length < least) throw damaged(`its table \`${tag.trim()}\` is too short`);
  return viewOf(table);
}

/** Checks `head`, `maxp`, `hhea` and `hmtx`; returns the number of glyphs. */
function checkHeads(tables: Tables): number {
  const head = required(tables, 'head', 54);
  const em = head.getUint16(18);
  if (head.getUint32(12) !== 0x5f0f3cf5 || em < 16 || em > 16_384)
    throw damaged('its table `head` is invalid');
  const glyphs = required(tables, 'maxp', 6).getUint16(4);
  if (glyphs === 0) throw damaged('it has no glyphs');
  const metrics = required(tables, 'hhea', 36).getUint16(34);
  const widths = required(tables, 'hmtx', 4).byteLength;
  if (metrics === 0 || metrics > glyphs || widths < 4 * metrics)
    throw damaged('it does not have the widths of its glyphs');
  return glyphs;
}

/** Checks that each glyph lies inside `glyf`. */
function checkLocations(tables: Tables, glyphs: number): void {
  const long = required(tables, 'head', 54).getInt16(50) !== 0;
  const locations = required(tables, 'loca', (glyphs + 1) * (long ? 4 : 2));
  const end = tables.get('glyf')?.length ?? 0;
  let before = 0;
  for (let glyph = 0; glyph <= glyphs; glyph++) {
    const at = long ? locations.getUint32(4 * glyph) : 2 * locations.getUint16(2 * glyph);
    if (at < before || at > end) throw damaged('a glyph lies outside its table');
    before = at;
  }
}

/** Platforms of `cmap` with Unicode characters: Unicode, and Windows with its symbol, BMP and full encodings. */
const isUnicode = (platform: number, encoding: number) =>
  platform === 0 || (platform === 3 && [0, 1, 10].includes(encoding));

/** Checks that there is a map of Unicode characters inside the table. */
function checkCharacters(cmap: DataView): void {
  const count = cmap.getUint16(2);
  if (count > MOST_TABLES || 4 + 8 * count > cmap.byteLength)
    throw damaged('its list of characters is cut off');
  let maps = 0;
  for (let at = 4; at < 4 + 8 * count; at += 8) {
    const start = cmap.getUint32(at + 4);
    if (start + 8 > cmap.byteLength) throw damaged('its list of characters lies outside its table');
    const format = cmap.getUint16(start);
    const long = format >= 8 && format !== 14;
    const length = long ? cmap.getUint32(start + 4) : format === 14 ? 8 : cmap.getUint16(start + 2);
    // Large maps of format 4 are known to state a length that has overflowed; their readers go by the end of the table.
    if (start + length > cmap.byteLength && format !== 4)
      throw damaged('its list of characters lies outside its table');
    if (isUnicode(cmap.getUint16(at), cmap.getUint16(at + 2)) && format !== 14) maps += 1;
  }
  if (maps === 0) throw new FontFault(`The font has no Unicode characters. ${remake}`);
}
