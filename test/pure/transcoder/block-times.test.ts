import { expect, test } from 'vitest';
import { BlockTimes } from '../../../transcoder/model/source/block-times.ts';

/** Samples that blocks of Vorbis give at 44.1 kHz: between two long ones, a long and a short one, two short ones. */
const [LONG, MIXED, SHORT] = [1024, 576, 128];
const usual = [SHORT, MIXED, LONG, LONG, LONG, MIXED, SHORT, SHORT, SHORT, MIXED, LONG, LONG];

/** Blocks whose starts or ends are stated in whole milliseconds, as in Matroska. */
function timesOf(lengths: readonly number[], stated: 'starts' | 'ends', from = 0): BlockTimes {
  const times = new BlockTimes();
  let at = from;
  for (const length of lengths) {
    if (times.decided) break;
    const time = stated === 'starts' ? at : at + length;
    const milliseconds = (samples: number) => Math.floor((samples / 44_100) * 1000) / 1000;
    times.take({ time: milliseconds(time), length: milliseconds(length) });
    at += length;
  }
  return times;
}

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
  'stated ends are not taken for stated starts, read from block %i on',
  (first) => {
    const lengths = [...usual.slice(first), ...usual, ...usual];
    expect(timesOf(lengths, 'ends', first * 777).areEnds).toBe(true);
    expect(timesOf(lengths, 'starts', first * 777).areEnds).toBe(false);
  },
);

test('blocks of one length tell nothing, and are not read forever', () => {
  const times = timesOf(
    Array.from({ length: 2000 }, () => LONG),
    'ends',
  );
  expect(times.decided).toBe(true);
  expect(times.areEnds).toBe(false);
});

test('a single block that is off does not make the others state their ends', () => {
  const times = new BlockTimes();
  for (const [time, length] of [
    [0, SHORT],
    [0.003, MIXED],
    [0.016, LONG],
    [0.039, LONG],
    [0.072, MIXED],
    [0.075, SHORT],
  ] as const) {
    if (!times.decided) times.take({ time, length: length / 44_100 });
  }
  expect(times.areEnds).toBe(false);
});
