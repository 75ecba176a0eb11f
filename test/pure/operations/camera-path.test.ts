import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import type { Sighting, Subject } from '../../../transcoder/model/subject.ts';
import {
  type PathPoint,
  piecesOf,
  placeAt,
  stillSpans,
} from '../../../transcoder/operations/plan/camera/camera-path.ts';
import { foundAim, pathFollowing } from '../../../transcoder/operations/plan/camera/follow.ts';

const picture = { width: 1920, height: 1080 };
const crop = { width: 608, height: 1080 };
const ROOM = picture.width - crop.width;

const smooth = (time: number, x: number): PathPoint => ({ time, x, y: 0, ease: 'smooth' });
const xOf = (path: readonly PathPoint[], time: number) => placeAt(piecesOf(path, 'x'), time);

/** A source of one face a look, every half second, at the shares of the width that `place` says. */
function seen(seconds: number, place: (time: number) => number | null, scenes: number[] = [0]): Subject {
  const sightings = Array.from({ length: 2 * seconds }, (_, n): Sighting => {
    const x = place(n / 2);
    const face = { y: 0.4, width: 0.1, height: 0.2, score: 0.9 };
    return { time: n / 2, faces: x === null ? [] : [{ ...face, x }], salient: null };
  });
  return { scenes, sightings };
}

const following = (subject: Subject, duration: number) => pathFollowing(subject, { picture, crop, duration });

