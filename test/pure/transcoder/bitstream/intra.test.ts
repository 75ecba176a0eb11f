import { expect, test } from 'vitest';
import { amrFrames } from '../../../../transcoder/bitstream/amr.ts';
import { isIntra } from '../../../../transcoder/bitstream/intra.ts';

/** Start code, temporal reference 0, PTYPE up to the source format, then the rest as bits. */
function h263(rest: string): Uint8Array {
  const bits = `${'0'.repeat(16)}100000${'0'.repeat(8)}10000${rest}`.padEnd(96, '0');
  return Uint8Array.from({ length: 12 }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2));
}
/** Start code, version 1, temporal reference 0, then the rest as bits. */
const sorenson = (rest: string) => {
  const bits = `${'0'.repeat(16)}1${'00001'}${'0'.repeat(8)}${rest}`.padEnd(96, '0');
  return Uint8Array.from({ length: 12 }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2));
};
const vop = (type: number) => Uint8Array.from([0, 0, 1, 0xb0, 1, 0, 0, 1, 0xb6, type << 6, 0]);

test.each([
  ['h263', h263('0100'), true],
  ['h263', h263('0101'), false],
  ['h263', h263(`111001${'0'.repeat(18)}000`), true],
  ['h263', h263(`111001${'0'.repeat(18)}001`), false],
  ['h263', h263('111000001'), false],
  ['h263', Uint8Array.from([1, 2, 3, 4]), null],
  ['h263', Uint8Array.from([0, 0]), null],
  ['flv1', sorenson('010' + '00'), true],
  ['flv1', sorenson('010' + '01'), false],
  ['flv1', sorenson(`000${'0'.repeat(16)}10`), false],
  ['flv1', sorenson(`001${'1'.repeat(32)}00`), true],
  ['flv1', Uint8Array.from([1, 2, 3, 4]), null],
  ['msmpeg4v1', Uint8Array.from([0, 0, 1, 0, 0b11111_00_0]), true],
  ['msmpeg4v1', Uint8Array.from([0, 0, 1, 0, 0b00000_01_0]), false],
  ['msmpeg4v2', Uint8Array.from([0b00_111111]), true],
  ['msmpeg4v3', Uint8Array.from([0b01_000000]), false],
  ['wmv1', Uint8Array.from([0b01_000000]), false],
  ['wmv1', Uint8Array.from([]), null],
  ['wmv2', Uint8Array.from([0b0_1111111]), true],
  ['wmv2', Uint8Array.from([0b1_0000000]), false],
  ['zmbv', Uint8Array.from([0b0000000_1]), true],
  ['zmbv', Uint8Array.from([0b0000001_0]), false],
  ['mpeg4', vop(0), true],
  ['mpeg4', vop(1), false],
  ['mpeg4', Uint8Array.from([0, 0, 1, 0xb0]), null],
] as const)('a picture of %s (%o) is intra coded: %s', (codec, packet, wanted) => {
  expect(isIntra(codec, packet)).toBe(wanted);
});

test('a packet of AMR is split by the header of each frame, up to bytes that are none', () => {
  const speech = [0x3c, ...Array.from({ length: 31 }, () => 9)];
  const silence = [0x44, 1, 2, 3, 4, 5];
  const packet = Uint8Array.from([...speech, ...silence, 0x7c, ...speech.slice(0, 20)]);
  expect(amrFrames(packet, 'narrow').map(({ length }) => length)).toEqual([32, 6, 1]);
  expect(amrFrames(Uint8Array.from([0x44, ...Array.from({ length: 60 }, () => 0)]), 'wide')).toHaveLength(1);
  expect(amrFrames(Uint8Array.from([0x64, 1, 2]), 'narrow')).toEqual([]);
});
