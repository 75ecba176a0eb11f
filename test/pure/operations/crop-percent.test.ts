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
  });
});
