import { expect, it } from 'vitest';
import type { Slice } from '../../../../transcoder/bitstream/h264-slice.ts';
import { PictureOrder } from '../../../../transcoder/bitstream/picture-order.ts';

const reference = (pocLsb: number) => ({ pocLsb, bottomDelta: 0, head: 0x65 }) as Slice;

it('counts that are half of the range apart go on (H.264 8.2.1.1)', () => {
  const order = new PictureOrder(16);
  expect(order.begin(reference(0))).toBe(0);
  expect([8, 0, 8].map((pocLsb) => order.of(reference(pocLsb)))).toEqual([8, 16, 24]);
});

it('counts that are more than half of the range ahead are of pictures that are shown earlier', () => {
  const order = new PictureOrder(16);
  order.begin(reference(0));
  expect([6, 15, 4].map((pocLsb) => order.of(reference(pocLsb)))).toEqual([6, -1, 4]);
});
