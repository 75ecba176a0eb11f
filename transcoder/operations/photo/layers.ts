import type { Layer } from '../../model/photo-layers.ts';
import type { Chain, Filter, Input, Render, Step } from '../../model/steps.ts';
import type { FrameRate } from '../plan/frame-rate.ts';
import { cropped, type Size } from '../plan/geometry.ts';
import { counted, stillInput } from '../plan/still-image.ts';
import { canvasChains, canvasOf, type Shown } from './canvas.ts';
import { viewAt } from './easing.ts';
import type { Photo } from './timeline.ts';

/** Total shift of the nearest against the farthest point, as a share of the picture, horizontally and vertically. */
const SIDEWAYS = 0.034;
const UPWARDS = 0.01;
/** Pixels of the network's input, whose sides are multiples of a patch. */
const NET_PIXELS = 518 * 518;
const PATCH = 14;
/** What a canvas costs, in seconds of encoded video. */
const CANVAS_WEIGHT = 0.3;

interface Timed {
  size: Size;
  rate: FrameRate;
}

/** At most two photos are needed at a time: a later photo takes the place of the one before its neighbour. */
const filesOf = ({ index }: Photo) => ({
  picture: `canvas${index % 2}.pgm`,
  small: `small${index % 2}.ppm`,
  depth: `depth${index % 2}.raw`,
});

/** Prepares the picture that the frames of a photo are drawn from, and its depth map if it has one. */
export function canvasSteps(photo: Photo, shown: Shown): Step[] {
  const files = filesOf(photo);
  const canvas = canvasOf(photo.picture.size, shown.size, shown.input.fill, photo.path);
  const deep = photo.preset === 'parallax';
  const chains = canvasChains(photo.picture, canvas, shown, 0, 'canvas');
  const render: Render = {
    kind: 'render',
    inputs: [stillInput(photo.picture)],
    chains: deep ? [...chains, ...smallChains(shown.size)] : chains,
    outputs: [
      { file: files.picture, container: 'pgmyuv', from: deep ? 'large' : 'canvas', quality: 100 },
      ...(deep ? [{ file: files.small, container: 'ppm' as const, from: 'small', quality: 100 }] : []),
    ],
    seconds: null,
    weight: CANVAS_WEIGHT,
    lead: 0,
  };
  return deep ? [render, { kind: 'depth', picture: files.small, file: files.depth }] : [render];
}

/** The canvas as it is, and small for the network. */
function smallChains(size: Size): Chain[] {
  const net = netSize(size);
  const options = { w: net.width, h: net.height, flags: 'bicubic', in_color_matrix: 'bt709' };
  return [
    { from: ['canvas'], filters: [{ name: 'split' }], to: ['large', 'other'] },
    {
      from: ['other'],
      filters: [
        { name: 'scale', options },
        { name: 'format', options: { pix_fmts: 'rgb24' } },
      ],
      to: ['small'],
    },
  ];
}

/** Frames `from` … `to` of a photo. */
export function layerOf(photo: Photo, { size, input }: Shown, from: number, to: number): Layer {
  const { picture, depth } = filesOf(photo);
  const canvas = canvasOf(photo.picture.size, size, input.fill, photo.path);
  const seenAt = (u: number) => {
    const view = viewAt(photo.path, u);
    const seen = {
      x: (view.x * canvas.x.factor + canvas.x.offset) / canvas.size.width,
      y: (view.y * canvas.y.factor + canvas.y.offset) / canvas.size.height,
      across: (view.side * canvas.x.factor) / canvas.size.width,
      down: (view.side * canvas.y.factor) / canvas.size.height,
    };
    return { u, side: view.side, seen };
  };
  const moments = Array.from({ length: to - from }, (_, at) =>
    seenAt((from + at) / Math.max(1, photo.frames - 1)),
  );
  if (photo.preset !== 'parallax') return { kind: 'flat', picture, views: moments.map(({ seen }) => seen) };
  const views = moments.map(({ u, side, seen }) => {
    const turn = (photo.index % 2 === 0 ? 1 : -1) * (u - 0.5);
    return { ...seen, dx: SIDEWAYS * turn * side, dy: UPWARDS * Math.sin(Math.PI * u) * side };
  });
  const { x, y, across, down } = seenAt(1).seen;
  const still = { x: x + across / 2, y: y + down / 2 };
  return { kind: 'deep', picture, depth: { file: depth, ...netSize(size) }, views, still };
}

/** Draws a photo to `v`. */
export function drawnAlone(layer: Layer, { size, rate }: Timed): Pick<Render, 'inputs' | 'chains'> {
  return {
    inputs: [drawingOf([layer], size, rate)],
    chains: [{ from: ['0:0'], filters: drawnFilters(rate), to: ['v'] }],
  };
}

/** Draws two photos to `a` and `b`. */
export function drawnPair(
  layers: readonly [Layer, Layer],
  { size, rate }: Timed,
): Pick<Render, 'inputs' | 'chains'> {
  const split: Filter = { name: 'split' };
  return {
    inputs: [drawingOf([...layers], size, rate)],
    chains: [
      { from: ['0:0'], filters: [...drawnFilters(rate), split], to: ['upper', 'lower'] },
      { from: ['upper'], filters: [cropped({ x: 0, y: 0, ...size })], to: ['a'] },
      { from: ['lower'], filters: [cropped({ x: 0, y: size.height, ...size })], to: ['b'] },
    ],
  };
}

const drawingOf = (layers: Layer[], size: Size, { numerator, denominator }: FrameRate): Input => ({
  drawing: { kind: 'photos', ...size, rate: [numerator, denominator], layers },
});

const drawnFilters = (rate: FrameRate): Filter[] => [
  ...counted(rate),
  { name: 'setsar', options: { sar: 1 } },
  { name: 'setparams', options: { range: 'limited', colorspace: 'bt709' } },
];

/** About as many pixels as in the network's training, with the output's aspect ratio. */
function netSize({ width, height }: Size): Size {
  const side = (length: number) => PATCH * Math.max(1, Math.round(length / PATCH));
  const scale = Math.sqrt(NET_PIXELS / (width * height));
  return { width: side(width * scale), height: side(height * scale) };
}
