/** Bytes of an mp3 that hold its first frame's tag. */
export const TAG_BYTES = 512;

/** Length of the ID3v2 tag that a file begins with (https://id3.org/id3v2.4.0-structure, 3.1); 0 if there is none. */
export function id3Length(head: Buffer): number {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0);
  return 10 + size + ((head[5] ?? 0) & 0x10 ? 10 : 0);
}

/** Places within the first frame. */
export interface LameTag {
  /** Nine bytes that name the encoder. Players believe the delay of those that they know. */
  encoder: number;
  /** Three bytes: twelve bits of delay and twelve of padding, in samples. */
  lengths: number;
  delay: number;
  padding: number;
}

const ENCODER = 9;

/** Where the Xing header of an mp3's first frame begins; null if there is none. */
export function xingIn(frame: Buffer): number | null {
  const text = frame.subarray(0, 64).toString('latin1');
  const at = Math.max(text.indexOf('Info'), text.indexOf('Xing'));
  return at < 0 ? null : at;
}

const BOTH_COUNTS = 3;

/** How many frames follow the one with a Xing header, all bytes with it, and whether the bitrate is constant; null if it does not state both. */
export function xingCounts(
  frame: Buffer,
  at: number,
): { frames: number; bytes: number; constant: boolean } | null {
  if (at + 16 > frame.length || (frame.readUInt32BE(at + 4) & BOTH_COUNTS) !== BOTH_COUNTS) return null;
  const constant = frame.toString('latin1', at, at + 4) === 'Info';
  return { frames: frame.readUInt32BE(at + 8), bytes: frame.readUInt32BE(at + 12), constant };
}

/** What LAME adds to the Xing header in the first frame of an mp3 (http://gabriel.mp3-tech.org/mp3infotag.html). Null if there is none. */
export function lameTag(frame: Buffer): LameTag | null {
  const xing = xingIn(frame);
  if (xing === null || xing + 8 > frame.length) return null;
  const flags = frame.readUInt32BE(xing + 4);
  const counts = [4, 4, 100, 4].reduce((sum, bytes, bit) => sum + ((flags >> bit) & 1) * bytes, 0);
  const encoder = xing + 8 + counts;
  const lengths = encoder + ENCODER + 12;
  if (lengths + 3 > frame.length) return null;
  const both = frame.readUIntBE(lengths, 3);
  return { encoder, lengths, delay: both >> 12, padding: both & 0xfff };
}

/** Clears what a tag says of the delay. */
export function withoutDelay(frame: Buffer, { encoder, lengths }: LameTag): void {
  frame.fill(0, encoder, encoder + ENCODER).fill(0, lengths, lengths + 3);
}
