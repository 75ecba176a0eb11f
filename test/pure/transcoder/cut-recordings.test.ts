import { describe, expect, test } from 'vitest';
import { demuxerOf } from '../../../schema/media/sniff/demuxer-of.ts';

/** Packets of a transport stream with a payload that resembles nothing. */
const transport = (size: number, count = 20): number[] =>
  Array.from({ length: size * count }, (_, at) => (at % size === 0 ? 0x47 : 0x80 | (at % 7)));
const foreign = (length: number) => Array.from({ length }, (_, at) => 0x80 | (at % 11));
const mpeg2Pack = [0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1, 0, 3, 0xff, 0xf8];
const mpeg1Pack = [0, 0, 1, 0xba, 0x21, 0, 1, 0, 1, 0x80, 0x1b, 0x91];
const packet = [0, 0, 1, 0xe0, 0x07, 0xec, 0x80, 0x80, 5, 0x21];

describe('a recording that begins within a packet', () => {
  test.each([188, 192, 204])('is found by the distance of its packets: %i bytes', (size) => {
    expect(demuxerOf(Buffer.from(transport(size).slice(61)))).toBe('mpegts');
  });

  test.each([
    ['MPEG-2', mpeg2Pack],
    ['MPEG-1', mpeg1Pack],
  ])('is found by a pack of %s and what follows it', (_, pack) => {
    expect(demuxerOf(Buffer.from([...foreign(1192), ...pack, ...packet, ...foreign(40)]))).toBe('mpeg');
  });

  test.each([
    ['with too few packets', transport(188, 7).slice(61)],
    ['with a packet that has no sync byte', transport(188).map((byte, at) => (at === 188 * 9 ? 0 : byte))],
    ['with a pack that nothing follows', [...foreign(1192), ...mpeg2Pack, ...foreign(40)]],
    [
      'with a pack without its marker bits',
      [...foreign(99), ...mpeg2Pack.with(4, 0x84), ...packet, ...foreign(40)],
    ],
  ])('is not found in bytes %s', (_, bytes) => {
    expect(demuxerOf(Buffer.from(bytes.slice(1)))).toBe(null);
  });
});
