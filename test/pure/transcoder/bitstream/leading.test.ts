import { expect, test } from 'vitest';
import { lostLeading } from '../../../../transcoder/bitstream/leading.ts';

const none = new Uint8Array();
const unit = (...bytes: number[]) => Uint8Array.from([0, 0, 1, ...bytes]);
const group = (closed: boolean) =>
  Uint8Array.from([...unit(0xb8, 0, 8, 0, closed ? 0x40 : 0), ...unit(0, 0, 15)]);

test.each(['mpeg1video', 'mpeg2video'])(
  'Leading pictures of %s are lost unless the group of pictures is closed',
  (codec) => {
    expect(lostLeading(codec, none, group(true))).toBeNull();
    expect(lostLeading(codec, none, group(false))?.(none)).toBe(true);
    expect(lostLeading(codec, none, unit(0, 0, 15))?.(none)).toBe(true);
  },
);

test('Leading pictures of H.264 are lost unless the first picture is an IDR picture', () => {
  expect(lostLeading('h264', none, unit(0x65, 0x88, 0x80))).toBeNull();
  expect(lostLeading('h264', none, unit(0x61, 0x88, 0x80))?.(none)).toBe(true);
  const framed = Uint8Array.from([1, 100, 0, 30, 0xff, 0xe0, 0]);
  expect(lostLeading('h264', framed, Uint8Array.from([0, 0, 0, 2, 0x65, 0x88]))).toBeNull();
  expect(lostLeading('h264', framed, Uint8Array.from([0, 0, 9, 9]))?.(none)).toBe(true);
});

test('Of HEVC, the leading pictures that decoders skip are lost', () => {
  const lost = lostLeading('hevc', none, unit(21 << 1, 1, 0x80));
  const [decodable, skipped] = [unit(6 << 1, 1, 0x80), unit(9 << 1, 1, 0x80)];
  expect([decodable, skipped].map((packet) => lost?.(packet))).toEqual([false, true]);
});

test('Other codecs have no leading pictures', () => {
  expect(lostLeading('vp9', none, none)).toBeNull();
});
