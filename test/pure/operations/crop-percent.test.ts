import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import { kept } from '../../../transcoder/operations/crop/view.ts';
import { like } from './sources.ts';

function keptOf(request: object, width: number, height: number) {
  const { video } = like({ width, height, displayWidth: width, displayHeight: height });
  if (!video) throw new Error('no video');
  const input = operations.crop.input.parse({ video_url: 'https://media.example.com/a.mp4', ...request });
  return kept(input, video, null);
}

describe('a rectangle in percent', () => {
  test.each([
    [854, 480],
    [1366, 768],
    [1080, 1350],
    [641, 361],
  ])('that together is the whole side of %i × %i is inside', (width, height) => {
    for (const [share, rest] of [
      ['25%', '75%'],
      ['50%', '50%'],
      ['33.33%', '66.67%'],
    ]) {
      const found = keptOf({ x: share, y: share, width: rest, height: rest }, width, height);
      expect([found.x + found.width, found.y + found.height]).toEqual([width, height]);
    }
  });

  test('and the next to it meet, whatever the size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 64, max: 4000 }), fc.integer({ min: 5, max: 45 }), (side, percent) => {
        const part = `${percent}%`;
        const first = keptOf({ width: part }, side, 200);
        const second = keptOf({ x: part, width: part }, side, 200);
        expect(second.x).toBe(first.width);
        expect(second.x + second.width).toBe(Math.round((2 * percent * side) / 100));
      }),
    );
  });

  test('that is more than the side is refused', () => {
    expect(() => keptOf({ x: '50%', width: '60%' }, 640, 360)).toThrow('only 640 × 360 px');
    expect(() => keptOf({ x: 700 }, 640, 360)).toThrow(
      '0 × 360 px at x 700, y 0, but the displayed picture is',
    );
  });

  test.each([
    [{ width: '0.05%', height: '50%' }, '1 × 540 px at x 0, y 0'],
    [{ x: '100%' }, '0 × 1080 px at x 1920, y 0'],
    [{ y: 1079 }, '1920 × 1 px at x 0, y 1079'],
  ])('that is smaller than 2 px is refused as that: %j', (request, size) => {
    expect(() => keptOf(request, 1920, 1080)).toThrow(
      `The rectangle is ${size} of the displayed picture (1920 × 1080 px). Its sides must be at least 2 px.`,
    );
  });
});
