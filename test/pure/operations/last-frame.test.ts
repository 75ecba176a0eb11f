import { expect, test } from 'vitest';
import { framesIn, pacedFrames, snapped } from '../../../transcoder/operations/plan/frames.ts';

/** Four frames of 1/30 s, of which an edit list shows the last one for a fifth of that, as phones do. */
const until = 3.2 / 30;
const frames = pacedFrames({ zero: 0, count: 4, step: 1 / 30, until });

test('a last frame that the end of the video cuts short belongs to a span that goes on to that end', () => {
  expect(framesIn(frames, { start: 0, end: until })).toMatchObject({ low: 0, high: 4 });
  expect(framesIn(frames, { start: 1 / 30, end: until })).toMatchObject({ low: 1, high: 4 });
  expect(snapped(frames, until)).toBe(until);
});

test('a last frame at the end of the video itself belongs to a span that goes on to that end', () => {
  const last = frames.at(3);
  expect(framesIn({ ...frames, until: last }, { start: 0, end: last })).toMatchObject({ low: 0, high: 4 });
  expect(framesIn(frames, { start: 0, end: last })).toMatchObject({ low: 0, high: 3 });
});

test('a span that ends within the first half of a shortened last frame ends before it', () => {
  const end = 3.1 / 30;
  expect(framesIn(frames, { start: 0, end })).toMatchObject({ low: 0, high: 3 });
  expect(snapped(frames, end)).toBe(3 / 30);
});

test('a part of sound alone behind the last frame has none, though its start is rounded to a microsecond', () => {
  const last = pacedFrames({ zero: 0.021, count: 90, step: 0.0333370786, until: 0.021 + 90 * 0.0333370786 });
  const start = Math.floor(last.until * 1e6) / 1e6;
  expect(start).toBeLessThan(last.until);
  expect(framesIn(last, { start, end: start + 0.008 })).toMatchObject({ low: 90, high: 90 });
  expect(framesIn(last, { start: start - 0.001, end: start + 0.008 })).toMatchObject({ low: 89, high: 90 });
});
