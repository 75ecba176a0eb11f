import type { Chain } from '../../../model/steps.ts';
import { progress, ramp } from './curves.ts';
import { type Composition, isDeep, type JointPicture, scaled } from './joint.ts';
import { mixChains } from './mix.ts';

/** Light is smooth: it is drawn small, in the shape of the picture, and enlarged. */
const SMALL = 48;

interface Light {
  /** Expressions of `geq`; levels as in 8 bits. */
  luma: string;
  cb: string;
  cr: string;
  /** One after another. `top` is the first operand of ffmpeg's modes. */
  blends: { top: 'picture' | 'light'; options: Record<string, string | number> }[];
}

/** Lays a light on `lit`. A small copy of the picture becomes the light, which gives it the same color space and times. */
function lightChains(joint: JointPicture, light: Light, lit: string): Chain[] {
  const { size } = joint;
  const unit = SMALL / Math.min(size.width, size.height);
  const even = (side: number) => 2 * Math.max(2, Math.round((side * unit) / 2));
  const deep = isDeep(joint);
  const [most, grey] = deep ? [1023 / 255, 4] : [1, 1];
  const { blends } = light;
  return [
    { from: [lit], filters: [{ name: 'split' }], to: ['under', 'drawn'] },
    {
      from: ['drawn'],
      filters: [
        ...scaled(joint, { w: even(size.width), h: even(size.height), flags: 'fast_bilinear' }),
        {
          name: 'geq',
          options: {
            lum: `round(${most}*(${light.luma}))`,
            cb: `round(${grey}*(${light.cb}))`,
            cr: `round(${grey}*(${light.cr}))`,
          },
        },
        ...scaled(joint, { w: size.width, h: size.height, flags: 'bicubic' }),
      ],
      to: ['light'],
    },
    {
      from: ['light'],
      filters: [{ name: 'split', options: { outputs: blends.length } }],
      to: blends.map((_, index) => `light${index}`),
    },
    ...blends.map(({ top, options }, index): Chain => {
      const [picture, own] = [index === 0 ? 'under' : `lit${index}`, `light${index}`];
      return {
        from: top === 'picture' ? [picture, own] : [own, picture],
        filters: [{ name: 'blend', options }],
        to: [index === blends.length - 1 ? 'v' : `lit${index + 1}`],
      };
    }),
  ];
}

/** When a flash is brightest, and the clips change. */
const PEAK = 0.4;

/** An overexposure that bursts from the first clip and fades on the second one. */
export const flash: Composition = (joint) => {
  const p = progress(joint, 'T');
  const level = `if(lt(${p},${PEAK}),pow(${p}/${PEAK},2),pow((1-${p})/${1 - PEAK},2))`;
  const light: Light = {
    luma: `255*${level}`,
    cb: `32*(1-${level})`,
    cr: `32*(1-${level})`,
    blends: [
      // Chroma is multiplied, from grey, by this share of 32.
      { top: 'picture', options: { c0_mode: 'normal', c1_mode: 'multiply128', c2_mode: 'multiply128' } },
      // Luma is divided by what the light leaves of white. Without opacity, `normal` is the picture below.
      { top: 'light', options: { c0_mode: 'dodge', c1_opacity: 0, c2_opacity: 0 } },
    ],
  };
  return [
    ...mixChains(joint, ramp(p, PEAK - 0.08, PEAK + 0.08), ['a1', 'b1'], 'lit'),
    ...lightChains(joint, light, 'lit'),
  ];
};

/** A warm light that passes over the picture from left to right, under which the clips cross. */
export const lightLeak: Composition = (joint) => {
  const p = progress(joint, 'T');
  const blob = (x: string, y: string, wide: number, tall: number) =>
    `exp(-(pow((X/W-(${x}))/${wide},2)+pow((Y/H-(${y}))/${tall},2)))`;
  const amount = `pow(sin(PI*${p}),2)`;
  const glow = `(${amount}*min(1,0.95*${blob(`1.5*${p}-0.25`, `0.35+0.2*sin(4*${p})`, 0.34, 0.75)}+0.7*${blob(`1.25*${p}-0.35`, '0.95', 0.28, 0.5)}+0.45*${blob(`0.4+0.5*${p}`, '-0.1', 0.6, 0.3)}))`;
  const light: Light = {
    luma: `190*pow(${glow},1.2)`,
    cb: `128-80*${glow}*(1-0.45*${glow})`,
    cr: `128+74*${glow}*(1-0.55*${glow})`,
    blends: [
      { top: 'picture', options: { c0_mode: 'screen', c1_mode: 'grainmerge', c2_mode: 'grainmerge' } },
    ],
  };
  return [...mixChains(joint, ramp(p, 0.25, 0.75), ['a1', 'b1'], 'lit'), ...lightChains(joint, light, 'lit')];
};
