import { expect, test } from 'vitest';
import { framesIn } from '../../../transcoder/operations/plan/frame-grid.ts';
import { edgeNear, framesBetween, type Times } from '../../../transcoder/operations/plan/frame-selection.ts';

/** Four frames of 1/30 s, of which an edit list shows the last one for a fifth of that, as phones do. */
const times: Times = { at: (index) => index / 30, count: 4, step: 1 / 30, uneven: false };
const until = 3.2 / 30;

test('a last frame that the end of the video cuts short belongs to a span that goes on to that end', () => {
  expect(framesBetween(times, { start: 0, end: until }, until)).toMatchObject({ low: 0, high: 4 });
  expect(edgeNear(times, until, until)).toBe(until);
});

test('a last frame at the end of the video itself belongs to a span that goes on to that end', () => {
  const last = times.at(3);
  expect(framesBetween(times, { start: 0, end: last }, last)).toMatchObject({ low: 0, high: 4 });
  expect(framesBetween(times, { start: 0, end: last }, until)).toMatchObject({ low: 0, high: 3 });
});

test('a span that ends within the first half of a shortened last frame ends before it', () => {
  const end = 3.1 / 30;
  expect(framesBetween(times, { start: 0, end }, until)).toMatchObject({ low: 0, high: 3 });
  expect(edgeNear(times, end, until)).toBe(3 / 30);
});

test('clips of such a video have that frame, too', () => {
  const grid = { kind: 'even', zero: 0, step: 1 / 30, count: 4, until } as const;
  expect(framesIn(grid, { start: 1 / 30, end: until }, 0)).toMatchObject({ low: 1, high: 4 });
  expect(framesIn(grid, { start: 1 / 30, end: 3.1 / 30 }, 0)).toMatchObject({ low: 1, high: 3 });
});
