import { oggChecksum } from '../../fixtures/ogg-checksum.ts';

const PAGE_HEADER = 27;
const CONTINUED = 1;

/** The pages of Ogg in which every other inter picture of Theora is an empty packet: it repeats the picture before it. */
export function repeatPictures(ogg: Buffer): Buffer {
  const pages: Buffer[] = [];
  let [video, number] = [-1, 0];
  for (let at = 0; at < ogg.length; ) {
    const table = at + PAGE_HEADER;
    const lacing = [...ogg.subarray(table, table + (ogg[at + 26] ?? 0))];
    const body = table + lacing.length;
    const end = body + lacing.reduce((sum, value) => sum + value, 0);
    const serial = ogg.readUInt32LE(at + 14);
    if (ogg.toString('latin1', body + 1, body + 7) === 'theora' && ogg[body] === 0x80) video = serial;
    const emptied = (packet: Buffer) => isInter(packet) && number++ % 2 === 1;
    const page = { header: ogg.subarray(at, table), lacing, body: ogg.subarray(body, end) };
    pages.push(serial === video ? rewritten(page, emptied) : ogg.subarray(at, end));
    at = end;
  }
  return Buffer.concat(pages);
}

/** Theora specification, 7.1: a picture, and its type. */
const isInter = (packet: Buffer): boolean => packet.length > 0 && ((packet[0] ?? 0) & 0xc0) === 0x40;

interface Page {
  header: Buffer;
  lacing: readonly number[];
  body: Buffer;
}

function rewritten({ header, lacing, body }: Page, emptied: (packet: Buffer) => boolean): Buffer {
  const table: number[] = [];
  const parts: Buffer[] = [];
  let whole = ((header[5] ?? 0) & CONTINUED) === 0;
  let [from, to] = [0, 0];
  let laced: number[] = [];
  for (const value of lacing) {
    laced.push(value);
    to += value;
    if (value === 255) continue;
    const packet = body.subarray(from, to);
    const empty = whole && emptied(packet);
    table.push(...(empty ? [0] : laced));
    if (!empty) parts.push(packet);
    [from, laced, whole] = [to, [], true];
  }
  const head = Buffer.concat([header, Buffer.from([...table, ...laced])]);
  head[26] = table.length + laced.length;
  head.writeUInt32LE(0, 22);
  const page = Buffer.concat([head, ...parts, body.subarray(from)]);
  page.writeUInt32LE(oggChecksum(page), 22);
  return page;
}
