import { expect, test } from 'vitest';
import { isRandomAccess } from '../../../../transcoder/bitstream/random-access.ts';

/** A header of a sequence, a group, or neither, then one of a picture of this type. */
const mpeg2 = (type: number, ...before: number[]) =>
  Uint8Array.from([...before, 0, 0, 1, 0, 0b0000_0001, (0b01 << 6) | (type << 3), 0, 0]);
/** A frame header OBU of this type that states its size. */
const av1 = (bits: number) => Uint8Array.from([0b0_0011_0_1_0, 1, bits]);

test.each([
  ['vp8', Uint8Array.from([0x10, 0, 0]), true],
  ['vp8', Uint8Array.from([0x11, 0, 0]), false],
  ['vp8', Uint8Array.from([]), null],
  ['vp9', Uint8Array.from([0b10_00_0_1_1_0, 0, 0, 0]), false],
  ['vp9', Uint8Array.from([0]), null],
  ['av1', av1(0b0_00_1_0000), true],
  ['av1', av1(0b0_01_1_0000), false],
  // Shown later: the frames in between refer to earlier ones.
  ['av1', av1(0b0_00_0_0000), false],
  ['av1', Uint8Array.from([0x80]), null],
  ['mpeg1video', mpeg2(1), true],
  ['mpeg2video', mpeg2(1, 0, 0, 1, 0xb3, 1, 2, 3), true],
  ['mpeg2video', mpeg2(2), false],
  ['mpeg2video', mpeg2(3, 0, 0, 1, 0xb8, 1, 2, 3), false],
  ['mpeg2video', Uint8Array.from([0, 0, 1, 0xb3]), null],
  ['theora', Uint8Array.from([0b0_0_000000]), true],
  ['theora', Uint8Array.from([0b0_1_000000]), false],
  ['theora', Uint8Array.from([]), false],
  ['h264', Uint8Array.from([0, 0, 0, 1, 0x65]), null],
] as const)('decoding can begin at a packet of %s (%o): %s', (codec, packet, wanted) => {
  expect(isRandomAccess(codec, packet)).toBe(wanted);
});
