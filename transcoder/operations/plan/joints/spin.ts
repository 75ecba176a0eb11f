import type { Filter } from '../../../model/steps.ts';
import { eased, progress, ramp, speed } from './curves.ts';
import { type Composition, isDeep, scaled } from './joint.ts';
import { mirrored, mirroredSize } from './mirrored.ts';
import { mixChains, smearChains } from './mix.ts';

/** Longest motion blur, in degrees. */
const LONGEST = 30;
/** A picture that turns faster than this in a frame is blurred, at half its size. In degrees. */
const BLURRED = 2;
const STAGES = 5;
/** Pixels around the circle, for the rounding of half its size. */
const MARGIN = 16;
const SAMPLES = 2 ** STAGES - 1;

/** A whole turn with motion blur around the center; the pictures cross in its fastest part. */
export function spin(direction: 1 | -1): Composition {
  return (joint) => {
    const { frames, size } = joint;
    const p = progress(joint);
    const turned = `${direction}*2*PI*${eased(p)}`;
    const step = (when: string) => `(${360 / frames}*${speed(when)})`;
    const blur = `${direction}*min(${LONGEST},${step(p)})*PI/180`;
    // What a turn moves into the picture lies in a circle around it.
    const diagonal = Math.ceil(Math.hypot(size.width, size.height));
    const square = { width: diagonal + MARGIN, height: diagonal + MARGIN };
    const T = progress(joint, 'T');
    /** Turned by more than a quarter of a pixel in the corners. */
    const turning = `gt(min(${eased(T)},1-${eased(T)})*2*PI,${0.5 / diagonal})`;
    const fast = `gt(${step(T)},${BLURRED})`;
    const canvas = mirroredSize(size, square);
    const even = (side: number) => 2 * Math.ceil(side / 4);
    const half = { w: even(canvas.width), h: even(canvas.height) };
    // ffmpeg 5.1 cannot interpolate between pixels of more than 8 bits: the products overflow.
    const bilinear = isDeep(joint) ? 0 : 1;
    const turn = (a: string, more: Filter['options'] = {}): Filter => ({
      name: 'rotate',
      options: { a, bilinear, ...more },
    });
    return [
      ...mixChains(joint, ramp(T, 0.3, 0.7), ['a1', 'b1'], 'mixed'),
      { from: ['mixed'], filters: [{ name: 'split' }], to: ['straight', 'tilted'] },
      { from: ['tilted'], filters: [...mirrored(size, square), { name: 'split' }], to: ['canvas', 'far'] },
      { from: ['canvas'], filters: [turn(turned, { ow: size.width, oh: size.height })], to: ['sharp'] },
      ...mixChains(joint, turning, ['straight', 'sharp'], 'turned'),
      { from: ['far'], filters: scaled(joint, { ...half, flags: 'area' }), to: ['small'] },
      ...smearChains({ from: 'small', to: 'smeared' }, STAGES, (stage) => [
        turn(`${blur}*${2 ** stage / SAMPLES}`, { bilinear: 0 }),
      ]),
      {
        from: ['smeared'],
        filters: [
          turn(`${turned}-${blur}/2`, { ow: even(size.width), oh: even(size.height) }),
          ...scaled(joint, { w: size.width, h: size.height, flags: 'bicubic' }),
        ],
        to: ['blurred'],
      },
      ...mixChains(joint, fast, ['turned', 'blurred'], 'v'),
    ];
  };
}
