import type { Demuxer } from '../../model/demuxers.ts';

/** The demuxer for video without a container, by its start codes, OBUs or DIF blocks. */
export function elementaryVideo(head: Buffer): Demuxer | null {
  if (isDv(head)) return 'dv';
  if (isObu(head)) return 'obu';
  const units = startCodes(head);
  const [first] = units;
  if (first === undefined || head.subarray(0, first).some((byte) => byte !== 0)) return null;
  const codes = units.map((at) => head[at + 3] ?? 0);
  if (codes[0] === PACK) return 'mpeg';
  if (codes[0] === SEQUENCE) return 'mpegvideo';
  const headers = units.map((at) => [head[at + 3] ?? 0, head[at + 4] ?? 0] as const);
  if (isHevc(headers)) return 'hevc';
  if (isH264(headers)) return 'h264';
  return isMpeg4(codes) ? 'm4v' : null;
}

/** ISO/IEC 13818-1 section 2.5.3.3 and 13818-2 table 6-1. */
const PACK = 0xba;
const SEQUENCE = 0xb3;

/** Positions of `00 00 01`. */
function startCodes(head: Buffer): number[] {
  const found: number[] = [];
  const code = Buffer.from([0, 0, 1]);
  for (let at = head.indexOf(code); at >= 0 && at + 4 < head.length; at = head.indexOf(code, at + 3)) {
    found.push(at);
  }
  return found;
}

type Header = readonly [first: number, second: number];

/**
 * Before the first slice there are only parameter sets, SEI, delimiters and unspecified types; ISO/IEC 14496-10 table
 * 7-1.
 */
function isH264(headers: readonly Header[]): boolean {
  const types = headers.map(([first]) => (first & 0x80 ? -1 : first & 0x1f));
  const slice = types.findIndex((type) => type >= 1 && type <= 5);
  const before = slice < 0 ? types : types.slice(0, slice);
  const [sps, pps] = [before.indexOf(7), before.indexOf(8)];
  return sps >= 0 && pps > sps && before.every((type) => (type >= 6 && type <= 15) || type >= 24);
}

/** Like H.264, with parameter sets in layer 0 and the lowest temporal layer; ISO/IEC 23008-2 table 7-1. */
function isHevc(headers: readonly Header[]): boolean {
  const types = headers.map(([first, second]) =>
    (first & 0x80) === 0 && (first & 1) === 0 && (second & 0xf8) === 0 && (second & 7) > 0 ? first >> 1 : -1,
  );
  const slice = types.findIndex((type) => type >= 0 && type < 32);
  const before = slice < 0 ? types : types.slice(0, slice);
  const [vps, sps, pps] = [before.indexOf(32), before.indexOf(33), before.indexOf(34)];
  return vps >= 0 && sps > vps && pps > sps && before.every((type) => type >= 32 && type < 64);
}

/** A visual object sequence or a video object, containing a video object layer; ISO/IEC 14496-2 table 6-3. */
function isMpeg4(codes: readonly number[]): boolean {
  const [first = -1] = codes;
  const layer = codes.findIndex((code) => code >= 0x20 && code <= 0x2f);
  const picture = codes.indexOf(0xb6);
  return (first === 0xb0 || (first >= 0 && first <= 0x1f)) && layer > 0 && (picture < 0 || picture > layer);
}

const DIF_BLOCK = 80;

/** Header and subcode of the first DIF sequence; IEC 61834-2 section 11.4. */
function isDv(head: Buffer): boolean {
  if (head.length < 2 * DIF_BLOCK) return false;
  const [header, subcode] = [head.readUIntBE(0, 3), head.readUIntBE(DIF_BLOCK, 3)];
  return (
    (header & 0xfff0ff) === 0x1f0000 && ((head[3] ?? 0) & 0x7f) === 0x3f && (subcode & 0xe0f000) === 0x200000
  );
}

/**
 * A temporal delimiter of size 0, followed by a sequence header with a size; AV1 specification sections 5.3 and 5.5.
 */
function isObu(head: Buffer): boolean {
  const [delimiter, size, sequence] = head;
  return delimiter === 0x12 && size === 0 && sequence === 0x0a;
}
