import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ticks, ticksIn } from '../../../transcoder/model/numbers/ticks.ts';

const textOf = (times: readonly number[]): string => JSON.parse(JSON.stringify(new Ticks(times)));
const read = (text: string) => {
  const ticks = ticksIn(text);
  return ticks && [...ticks];
};

test('times arrive as they were sent, up to half of the largest integers', () => {
  const most = 2 ** 52 - 1;
  const times = fc.array(fc.oneof(fc.integer(), fc.integer({ min: -most, max: most }), fc.nat({ max: 200 })));
  fc.assert(
    fc.property(times, (list) => {
      expect(read(textOf(list))).toEqual(list);
    }),
  );
  for (const edge of [0, 63, 64, 8191, 8192, most])
    expect(read(textOf([edge, -edge, edge]))).toEqual([edge, edge === 0 ? 0 : -edge, edge]);
});

test('frames at a constant rate take two bytes each', () => {
  const frames = Array.from({ length: 3000 }, (_, index) => index * 512);
  expect(textOf(frames).length).toBeLessThanOrEqual(8000);
});

test('times whose difference is no whole number of a double are not sent', () => {
  expect(() => textOf([Number.MAX_SAFE_INTEGER, -1])).toThrow(RangeError);
  expect(() => textOf([Number.NaN])).toThrow(RangeError);
  expect(() => textOf([0.5])).toThrow(RangeError);
});

test.each([
  ['a number that goes on behind the end', [0x80]],
  ['a number that is too long', [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]],
  ['a time beyond the integers', [0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
])('%s is refused', (_, bytes) => {
  expect(ticksIn(Buffer.from(bytes).toString('base64'))).toBeNull();
});