const walks = fc
  .array(
    fc.record({ seconds: fc.integer({ min: 3, max: 8 }), to: fc.double({ min: 0, max: 1, noNaN: true }) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((legs) => {
    const ends = [{ time: 0, x: 0.5 }];
    for (const { seconds, to } of legs) ends.push({ time: (ends.at(-1)?.time ?? 0) + seconds, x: to });
    const place = (time: number) => {
      const next = ends.findIndex((one) => one.time >= time);
      const [from, to] = [ends[Math.max(0, next - 1)], ends[next] ?? ends.at(-1)];
      if (!from || !to) return 0.5;
      const part = to.time > from.time ? Math.min(1, (time - from.time) / (to.time - from.time)) : 1;
      return from.x + (to.x - from.x) * part;
    };
    return { seconds: ends.at(-1)?.time ?? 1, place };
  });

describe('a path between points', () => {
  test.each([
    ['before the first point, where that is', -1, 100],
    ['at a point, exactly there', 2, 100],
    ['halfway of an eased move, halfway', 3, 300],
    ['still close to its start after a tenth of the move', 2.2, 103],
    ['where it stands, exactly there', 5, 500],
    ['where it was until it jumps', 5.999, 500],
    ['at the new place at the time of the jump', 6, 40],
    ['after the last point, where that is', 60, 40],
  ])('is %s', (_, time, x) => {
    const path = [
      smooth(0, 100),
      smooth(2, 100),
      smooth(4, 500),
      smooth(6, 500),
      { ...smooth(6, 40), ease: 'jump' as const },
    ];
    expect(Math.round(xOf(path, time))).toBe(x);
  });

  test('goes through points of one speed at that speed, without a stop', () => {
    const path = [smooth(0, 0), smooth(1, 100), smooth(2, 200), smooth(3, 300)];
    expect(xOf(path, 1.5)).toBeCloseTo(150, 6);
    expect(xOf(path, 1.25) - xOf(path, 1)).toBeCloseTo(25, 6);
  });

  test('has neither a kink in its place nor in its speed, and stays between its points', () => {
    const points = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 8 }), x: fc.integer({ min: 0, max: ROOM }) }),
      {
        minLength: 2,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(points, (steps) => {
        let time = 0;
        const path = steps.map(({ gap, x }) => {
          time += gap / 2;
          return smooth(time, x);
        });
        const pieces = piecesOf(path, 'x');
        const [low, high] = [Math.min(...path.map(({ x }) => x)), Math.max(...path.map(({ x }) => x))];
        for (const point of path) {
          const speed = (at: number) => (placeAt(pieces, at + 1e-4) - placeAt(pieces, at)) / 1e-4;
          expect(placeAt(pieces, point.time)).toBeCloseTo(point.x, 6);
          expect(placeAt(pieces, point.time - 1e-9)).toBeCloseTo(point.x, 3);
          expect(Math.abs(speed(point.time) - speed(point.time - 2e-4))).toBeLessThan(5);
        }
        for (let at = 0; at < time; at += 0.05) {
          expect(placeAt(pieces, at)).toBeGreaterThanOrEqual(low - 1);
          expect(placeAt(pieces, at)).toBeLessThanOrEqual(high + 1);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('stands in the spans between equal points and after the last one', () => {
    const path = [
      smooth(1, 100),
      smooth(2, 100),
      smooth(4, 500),
      { ...smooth(6, 40), ease: 'jump' as const },
    ];
    expect(stillSpans(path, 9, 0.2)).toEqual([
      { from: 0, to: 2, x: 100, y: 0 },
      { from: 4, to: 6, x: 500, y: 0 },
      { from: 6, to: 9, x: 40, y: 0 },
    ]);
  });
});

describe('a crop that follows a subject', () => {
  test('has one point while the subject stands, also if the detector trembles', () => {
    const trembling = seen(20, (time) => 0.7 + 0.01 * Math.sin(time * 9));
    expect(following(trembling, 20)).toHaveLength(1);
  });

  test('stands, goes along and stands again with a subject that does so', () => {
    const path = following(
      seen(16, (time) => 0.3 + 0.4 * Math.min(1, Math.max(0, (time - 6) / 4))),
      16,
    );
    const edge = (middle: number) => Math.round(middle * picture.width - crop.width / 2);
    const near = (time: number, x: number) =>
      expect(Math.abs(xOf(path, time) - x)).toBeLessThan(0.03 * crop.width);
    near(0, edge(0.3));
    near(4, edge(0.3));
    near(16, edge(0.7));
    expect(xOf(path, 13)).toBe(xOf(path, 16));
    expect(path.every(({ ease }) => ease === 'smooth')).toBe(true);
    expect(path.length).toBeLessThanOrEqual(8);
  });

  test('jumps at a cut and nowhere else', () => {
    const path = following(
      seen(12, (time) => (time < 6 ? 0.25 : 0.75), [0, 6]),
      12,
    );
    expect(path).toEqual([
      { time: 0, x: 176, y: 0, ease: 'smooth' },
      { time: 6, x: 1136, y: 0, ease: 'jump' },
    ]);
  });

  test('keeps the middle of any walk inside in at least nine of ten frames, with bounded acceleration and jerk', () => {
    fc.assert(
      fc.property(walks, ({ seconds, place }) => {
        const path = following(seen(seconds, place), seconds);
        const pieces = piecesOf(path, 'x');
        const frames = seconds * 30;
        const places = Array.from({ length: frames }, (_, n) => placeAt(pieces, n / 30));
        const inside = places.filter((x, n) => {
          const at = (place(n / 30) * picture.width - x) / crop.width;
          return at >= 0 && at <= 1;
        });
        expect(inside.length).toBeGreaterThanOrEqual(0.9 * frames);
        const change = (list: readonly number[]) =>
          list.slice(1).map((one, n) => (one - (list[n] ?? one)) * 30);
        const greatest = (list: readonly number[]) => Math.max(0, ...list.map(Math.abs));
        const acceleration = change(change(places));
        // A minimum-jerk move over the whole room in one second has a jerk of 60 rooms per second cubed; half a second, eight times that.
        expect(greatest(acceleration)).toBeLessThan(24 * ROOM);
        expect(greatest(change(acceleration))).toBeLessThan(480 * ROOM);
        expect(path.every(({ ease }) => ease === 'smooth')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('stays inside the picture and has at most 500 points, however long and restless the source is', () => {
    const path = following(
      seen(3600, (time) => 0.5 + 0.6 * Math.sin(time / 3)),
      3600,
    );
    expect(path.length).toBeLessThanOrEqual(500);
    expect(path.every(({ x }) => x >= 0 && x <= ROOM)).toBe(true);
    expect(path.every(({ time }, index) => time >= (path[index - 1]?.time ?? 0))).toBe(true);
  });

  test('looks at the larger of two people who do not fit, and between two who do', () => {
    const two = (gap: number): Subject => ({
      scenes: [0],
      sightings: Array.from({ length: 20 }, (_, n) => ({
        time: n / 2,
        faces: [
          { x: 0.5 - gap / 2, y: 0.4, width: 0.1, height: 0.2, score: 0.9 },
          { x: 0.5 + gap / 2, y: 0.4, width: 0.08, height: 0.16, score: 0.9 },
        ],
        salient: null,
      })),
    });
    expect(foundAim(two(0.6), { picture, crop })).toEqual({ x: 0.2, y: 0.4, by: 'face' });
    expect(foundAim(two(0.15), { picture, crop }).x).toBeCloseTo(0.5, 1);
  });

  test('takes a face that is seen once in a long scene for an error', () => {
    const subject = seen(20, (time) => (time === 5 ? 0.9 : null));
    expect(foundAim(subject, { picture, crop })).toEqual({ x: 0.5, y: 0.5, by: 'center' });
    const salient = subject.sightings.map((one) => ({ ...one, salient: { x: 0.3, y: 0.5 } }));
    expect(foundAim({ ...subject, sightings: salient }, { picture, crop })).toMatchObject({
      x: 0.3,
      by: 'saliency',
    });
  });
});

describe('a request to look for the subject is refused', () => {
  const video_url = 'https://media.example.com/a.mp4';
  const point = { time: 0, x: 0, y: 0 };
  const shape = { aspect_ratio: '9:16' };

  test.each<[string, object, string, RegExp]>([
    ['without a shape', { width: 200, follow: 'subject' }, 'follow', /needs an `aspect_ratio`, or both/],
    ['with a corner', { width: 200, height: 200, x: 4, path: [point] }, 'x', /Leave out `x`: `path` decides/],
    [
      'on a background',
      { ...shape, fill: 'blur', anchor: 'auto' },
      'anchor',
      /needs `fill: crop`, not `fill: blur`/,
    ],
    [
      'in two ways',
      { ...shape, follow: 'subject', path: [point] },
      'path',
      /either `follow: subject` or `path`/,
    ],
    ['with an anchor', { ...shape, anchor: 'left', path: [point] }, 'anchor', /Leave out `anchor`/],
    [
      'with points out of order',
      { ...shape, path: [{ ...point, time: 2 }, point] },
      'path',
      /`path\[1\]` is at 0 s, after a point at 2 s/,
    ],
    [
      'with two places at one time',
      { ...shape, path: [point, { ...point, x: 8 }] },
      'path',
      /only a point with `ease: jump`/,
    ],
    ['without a point', { ...shape, path: [] }, 'path', /./],
    [
      'with 501 points',
      { ...shape, path: Array.from({ length: 501 }, (_, time) => ({ ...point, time })) },
      'path',
      /./,
    ],
  ])('%s', (_, request, field, message) => {
    const { error } = operations.crop.input.safeParse({ video_url, ...request });
    const issue = error?.issues.find(({ path }) => path[0] === field);
    expect(issue?.message).toMatch(message);
  });

  test('in a photo that is given a point as well', () => {
    const request = { photo_url: 'https://media.example.com/a.jpg', focus: 'auto', focus_y: 0.2 };
    const { error } = operations.photo_animate.input.safeParse(request);
    expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
      ['focus_y', 'Leave out `focus_y`: `focus: auto` finds the subject. Or leave out `focus`.'],
    ]);
  });
});
