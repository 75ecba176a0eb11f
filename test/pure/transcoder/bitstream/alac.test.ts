import { expect, test } from 'vitest';
import { alacFrameLength, alacSamples } from '../../../../transcoder/bitstream/alac.ts';

test('a frame is as long as the configuration says, unless it says so itself', () => {
  const configuration = new Uint8Array(36);
  new DataView(configuration.buffer).setUint32(12, 4096);
  expect(alacFrameLength(configuration)).toBe(4096);
  expect(alacFrameLength(configuration.subarray(0, 12))).toBeNull();
  expect(alacSamples(Uint8Array.of(0x20, 0, 0, 0, 0, 0, 0), 4096)).toBe(4096);
  // 1696 = 0x6a0, seven bits of its last byte in the last byte here.
  expect(alacSamples(Uint8Array.of(0x20, 0, 0x10, 0, 0, 0x0d, 0x40), 4096)).toBe(1696);
  expect(alacSamples(Uint8Array.of(), 4096)).toBe(4096);
});
