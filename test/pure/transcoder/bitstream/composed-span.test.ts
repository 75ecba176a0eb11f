import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composedSpan, decodedSpan } from '../../../../transcoder/bitstream/mp4/composed-span.ts';

/** Entries of a table of times: how many samples have which value. */
function entries(runs: readonly (readonly [number, number])[]): Buffer {
  const bytes = Buffer.alloc(8 * runs.length);
  for (const [index, [count, value]] of runs.entries()) {
    bytes.writeUInt32BE(count, 8 * index);
    bytes.writeInt32BE(value, 8 * index + 4);
  }
  return bytes;
}

const one = (value: number): [number, number] => [1, value];

test('the last sample to be shown is not the one that is decoded last', () => {
  const durations = entries([
    [3, 10],
    [1, 100],
  ]);
  const offsets = entries([
    [2, 20],
    [1, 200],
    [1, -5],
  ]);
  expect(composedSpan(durations, offsets)).toEqual({ first: 20, last: 220, frame: 100 });
});

test('runs of any length say the same as one run a sample', () => {
  const sample = fc.record({
    duration: fc.integer({ min: 0, max: 3 }),
    offset: fc.integer({ min: -3, max: 3 }),
  });
  const runsOf = (values: readonly number[]) => {
    const runs: [number, number][] = [];
    for (const value of values) {
      const last = runs.at(-1);
      if (last?.[1] === value) last[0] += 1;
      else runs.push(one(value));
    }
    return entries(runs);
  };
  fc.assert(
    fc.property(fc.array(sample, { minLength: 1, maxLength: 20 }), (samples) => {
      const [durations, offsets] = [samples.map((each) => each.duration), samples.map((each) => each.offset)];
      const times = durations.map((_, index) =>
        durations.slice(0, index).reduce((sum, each) => sum + each, 0),
      );
      const composed = times.map((time, index) => time + (offsets[index] ?? 0));
      const [first, last] = [Math.min(...composed), Math.max(...composed)];
      const span = { first, last, frame: durations.at(-1) };
      expect(composedSpan(runsOf(durations), runsOf(offsets))).toEqual(span);
      expect(composedSpan(entries(durations.map(one)), entries(offsets.map(one)))).toEqual(span);
    }),
  );
});

test('tables for different numbers of samples say nothing', () => {
  expect(composedSpan(entries([[2, 10]]), entries([[1, 0]]))).toBeNull();
  expect(composedSpan(entries([[1, 10]]), entries([[2, 0]]))).toBeNull();
  expect(composedSpan(entries([]), entries([]))).toBeNull();
});

test('samples without offsets are composed as they are decoded, and a last one that stands out is as long as those before', () => {
  const run = (count: number, duration: number): [number, number] => [count, duration];
  expect(decodedSpan(entries([run(3, 10)]))).toEqual({ first: 0, last: 20, frame: 10 });
  expect(decodedSpan(entries([run(3, 10), run(1, 900)]))).toEqual({ first: 0, last: 30, frame: 10 });
  expect(decodedSpan(entries([run(3, 10), run(1, 4)]))).toEqual({ first: 0, last: 30, frame: 4 });
  expect(decodedSpan(entries([run(1, 900)]))).toEqual({ first: 0, last: 0, frame: 900 });
  expect(decodedSpan(entries([run(2, 10), run(0, 7), run(2, 20)]))).toEqual({
    first: 0,
    last: 40,
    frame: 20,
  });
  expect(decodedSpan(entries([]))).toBeNull();
});
