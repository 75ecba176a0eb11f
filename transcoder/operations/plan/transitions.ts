import {
  type ComposedName,
  isComposed,
  isMap,
  type TransitionName,
} from '../../../schema/media/transitions.ts';
import type { MapShape } from '../../model/map-shape.ts';
import { decimal } from '../../model/numbers/decimal.ts';
import type { Chain, Filter } from '../../model/steps.ts';
import type { Size } from './geometry.ts';
import { compositions } from './joints/compositions.ts';
import { halfFrames, isDeep, type JointPicture, overlayFormat } from './joints/joint.ts';

/** How a transition is drawn by the available filters. */
export type Drawing =
  | { kind: 'xfade'; name: string }
  | { kind: 'map'; shape: MapShape }
  | { kind: 'composed'; name: ComposedName }
  | { kind: 'overlay'; below: 'a' | 'b'; x: string; y: string };

/** Progress of the transition in the middle of frame `n` of `frames`. */
const done = (frames: number) => `(n+0.5)/${frames}`;

/** Pixels per side that composed transitions need, for their blur and their mirror images. */
const LEAST_COMPOSED = 16;

/** @param known Transition names that the filter supports. @param size Of the output. */
export function drawingOf(
  name: TransitionName,
  frames: number,
  known: ReadonlySet<string>,
  size: Size,
): Drawing {
  if (isMap(name)) return { kind: 'map', shape: name };
  if (isComposed(name)) {
    const small = Math.min(size.width, size.height) < LEAST_COMPOSED;
    return small ? { kind: 'xfade', name: 'fade' } : { kind: 'composed', name };
  }
  // What editors call a dissolve; the filter's own one switches pixel by pixel in random order, which here is `noise`.
  if (name === 'dissolve') return { kind: 'xfade', name: 'fade' };
  if (known.has(name)) return { kind: 'xfade', name };
  const left = `(1-${done(frames)})`;
  switch (name) {
    case 'hlwind':
    case 'hrwind':
    case 'vuwind':
    case 'vdwind':
      return { kind: 'map', shape: name };
    case 'coverleft':
      return { kind: 'overlay', below: 'a', x: `W*${left}`, y: '0' };
    case 'coverright':
      return { kind: 'overlay', below: 'a', x: `-W*${left}`, y: '0' };
    case 'coverup':
      return { kind: 'overlay', below: 'a', x: '0', y: `H*${left}` };
    case 'coverdown':
      return { kind: 'overlay', below: 'a', x: '0', y: `-H*${left}` };
    case 'revealleft':
      return { kind: 'overlay', below: 'b', x: `-W*${done(frames)}`, y: '0' };
    case 'revealright':
      return { kind: 'overlay', below: 'b', x: `W*${done(frames)}`, y: '0' };
    case 'revealup':
      return { kind: 'overlay', below: 'b', x: '0', y: `-H*${done(frames)}` };
    case 'revealdown':
      return { kind: 'overlay', below: 'b', x: '0', y: `H*${done(frames)}` };
    default:
      return { kind: 'xfade', name };
  }
}

interface DrawnPicture extends JointPicture {
  drawing: Drawing;
}

/**
 * From `a` and `b`, which have the same size, format and number of frames starting at 0, to `v`. `map` is the label of
 * the map picture.
 */
export function jointChains(joint: DrawnPicture, map: string): Chain[] {
  const { drawing, frames, rate } = joint;
  const halves = halfFrames(joint);
  const both: Chain[] = [
    { from: ['a'], filters: [halves], to: ['a1'] },
    { from: ['b'], filters: [halves], to: ['b1'] },
  ];
  if (drawing.kind === 'xfade') {
    const half = 0.5 / rate.fps;
    const options = {
      transition: drawing.name,
      duration: decimal(frames / rate.fps),
      offset: decimal(-half),
    };
    return [...both, { from: ['a1', 'b1'], filters: [{ name: 'xfade', options }], to: ['v'] }];
  }
  if (drawing.kind === 'composed') return [...both, ...compositions[drawing.name](joint)];
  if (drawing.kind === 'overlay') {
    const { below, x, y } = drawing;
    const format = overlayFormat(joint);
    const from = below === 'a' ? ['a1', 'b1'] : ['b1', 'a1'];
    return [...both, { from, filters: [{ name: 'overlay', options: { x, y, format } }], to: ['v'] }];
  }
  return [
    ...both,
    ...maskChains(joint, map, halves),
    { from: ['a1', 'b1', 'mask'], filters: [{ name: 'maskedmerge' }], to: ['v'] },
  ];
}

/** Moves a soft threshold over the map to make a mask for every plane. */
function maskChains(joint: JointPicture, map: string, halves: Filter): Chain[] {
  const { frames, pixelFormat } = joint;
  const plane: Filter[] = isDeep(joint)
    ? [
        { name: 'format', options: { pix_fmts: 'gray10le' } },
        // In 8 bits the maximum becomes 1020, not 1023.
        { name: 'lut', options: { c0: 'clip(val*1.004,0,1023)' } },
      ]
    : [];
  const half: Filter = { name: 'scale', options: { w: 'iw/2', h: 'ih/2' } };
  return [
    {
      from: [map],
      filters: [
        { name: 'format', options: { pix_fmts: 'gray' } },
        { name: 'loop', options: { loop: -1, size: 1 } },
        halves,
        { name: 'setpts', options: { expr: 'N*2' } },
        { name: 'trim', options: { end_frame: frames } },
        { name: 'eq', options: { brightness: `(${done(frames)}-0.5)*0.565`, eval: 'frame' } },
        { name: 'eq', options: { contrast: 16 } },
        { name: 'format', options: { pix_fmts: 'gray' } },
        ...plane,
        { name: 'split' },
      ],
      to: ['luma', 'coarse'],
    },
    { from: ['coarse'], filters: [half, { name: 'split' }], to: ['cb', 'cr'] },
    {
      from: ['luma', 'cb', 'cr'],
      filters: [
        {
          name: 'mergeplanes',
          options: { format: pixelFormat, map0s: 0, map0p: 0, map1s: 1, map1p: 0, map2s: 2, map2p: 0 },
        },
      ],
      to: ['mask'],
    },
  ];
}
