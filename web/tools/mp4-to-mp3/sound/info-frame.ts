import { type Mp3Frame, readMp3Frame, sideInformationEnd, smallestBitrate } from './mp3-frame.ts';

/** Samples at either end that are not sound. The decoder adds its own 529 to the first number. */
export interface Gaps {
  delay: number;
  padding: number;
}

/** What a player has to know of an MP3 before it plays it. */
export interface Mp3Summary {
  /** The first four bytes of the first frame of sound. */
  header: Uint8Array;
  /** Where each frame of sound begins, counted from the end of the info frame. */
  positions: readonly number[];
  /** Length of all frames of sound. */
  bytes: number;
  /** Samples that are not sound; null: nothing is known of them, and players play all. */
  gaps: Gaps | null;
  isConstant: boolean;
}

/** The lag of a decoder of layer III in samples. Every player adds it to `delay`. */
export const DECODER_DELAY = 529;

const XING_TAG = 120;
const LAME_TAG = 36;
const TOC_ENTRIES = 100;
const HAS_EVERYTHING = 0x0f;
const MOST = 0xfff;
const CONSTANT = 1;
const UNKNOWN = 0;

const text = new TextEncoder();

/** The length of the info frame of a file whose first frame has this header. */
export function infoFrameBytes(header: Uint8Array): number {
  const frame = frameOf(header);
  return smallestBitrate(frame, sideInformationEnd(frame) + XING_TAG + LAME_TAG).bytes;
}

/**
 * The silent first frame with the tags of Xing and LAME: how many frames follow, where they are, and how many samples at either
 * end are not part of the sound. Its count does not include itself: a decoder that knows the tag does not play this frame.
 */
export function infoFrame({ header, positions, bytes, gaps, isConstant }: Mp3Summary): Uint8Array {
  const frame = frameOf(header);
  const tag = sideInformationEnd(frame);
  const lame = tag + XING_TAG;
  const own = smallestBitrate(frame, lame + LAME_TAG);
  const result = new Uint8Array(own.bytes);
  const view = new DataView(result.buffer);
  result.set(header.subarray(0, 4));
  result[1] = (header[1] ?? 0) | 1;
  result[2] = (own.index << 4) | ((header[2] ?? 0) & 0x0c);

  const total = own.bytes + bytes;
  result.set(text.encode(isConstant ? 'Info' : 'Xing'), tag);
  view.setUint32(tag + 4, HAS_EVERYTHING);
  view.setUint32(tag + 8, positions.length);
  view.setUint32(tag + 12, total);
  for (let entry = 0; entry < TOC_ENTRIES; entry++) {
    const position = positions[Math.floor((positions.length * entry) / TOC_ENTRIES)] ?? 0;
    result[tag + 16 + entry] = Math.floor((256 * (own.bytes + position)) / total);
  }

  // Players look for this name before they trust the two numbers.
  if (!gaps) return result;
  result.set(text.encode('LAME3.100'), lame);
  result[lame + 9] = isConstant ? CONSTANT : UNKNOWN;
  result[lame + 20] = Math.min(frame.bitrate, 255);
  const [before, after] = [clamped(gaps.delay), clamped(gaps.padding)];
  result.set([before >> 4, ((before & 15) << 4) | (after >> 8), after & 255], lame + 21);
  view.setUint32(lame + 28, total);
  view.setUint16(lame + 34, crc16(result.subarray(0, lame + 34)));
  return result;
}

function frameOf(header: Uint8Array): Mp3Frame {
  const frame = readMp3Frame(header);
  if (!frame) throw new Error('not the header of an MP3 frame');
  return frame;
}

const clamped = (samples: number) => Math.min(Math.max(Math.round(samples), 0), MOST);

/** CRC-16 with the polynomial 0x8005, reflected, as LAME computes it. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}
