import { describe, expect, test } from 'vitest';
import { demuxerIn, demuxerOf } from '../../../schema/media/sniff/demuxer-of.ts';

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

  test('is found behind bytes that are none of its packets', () => {
    expect(demuxerOf(Buffer.from([...foreign(1777), ...transport(188)].slice(0, 4096)))).toBe('mpegts');
  });

  test.each([
    ['MPEG-2', mpeg2Pack],
    ['MPEG-1', mpeg1Pack],
  ])('is found by a pack of %s and what follows it', (_, pack) => {
    expect(demuxerOf(Buffer.from([...foreign(1192), ...pack, ...packet, ...foreign(40)]))).toBe('mpeg');
  });

  test.each([
    ['with too few packets', transport(188, 7).slice(61)],
    [
      'with packets that have no sync byte, again and again',
      transport(188).map((byte, at) => (at % (188 * 7) === 188 * 6 ? 0 : byte)),
    ],
    ['with a pack that nothing follows', [...foreign(1192), ...mpeg2Pack, ...foreign(40)]],
    [
      'with a pack without its marker bits',
      [...foreign(99), ...mpeg2Pack.with(4, 0x84), ...packet, ...foreign(40)],
    ],
  ])('is not found in bytes %s', (_, bytes) => {
    expect(demuxerOf(Buffer.from(bytes.slice(1)))).toBe(null);
  });
});

/** Frames of a size, each a header and a payload that resembles nothing. */
const frames = (count: number, size: number, header: number[]): number[] =>
  Array.from({ length: count }, () => [...header, ...foreign(size - header.length)]).flat();
const found = (bytes: number[]) => demuxerIn(async (at, length) => Buffer.from(bytes.slice(at, at + length)));

/** MPEG audio layer II of 128 kbit/s at 48 kHz. */
const mp2 = (count: number) => frames(count, 384, [0xff, 0xfd, 0x84, 0]);
const ac3 = (count: number) => frames(count, 768, [0x0b, 0x77, 0, 0, 0x14, 0x40]);
const eac3 = (count: number) => frames(count, 512, [0x0b, 0x77, 0, 0xff, 0x3f, 0x80]);

describe('sound that begins within a frame', () => {
  test.each([
    ['mp3', mp2],
    ['ac3', ac3],
    ['eac3', eac3],
  ] as const)('is found by the frames that follow: %s', async (format, sound) => {
    expect(await found(sound(40).slice(100))).toBe(format);
    expect(await found(sound(6).slice(100))).toBe(format);
    expect(await found([...sound(6).slice(100), ...Buffer.from('TAG of a song'), ...foreign(200)])).toBe(
      format,
    );
  });

  test('is not found in the packets of another container', async () => {
    const packets = Array.from({ length: 20 }, () => [0x41, 0x56, 2, 0, 0x55, 0, 0x08, 0, ...mp2(6)]).flat();
    expect(await found(packets)).toBe(null);
  });
});
