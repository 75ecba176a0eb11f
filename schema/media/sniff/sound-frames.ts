import type { Demuxer } from '../demuxers.ts';
import { latin1, uint } from './bytes.ts';

interface Frame {
  bytes: number;
  /** Header bits that are the same in all frames of a stream. */
  kind: number;
}

/** How the frames of a format are recognized. */
interface Framing {
  /** The frame that begins at a position, or null. */
  frame: (bytes: Uint8Array, at: number) => Frame | null;
  /** Number of consecutive frames that distinguishes sound from bytes that merely look like a frame. */
  inARow: number;
}

/** An ADTS header has three times as many constant bits as one of MPEG audio. */
const framings = {
  mp3: { frame: mpegFrame, inARow: 4 },
  aac: { frame: adtsFrame, inARow: 2 },
  ac3: { frame: ac3Frame, inARow: 3 },
  eac3: { frame: eac3Frame, inARow: 3 },
} satisfies Partial<Record<Demuxer, Framing>>;
type Framed = keyof typeof framings;

const bitrates = {
  mpeg1: {
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  mpeg2: {
    2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
} as const;
const sampleRates = [44_100, 48_000, 32_000];

/** The MPEG audio frame (layer II or III) that begins here, or null. ISO/IEC 11172-3 section 2.4.1.3. */
function mpegFrame(bytes: Uint8Array, at: number): Frame | null {
  if (at + 4 > bytes.length) return null;
  const header = uint(bytes, at, 4);
  const [version, layerBits] = [(header >>> 19) & 3, (header >>> 17) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || (layerBits !== 1 && layerBits !== 2)) return null;
  const layer = layerBits === 1 ? 3 : 2;
  const kbps = bitrates[version === 3 ? 'mpeg1' : 'mpeg2'][layer][(header >>> 12) & 15] ?? 0;
  const rate = (sampleRates[(header >>> 10) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  if (kbps === 0 || rate === 0) return null;
  const samples = layer === 3 && version !== 3 ? 576 : 1152;
  const padding = (header >>> 9) & 1;
  return {
    bytes: Math.floor((samples / 8) * ((kbps * 1000) / rate)) + padding,
    kind: (header >>> 10) & 0x7c3,
  };
}

const ADTS_HEADER = 7;

/** The ADTS frame that begins here, or null. ISO/IEC 13818-7 section 6.2. */
function adtsFrame(bytes: Uint8Array, at: number): Frame | null {
  if (at + ADTS_HEADER > bytes.length) return null;
  const header = uint(bytes, at, 4);
  const length = (uint(bytes, at + 3, 3) >>> 5) & 0x1fff;
  if ((header & 0xfff60000) >>> 0 !== 0xfff00000 || length <= ADTS_HEADER) return null;
  // Without home, copyright and the first bits of the length, which may differ.
  return { bytes: length, kind: (header & 0xfffffdc0) >>> 0 };
}

const DOLBY_SYNC = 0x0b77;
const DOLBY_HEADER = 6;
/** kbit/s by half of the frame size code. */
const ac3Bitrates = [
  ...[32, 40, 48, 56, 64, 80, 96, 112, 128, 160],
  ...[192, 224, 256, 320, 384, 448, 512, 576, 640],
];
/** Units of two bytes per kbit/s, by the code of the sample rate: 48, 44.1 and 32 kHz. */
const ac3Words = [2, 320 / 147, 3];

/** The AC-3 frame that begins here, or null. ETSI TS 102 366 section 4.4.1. */
function ac3Frame(bytes: Uint8Array, at: number): Frame | null {
  if (at + DOLBY_HEADER > bytes.length || uint(bytes, at, 2) !== DOLBY_SYNC) return null;
  const [codes = 0, version = 0] = bytes.subarray(at + 4);
  const [rate, size] = [codes >> 6, codes & 0x3f];
  const [words, kbps] = [ac3Words[rate], ac3Bitrates[size >> 1]];
  if (words === undefined || kbps === undefined || version >> 3 > AC3_VERSIONS) return null;
  return { bytes: 2 * (Math.floor(words * kbps) + (rate === 1 ? size & 1 : 0)), kind: rate };
}

/** The E-AC-3 frame that begins here, or null. ETSI TS 102 366 section E.1.2.1. */
function eac3Frame(bytes: Uint8Array, at: number): Frame | null {
  if (at + DOLBY_HEADER > bytes.length || uint(bytes, at, 2) !== DOLBY_SYNC) return null;
  const [version, rate] = [(bytes[at + 5] ?? 0) >> 3, (bytes[at + 4] ?? 0) >> 6];
  if (version <= AC3_VERSIONS || version > EAC3_VERSIONS) return null;
  return { bytes: 2 * ((uint(bytes, at + 2, 2) & 0x7ff) + 1), kind: rate };
}

/** Length in which frames follow one another without a break: longer than the packets in which containers hold them. */
const UNBROKEN = 8 * 1024;
/** How tags behind the last frame begin. */
const tags = ['TAG', 'APE', 'LYR', 'ID3'];
/** Bytes of the longest header of a frame. */
const LONGEST_HEADER = 7;

/**
 * Where the first of many consecutive frames of sound begins, or null. They may be fewer if they reach up to the end, or to a tag, and
 * are more than what precedes them.
 */
export function soundStart(bytes: Uint8Array): { at: number; format: Framed } | null {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0xff && bytes[at] !== DOLBY_SYNC >> 8) continue;
    const format = formats.find((name) => followOn(bytes, at, framings[name]));
    if (format) return { at, format };
  }
  return null;
}

const formats = ['mp3', 'aac', 'ac3', 'eac3'] as const satisfies Framed[];

function followOn(bytes: Uint8Array, start: number, { frame, inARow }: Framing): boolean {
  const first = frame(bytes, start);
  if (!first) return false;
  let at = start;
  for (let count = 0; count < inARow || at - start < UNBROKEN; count++) {
    const next = frame(bytes, at);
    if (next?.kind !== first.kind) return count >= inARow && isEnd(bytes, at) && at - start > start;
    at += next.bytes;
  }
  return true;
}

const isEnd = (bytes: Uint8Array, at: number): boolean =>
  at + LONGEST_HEADER > bytes.length || tags.includes(latin1(bytes, at, at + 3));

/**
 * A frame begins with eleven set bits. Layer bits 00 mean ADTS, 01 and 10 MPEG audio III and II; 11 is excluded,
 * because it would match a UTF-16 byte order mark.
 */
export function audioSync(head: Uint8Array): Demuxer | null {
  const [first = 0, second = 0, third = 0xff] = head;
  if (first === 0x0b && second === 0x77) return dolby(head);
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  if ((second & 0xf6) === 0xf0) return 'aac';
  const layer = (second >> 1) & 3;
  const version = (second >> 3) & 3;
  return (layer === 1 || layer === 2) && version !== 1 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3
    ? 'mp3'
    : null;
}

/** Largest versions of the bitstreams. */
const AC3_VERSIONS = 10;
const EAC3_VERSIONS = 16;

/** AC-3 and E-AC-3 store the bitstream version at the same position; ETSI TS 102 366 sections 5.3 and E.1.2. */
function dolby(head: Uint8Array): Demuxer | null {
  const version = (head[5] ?? 0xff) >> 3;
  if (version <= AC3_VERSIONS) return 'ac3';
  return version <= EAC3_VERSIONS ? 'eac3' : null;
}
