import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demuxerOf } from '../../../schema/media/sniff/demuxer-of.ts';

const START = [0, 0, 0, 1];
/** SPS, PPS and the first bytes of an IDR slice, as an encoder of a phone writes them. */
const h264 = [
  ...[...START, 0x67, 0x42, 0xc0, 0x32, 0x8d, 0x68, 0x04, 0x40],
  ...[...START, 0x68, 0xce, 0x01, 0xa8],
  ...[...START, 0x65, 0xb8, 0x00, 0x04, 0x05],
];
/** VPS, SPS, PPS and the first bytes of an IDR slice, as x265 writes them. */
const hevc = [
  ...[...START, 0x40, 0x01, 0x0c, 0x01, 0xff, 0xff, 0x01, 0x60],
  ...[...START, 0x42, 0x01, 0x01, 0x01, 0x60],
  ...[...START, 0x44, 0x01, 0xc1, 0x72],
  ...[...START, 0x26, 0x01, 0xaf, 0x08],
];
/** Width and height, as a tool that records the screen of a phone writes them first. */
const size = [0, 0, 0x04, 0x38, 0, 0, 0x09, 0x60];

describe('raw video behind a short header', () => {
  test.each([
    ['h264', h264],
    ['hevc', hevc],
  ])('is found: %s', (format, stream) => {
    expect(demuxerOf(Buffer.from([...size, ...stream]))).toBe(format);
    expect(demuxerOf(Buffer.from([...'scrcpy device 01'].map((at) => at.charCodeAt(0)).concat(stream)))).toBe(
      format,
    );
  });

  test.each([
    ['behind more than 16 bytes', [...size, ...size, 9, ...h264]],
    ['without its PPS', [...size, ...h264.slice(0, 12), ...h264.slice(20)]],
    ['without a keyframe', [...size, ...h264.slice(0, 20), ...START, 0x41, 0x9a, 0x24]],
    ['with an unknown profile', [...size, ...h264.map((byte, at) => (at === 5 ? 0x43 : byte))]],
    ['without reserved bits of a VPS', [...size, ...hevc.map((byte, at) => (at === 9 ? 0xfe : byte))]],
    ['without a slice', [...size, ...hevc.slice(0, -8)]],
  ])('is not found %s', (_, bytes) => {
    expect(demuxerOf(Buffer.from(bytes))).toBe(null);
  });

  test('is not found in other bytes, even with start codes and headers among them', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 12 }).map((bytes) => [...bytes]),
      fc.constantFrom(START, START.slice(1)),
      fc.constantFrom([0x67], [0x68], [0x40, 1], [0x42, 1], [0x44, 1], [0x06], [0x41, 0x9a]),
    );
    // An H.264 stream needs an IDR slice and an HEVC stream a keyframe; no piece has one, and a random one needs all the rest.
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const bytes = Buffer.from([0x55, ...pieces.flat()]);
        expect(['h264', 'hevc']).not.toContain(demuxerOf(bytes));
      }),
      { numRuns: 5000 },
    );
  });
});
