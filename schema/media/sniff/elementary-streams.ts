import type { Demuxer } from '../demuxers.ts';
import { uint } from './bytes.ts';

/** The demuxer for video without a container, by its start codes, OBUs or DIF blocks. */
export function elementaryVideo(head: Uint8Array): Demuxer | null {
  if (isDv(head)) return 'dv';
  if (isObu(head)) return 'obu';
  const units = startCodes(head);
  const [first] = units;
  if (first === undefined) return null;
  if (head.subarray(0, first).some((byte) => byte !== 0)) return behindHeader(head, units);
  const codes = units.map((at) => head[at + 3] ?? 0);
  if (codes[0] === PACK) return 'mpeg';
  if (codes[0] === SEQUENCE) return 'mpegvideo';
  const headers = units.map((at) => [head[at + 3] ?? 0, head[at + 4] ?? 0] as const);
  if (isHevc(headers)) return 'hevc';
  if (isH264(headers)) return 'h264';
  return isMpeg4(codes) ? 'm4v' : null;
}

/** Most bytes that a tool writes before the stream that it records, such as the size of the screen. */
const MOST_FOREIGN = 16;

/** A stream that starts with its parameter sets and a keyframe, after a few bytes of another kind. */
function behindHeader(head: Uint8Array, units: readonly number[]): Demuxer | null {
  const [first = 0] = units;
  const zeros = head[first - 1] === 0 ? 1 : 0;
  if (first - zeros > MOST_FOREIGN) return null;
  const contents = units.map((at, index) => head.subarray(at + 3, units[index + 1]));
  if (startsH264(contents)) return 'h264';
  return startsHevc(contents) ? 'hevc' : null;
}

/** Profiles and levels of ISO/IEC 14496-10 annexes A, G and H. */
const h264Profiles: readonly number[] = [66, 77, 83, 86, 88, 100, 110, 118, 122, 128, 134, 138, 139, 244, 44];
const h264Levels: readonly number[] = [
  9, 10, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62,
];

/** SPS, PPS, then SEI and more sets, then an IDR slice; each as a reference where it has to be one. */
function startsH264(units: readonly Uint8Array[]): boolean {
  const [sps, pps] = units;
  const [, profile = 0, constraints = 0, level = 0] = sps ?? [];
  if (!isUnit(sps, 7) || !isUnit(pps, 8)) return false;
  if (!h264Profiles.includes(profile) || (constraints & 3) !== 0 || !h264Levels.includes(level)) return false;
  const slice = units.slice(2).find(([header = 0]) => !setsAndSei.includes(header & 0x1f));
  return isUnit(slice, 5);
}

const setsAndSei: readonly number[] = [6, 7, 8];

/** A unit of this type, with a `nal_ref_idc`. */
const isUnit = (unit: Uint8Array | undefined, type: number): boolean =>
  unit !== undefined && ((unit[0] ?? 0) & 0x9f) === type && ((unit[0] ?? 0) & 0x60) !== 0;

/** VPS, with its reserved bits, SPS, PPS, then SEI, then a picture at which decoding can start. */
function startsHevc(units: readonly Uint8Array[]): boolean {
  const [vps, sps, pps] = units;
  if (!vps || !sps || !pps) return false;
  const startsWith = (unit: Uint8Array, type: number) => uint(unit, 0, 2) === ((type << 9) | 1);
  if (vps.length < 6 || uint(vps, 4, 2) !== 0xffff || !startsWith(vps, 32)) return false;
  if (sps.length < 2 || pps.length < 2 || !startsWith(sps, 33) || !startsWith(pps, 34)) return false;
  const slice = units.slice(3).find((unit) => (unit[0] ?? 0) >> 1 !== 39);
  return (
    slice !== undefined &&
    slice.length >= 2 &&
    [16, 17, 18, 19, 20, 21].some((type) => startsWith(slice, type))
  );
}

/** ISO/IEC 13818-1 section 2.5.3.3 and 13818-2 table 6-1. */
const PACK = 0xba;
const SEQUENCE = 0xb3;

/** Positions of `00 00 01`. */
function startCodes(head: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = 0; at + 4 < head.length; at++) {
    if (head[at] !== 0 || head[at + 1] !== 0 || head[at + 2] !== 1) continue;
    found.push(at);
    at += 2;
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
function isDv(head: Uint8Array): boolean {
  if (head.length < 2 * DIF_BLOCK) return false;
  const [header, subcode] = [uint(head, 0, 3), uint(head, DIF_BLOCK, 3)];
  return (
    (header & 0xfff0ff) === 0x1f0000 && ((head[3] ?? 0) & 0x7f) === 0x3f && (subcode & 0xe0f000) === 0x200000
  );
}

/**
 * A temporal delimiter of size 0, followed by a sequence header with a size; AV1 specification sections 5.3 and 5.5.
 */
function isObu(head: Uint8Array): boolean {
  const [delimiter, size, sequence] = head;
  return delimiter === 0x12 && size === 0 && sequence === 0x0a;
}
