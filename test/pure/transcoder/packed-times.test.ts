import { expect, test } from 'vitest';
import { PackedTimes } from '../../../transcoder/media/libav/child/remux/packed-times.ts';

/** Frames are their own lengths. */
const times = (canBeLate = false) =>
  new PackedTimes<number>({ jitter: 250, rounding: 2, canBeLate }, (length) => length);

/** What is placed where, by frames in a row: the first one of each packet with the time that it states. */
function placed(clock: PackedTimes<number>, packets: readonly (readonly [number | null, number[]])[]) {
  const made = packets.flatMap(([stated, frames]) => clock.take(stated, frames));
  return [...made, ...clock.end()].map(({ stated, frames }) => [stated, frames.length]);
}

test('sound begins where most packets put it, not where the first one does', () => {
  const packets = [40, 80, 200, 320].map((stated, at) => [stated, at === 0 ? [80] : [60, 60]] as const);
  expect(placed(times(), packets)).toEqual([
    [0, 1],
    [80, 2],
    [200, 2],
    [320, 2],
  ]);
});

test('a packet that begins within a frame states a later time, and does not count', () => {
  const [first] = placed(times(), [
    [40, [80]],
    [103, [120]],
    [200, [120]],
    [321, [120]],
  ]);
  expect(first?.[0]).toBe(0.5);
});

test('a gap behind the first packets stays one', () => {
  const [first] = placed(times(), [
    [0, [100]],
    [900, [100]],
  ]);
  expect(first?.[0]).toBe(0);
});

test('the frames of a packet that a decoder gives with the next one begin where their own packet says', () => {
  const packets = [
    [0, []],
    [880, [440, 440]],
    [1060, [180]],
    [1200, []],
    [null, [140]],
  ] as const;
  expect(placed(times(true), packets as never)).toEqual([
    [0, 2],
    [880, 1],
    [null, 1],
  ]);
});

test('a packet without a frame at the beginning is left out where decoders do not keep frames back', () => {
  const packets = [
    [0, []],
    [46, []],
    [92, [46]],
    [138, [46]],
  ] as const;
  expect(placed(times(), packets as never)[0]).toEqual([92, 1]);
});
