import type { Chain, Filter } from '../../../model/steps.ts';
import { progress, stepped } from './curves.ts';
import { type Composition, isDeep, levels, overlayFormat, toLay } from './joint.ts';

/** Disturbances per second; a frame-by-frame flicker would look like noise. */
const PACE = 12;
/** Heights of the displaced bands, of the clip that is shown. */
const OWN = [0.04, 0.09, 0.16, 0.06, 0.11];
/** Heights of the bands of the other clip: at most a fifth of the picture, because large areas must not flash. */
const OTHER = [0.05, 0.1, 0.04];
/** Farthest displacement, as a share of the width. */
const FARTHEST = 0.22;

/** Displaced bands and color channels, at their worst in the middle, where the clips change. */
export const glitch: Composition = (joint) => {
  const { frames, rate, size } = joint;
  const p = progress(joint);
  const count = Math.max(3, Math.round((frames / rate.fps) * PACE));
  const state = `floor(${p}*${count})`;
  /** 0 in the first and last state. */
  const force = `((1-abs(2*(${state}+0.5)/${count}-1))*between(${state},1,${count - 2}))`;
  /** A number from 0 to 1 for each state, always the same. */
  const chance = (seed: number) => `mod(abs(sin(${state}*12.9898+${seed * 78.233}))*43758.5453,1)`;
  const format = overlayFormat(joint);
  const after = `gte(${p},0.5)`;
  const laid = (options: Filter['options']): Filter => ({ name: 'overlay', options: { format, ...options } });

  const split = `(${force}*(0.5+0.5*${chance(1)}))`;
  const shifted = (share: number, enable: string): Filter => {
    const by = Math.min(255, Math.max(1, Math.round(size.width * share)));
    return { name: 'rgbashift', options: { rh: -by, bh: by, enable } };
  };
  const chains: Chain[] = [
    { from: ['a1'], filters: [{ name: 'split' }], to: ['a2', 'a3'] },
    { from: ['b1'], filters: [{ name: 'split' }], to: ['b2', 'b3'] },
    { from: ['a3'], filters: toLay(joint), to: ['a4'] },
    { from: ['b2'], filters: toLay(joint), to: ['b4'] },
    { from: ['a2', 'b4'], filters: [laid({ enable: after }), { name: 'split' }], to: ['shown', 'toned'] },
    {
      from: ['toned'],
      filters: [
        { name: 'scale', options: levels(joint, 'in') },
        { name: 'format', options: { pix_fmts: isDeep(joint) ? 'gbrp10le' : 'gbrp' } },
        shifted(0.006, `between(${split},0.15,0.5)`),
        shifted(0.016, `gt(${split},0.5)`),
        { name: 'scale', options: levels(joint, 'out') },
        { name: 'format', options: { pix_fmts: isDeep(joint) ? 'yuva420p10le' : 'yuva420p' } },
      ],
      to: ['channels'],
    },
    {
      from: ['shown', 'channels'],
      filters: [
        laid({ enable: `gte(${split},0.15)` }),
        { name: 'split', options: { outputs: OWN.length + 1 } },
      ],
      to: ['base0', ...OWN.map((_, index) => `own${index}`)],
    },
    {
      from: ['b3', 'a4'],
      filters: [laid({ enable: after }), { name: 'split', options: { outputs: OTHER.length } }],
      to: OTHER.map((_, index) => `other${index}`),
    },
  ];
  const bands = [
    ...OWN.map((height, index) => ({ from: `own${index}`, height })),
    ...OTHER.map((height, index) => ({ from: `other${index}`, height })),
  ];
  return [
    ...chains,
    ...bands.flatMap(({ from, height }, index): Chain[] => {
      const seed = 2 + 3 * index;
      const tall = 2 * Math.max(1, Math.round((size.height * height) / 2));
      const y = stepped(`${chance(seed)}*${size.height - tall}`, 2);
      const x = stepped(`(2*${chance(seed + 1)}-1)*${force}*${size.width * FARTHEST}`, 2);
      const enable = `lt(${chance(seed + 2)},1.2*${force})`;
      return [
        {
          from: [from],
          filters: [{ name: 'crop', options: { w: 'iw', h: tall, x: 0, y } }, ...toLay(joint)],
          to: [`band${index}`],
        },
        {
          from: [`base${index}`, `band${index}`],
          filters: [laid({ x, y, enable })],
          to: [index === bands.length - 1 ? 'v' : `base${index + 1}`],
        },
      ];
    }),
  ];
};
