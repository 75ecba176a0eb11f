import type { Chain, Filter } from '../../../model/steps.ts';
import { isDeep, type JointPicture, scaled } from './joint.ts';

/** Side of the picture in which an even mask is drawn. */
const SMALL = 16;

/**
 * Crossfades from `a` to `b`. Unlike `xfade`, at any pace, and in any ffmpeg without a detour through another pixel format.
 * @param weight Of `b`, as an expression of `T`.
 */
export function mixChains(
  joint: JointPicture,
  weight: string,
  [a, b]: [string, string],
  to: string,
): Chain[] {
  const level = `round(${isDeep(joint) ? 1023 : 255}*${weight})`;
  const [w, h] = [joint.size.width, joint.size.height];
  return [
    { from: [a], filters: [{ name: 'split' }], to: [`${to}under`, `${to}drawn`] },
    {
      // A mask made of the picture itself has its color space and times.
      from: [`${to}drawn`],
      filters: [
        ...scaled(joint, { w: SMALL, h: SMALL, flags: 'neighbor' }),
        { name: 'geq', options: { lum: level, cb: level, cr: level } },
        ...scaled(joint, { w, h, flags: 'neighbor' }),
      ],
      to: [`${to}mask`],
    },
    { from: [`${to}under`, b, `${to}mask`], filters: [{ name: 'maskedmerge' }], to: [to] },
  ];
}

/**
 * Averages a picture with copies that are each moved twice as far as the one before: the mean of 2^stages pictures, for the
 * work of `stages`.
 * @param moved The picture moved by `2^stage` steps.
 * @param kept The unmoved picture in the size of the moved one.
 */
export function smearChains(
  { from, to }: { from: string; to: string },
  stages: number,
  moved: (stage: number) => Filter[],
  kept: (stage: number) => Filter[] = () => [],
): Chain[] {
  return Array.from({ length: stages }, (_, stage) => {
    const own = (part: string) => `${to}${part}${stage}`;
    const [source, result] = [stage === 0 ? from : own(''), stage === stages - 1 ? to : `${to}${stage + 1}`];
    return [
      { from: [source], filters: [{ name: 'split' }], to: [own('x'), own('y')] },
      { from: [own('x')], filters: kept(stage), to: [own('k')] },
      { from: [own('y')], filters: moved(stage), to: [own('m')] },
      {
        from: [own('k'), own('m')],
        filters: [{ name: 'blend', options: { all_mode: 'average' } }],
        to: [result],
      },
    ];
  }).flat();
}
