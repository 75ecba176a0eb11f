import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import {
  type Clip,
  clipsOf,
  type Share,
  shownBy,
  slotOf,
  totalOf,
} from '../../../transcoder/operations/plan/compile/clips.ts';
import { pacedFrames } from '../../../transcoder/operations/plan/frames.ts';
import { timeMapOf } from '../../../transcoder/operations/plan/output.ts';
import { turnedSize, turnFilters } from '../../../transcoder/operations/plan/turn.ts';

const step = 1 / 30;
const gridOf = (count: number) => pacedFrames({ zero: 0, step, count, until: count * step });

/** A source of whole frames, divided into spans with a rate each. */
const played = fc
  .array(
    fc.record({
      frames: fc.integer({ min: 1, max: 200 }),
      rate: fc.double({ min: 0.1, max: 16, noNaN: true }),
    }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => {
    let at = 0;
    const spans = parts.map(({ frames, rate }) => {
      const start = at * step;
      at += frames;
      return { start, end: at * step, rate, muted: false };
    });
    return { spans, count: at };
  });

const within = (clips: readonly Clip[], time: number) =>
  clips.find(({ start, end }) => time >= start - 1e-9 && time < end - 1e-9) ?? clips.at(-1);

/** Where a moment of the source is in the output. */
function mapped(clips: readonly Clip[], time: number): number {
  const clip = within(clips, time);
  return clip ? clip.out + (time - clip.start) / clip.rate : Number.NaN;
}

describe('clips at rates', () => {
  test('lie end to end, on whole frames, as long as their rates say', () => {
    fc.assert(
      fc.property(played, ({ spans, count }) => {
        const clips = clipsOf(spans, gridOf(count));
        for (const [index, clip] of clips.entries()) {
          expect(clip.out).toBeCloseTo(clips[index - 1]?.outEnd ?? 0, 9);
          const frames = (clip.outEnd - clip.out) / step;
          expect(frames).toBeCloseTo(Math.round(frames), 6);
          expect(clip.frames?.shown).toBe(Math.round(frames));
          const wanted = (clip.end - clip.start) / (spans[index]?.rate ?? 1) / step;
          expect(Math.abs(frames - Math.max(1, wanted))).toBeLessThan(0.501);
        }
      }),
    );
  });

  test('show every frame within half a frame of its mapped time, in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0.1, max: 16, noNaN: true }),
        (of, rate) => {
          const share: Share = { of, shown: Math.max(1, Math.round(of / rate)) };
          expect(slotOf(0, share)).toBe(0);
          expect(slotOf(of, share)).toBe(share.shown);
          for (let frame = 0; frame < of; frame++) {
            const [begins, ends] = [slotOf(frame, share), slotOf(frame + 1, share)];
            expect(ends).toBeGreaterThanOrEqual(begins);
            const own = (frame * share.shown) / share.of;
            if (share.shown > share.of) expect(Math.abs(begins - own)).toBeLessThanOrEqual(0.501);
            for (let slot = begins; slot < ends && share.shown < share.of; slot++) {
              expect(Math.abs((slot * share.of) / share.shown - frame)).toBeLessThanOrEqual(0.501);
            }
          }
        },
      ),
    );
  });

  test('at one rate after another map time like both, one after the other', () => {
    fc.assert(
      fc.property(
        played,
        fc.double({ min: 0.1, max: 16, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ spans, count }, rate, share) => {
          const first = clipsOf(spans, null);
          const [total, time] = [totalOf(first), share * count * step * 0.999];
          const second = clipsOf([{ start: 0, end: total, rate, muted: false }], null);
          const both = clipsOf(
            spans.map((span) => ({ ...span, rate: span.rate * rate })),
            null,
          );
          expect(mapped(both, time)).toBeCloseTo(mapped(second, mapped(first, time)), 6);
          expect(totalOf(both)).toBeCloseTo(totalOf(second), 6);
        },
      ),
    );
  });

  test('played backwards have a time map that mirrors the one forwards', () => {
    fc.assert(
      fc.property(played, ({ spans, count }) => {
        const clips = clipsOf(spans, gridOf(count));
        const mapOf = (reversed: boolean) => timeMapOf(shownBy({ clips, reversed }));
        const [forwards, back] = [mapOf(false), mapOf(true).toReversed()];
        const total = totalOf(clips);
        for (const [index, { in: own, out }] of forwards.entries()) {
          expect(back[index]?.in).toEqual([own[1], own[0]]);
          expect(back[index]?.out[0]).toBeCloseTo(total - out[1], 5);
          expect(back[index]?.out[1]).toBeCloseTo(total - out[0], 5);
        }
      }),
    );
  });
});

test('a picture is turned clockwise, then mirrored', () => {
  const names = turnFilters({ rotate: 90, flip: 'vertical' }).map(({ name }) => name);
  expect(names).toEqual(['transpose', 'vflip']);
  expect(turnedSize({ width: 320, height: 180 }, { rotate: 270, flip: 'none' })).toEqual({
    width: 180,
    height: 320,
  });
});

describe('a request for a speed', () => {
  const video_url = 'https://media.example.com/a.mp4';
  const range = (start: number, end: number) => ({ start, end, rate: 2 });
  test.each([
    [{ video_url }, 'rate'],
    [{ rate: 2 }, 'video_url'],
    [{ video_url, audio_url: video_url, rate: 2 }, 'video_url'],
    [{ video_url, rate: 0.05 }, 'rate'],
    [{ video_url, rate: 17 }, 'rate'],
    [{ video_url, rate: 2, ranges: [range(0, 1)] }, 'ranges'],
    [{ video_url, ranges: [range(0, 2), range(1, 3)] }, 'ranges.1.start'],
    [{ video_url, ranges: [range(2, 3), range(0, 1)] }, 'ranges.1.start'],
    [{ video_url, ranges: [range(2, 2)] }, 'ranges.0.end'],
    [{ audio_url: video_url, rotate: 90 }, 'rotate'],
    [{ audio_url: video_url, flip: 'vertical' }, 'flip'],
    [{ video_url, rotate: 45 }, 'rotate'],
    [{ video_url, rate: 2, format: 'webm', codec: 'h264' }, 'codec'],
  ])('%o is refused at %s', (request, path) => {
    const parsed = operations.speed.input.safeParse(request);
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });
});
