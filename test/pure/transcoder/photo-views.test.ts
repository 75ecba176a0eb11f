import { describe, expect, test } from 'vitest';
import { flatDrawer } from '../../../transcoder/media/photo/flat.ts';
import type { Plane } from '../../../transcoder/media/photo/planes.ts';
import type { View } from '../../../transcoder/model/photo-layers.ts';
import { viewAt } from '../../../transcoder/operations/photo/easing.ts';
import { type Motion, pathOf } from '../../../transcoder/operations/photo/motion-presets.ts';

const whole: View = { x: 0, y: 0, across: 1, down: 1 };

/** A picture whose planes have the same shape, as shares of their sides. */
function picture(width: number, height: number, of: (x: number, y: number) => number): [Plane, Plane, Plane] {
  const plane = (across: number, down: number): Plane => ({
    ...{ first: 0, stride: across, width: across, height: down },
    pixels: Uint8Array.from({ length: across * down }, (_, at) =>
      Math.round(of(((at % across) + 0.5) / across, (Math.floor(at / across) + 0.5) / down)),
    ),
  });
  return [plane(width, height), plane(width / 2, height / 2), plane(width / 2, height / 2)];
}

/** Waves across and down a photo. */
const WAVES = { x: 9, y: 7 };
const waves = (x: number, y: number) =>
  128 + 60 * Math.sin(2 * Math.PI * WAVES.x * x) + 60 * Math.sin(2 * Math.PI * WAVES.y * y);

/** Where a view of the waves begins along one axis, by their phase in what was drawn; to the nearest wave. */
function begin(pixels: Uint8Array, width: number, of: 'x' | 'y', span: number): number {
  const height = pixels.length / width;
  let [real, imaginary] = [0, 0];
  for (const [at, value] of pixels.entries()) {
    const [x, y] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height];
    const window = Math.sin(Math.PI * x) ** 4 * Math.sin(Math.PI * y) ** 4;
    const angle = 2 * Math.PI * WAVES[of] * span * (of === 'x' ? x : y);
    real += window * (value - 128) * Math.sin(angle);
    imaginary += window * (value - 128) * Math.cos(angle);
  }
  return Math.atan2(imaginary, real) / (2 * Math.PI * WAVES[of]);
}

describe('a view of a photo', () => {
  test.each([
    { width: 64, height: 48 },
    { width: 70, height: 54 },
  ])('of all of a photo of the same size, $width × $height, is the photo itself', ({ width, height }) => {
    const photo = picture(width, height, (x, y) => 255 * Math.abs(Math.sin(40 * x * x + 23 * y)));
    const drawn = flatDrawer({ width, height }, [whole], photo)(0);
    expect(drawn).toEqual(photo.map(({ pixels }) => pixels));
  });

  test.each([
    whole,
    { x: 0.13, y: 0.2, across: 0.7, down: 0.75 },
    { x: -0.004, y: 0.1, across: 1.008, down: 0.4 },
  ])('of one color has that color up to its edges: %j', (view) => {
    for (const level of [0, 1, 128, 254, 255]) {
      const photo = picture(250, 170, () => level);
      for (const plane of flatDrawer({ width: 202, height: 134 }, [view], photo)(0)) {
        expect(new Set(plane)).toEqual(new Set([level]));
      }
    }
  });

  test.each<Motion['preset']>(['ken_burns', 'zoom_in', 'push_diagonal', 'pan_left', 'drift', 'pulse'])(
    'moves along the path of %s, to two thousandths of a pixel',
    (preset) => {
      const size = { width: 320, height: 180 };
      const path = pathOf({
        ...{ preset, reach: { x: 1, y: 1 }, zoom: { start: 1, end: 1.3 }, focus: { x: 0.45, y: 0.55 } },
        ...{ easing: 'ease_in_out' as const, duration: 4, index: 0, seed: 5 },
      });
      const views = Array.from({ length: 16 }, (_, frame) => {
        const { x, y, side } = viewAt(path, frame / 15);
        return { x, y, across: side, down: side };
      });
      const draw = flatDrawer(size, views, picture(400, 226, waves));
      for (const [frame, view] of views.entries()) {
        const [luma = new Uint8Array()] = draw(frame);
        for (const [of, start, span, pixels] of [
          ['x', view.x, view.across, size.width],
          ['y', view.y, view.down, size.height],
        ] as const) {
          const off = (begin(luma, size.width, of, span) - start) * WAVES[of];
          const waves = off - Math.round(off);
          expect(Math.abs((waves / WAVES[of] / span) * pixels)).toBeLessThan(0.002);
        }
      }
    },
  );
});
