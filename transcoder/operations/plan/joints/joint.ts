import type { Color } from '../../../model/encoding.ts';
import type { Chain, Filter } from '../../../model/steps.ts';
import { matrices } from '../color-matrix.ts';
import type { FrameRate } from '../frame-rate.ts';
import type { Size } from '../geometry.ts';

export interface JointPicture {
  /** Frames of `a`, of `b` and of the output. */
  frames: number;
  size: Size;
  rate: FrameRate;
  pixelFormat: string;
  color: Pick<Color, 'space' | 'range'>;
}

/** From `a1` and `b1`, whose timestamps count half frames, to `v`. */
export type Composition = (joint: JointPicture) => Chain[];

/** Uses half frames as units, to draw every frame at its middle: no frame shows only one clip, and none is lost. */
export const halfFrames = ({ rate }: Pick<JointPicture, 'rate'>): Filter => ({
  name: 'settb',
  options: { expr: `${rate.denominator}/${rate.numerator * 2}` },
});

export const isDeep = ({ pixelFormat }: Pick<JointPicture, 'pixelFormat'>): boolean =>
  pixelFormat.includes('10');

/** The name that `overlay` has for the pixel format. */
export const overlayFormat = (joint: Pick<JointPicture, 'pixelFormat'>): string =>
  isDeep(joint) ? 'yuv420p10' : 'yuv420';

/** What `scale` takes its input or output for. Without them, ffmpeg 5.1 would turn full range into limited. */
export function levels(
  { color }: Pick<JointPicture, 'color'>,
  side: 'in' | 'out',
): NonNullable<Filter['options']> {
  const { space, range } = color;
  const matrix = space === null ? undefined : matrices[space];
  return {
    ...(matrix === undefined ? {} : { [`${side}_color_matrix`]: matrix }),
    ...(range === null ? {} : { [`${side}_range`]: range === 'pc' ? 'full' : 'limited' }),
  };
}

/**
 * Resizes and keeps the pixel format: behind `scale`, ffmpeg would choose any format that the next filter takes. The shape of
 * pixels, which `scale` derives from rounded sides, stays square.
 * @param cut Directly behind `scale` if that changes its size: only there is the new size known.
 */
export const scaled = (
  joint: JointPicture,
  options: NonNullable<Filter['options']>,
  cut: Filter[] = [],
): Filter[] => [
  { name: 'scale', options: { ...options, ...levels(joint, 'in'), ...levels(joint, 'out') } },
  ...cut,
  { name: 'format', options: { pix_fmts: joint.pixelFormat } },
  { name: 'setsar', options: { sar: 1 } },
];

/** To the format that `overlay` wants of its upper picture, before ffmpeg converts it and its range by itself. */
export const toLay = (joint: JointPicture): Filter[] => [
  { name: 'scale', options: { ...levels(joint, 'in'), ...levels(joint, 'out') } },
  { name: 'format', options: { pix_fmts: isDeep(joint) ? 'yuva420p10le' : 'yuva420p' } },
];
