import type { Shot } from '../../model/parallax-shot.ts';
import type { Chain, Render, Step } from '../../model/steps.ts';
import type { FrameRate } from '../plan/frame-rate.ts';
import type { Size } from '../plan/geometry.ts';
import { counted, stillInput } from '../plan/still-image.ts';
import { viewAt } from './easing.ts';
import { canvasChains, canvasOf, type PhotoInput } from './ken-burns-filters.ts';
import type { Photo } from './timeline.ts';

/** Total shift of the nearest against the farthest point, as a share of the picture, horizontally and vertically. */
const SIDEWAYS = 0.034;
const UPWARDS = 0.01;
/** Pixels of the network's input, whose sides are multiples of a patch. */
const NET_PIXELS = 518 * 518;
const PATCH = 14;

interface Shown {
  size: Size;
  rate: FrameRate;
  input: PhotoInput;
}

const filesOf = ({ index }: Photo) => ({
  picture: `canvas${index}.pgm`,
  small: `small${index}.ppm`,
  depth: `depth${index}.raw`,
});

/** Prepares the picture and depth map that the frames of a photo with depth are drawn from. */
export function depthSteps(photo: Photo, shown: Pick<Shown, 'size' | 'input'>): Step[] {
  const files = filesOf(photo);
  const canvas = canvasOf(photo.picture.size, shown.size, shown.input.fill, photo.path);
  const net = netSize(shown.size);
  const render: Render = {
    kind: 'render',
    inputs: [stillInput(photo.picture)],
    chains: [
      ...canvasChains(photo.picture, canvas, shown, 0, 'canvas'),
      { from: ['canvas'], filters: [{ name: 'split' }], to: ['large', 'other'] },
      {
        from: ['other'],
        filters: [
          {
            name: 'scale',
            options: { w: net.width, h: net.height, flags: 'bicubic', in_color_matrix: 'bt709' },
          },
          { name: 'format', options: { pix_fmts: 'rgb24' } },
        ],
        to: ['small'],
      },
    ],
    outputs: [
      { file: files.picture, container: 'pgmyuv', from: 'large', quality: 100 },
      { file: files.small, container: 'ppm', from: 'small', quality: 100 },
    ],
    seconds: null,
    lead: 0,
  };
  return [render, { kind: 'depth', picture: files.small, file: files.depth }];
}

/** Frames `from` … `to` of a photo with depth; from input 0 to `v`. */
export function depthFrames(
  photo: Photo,
  { size, rate, input }: Shown,
  from: number,
  to: number,
): Pick<Render, 'inputs' | 'chains'> {
  const { picture, depth } = filesOf(photo);
  const canvas = canvasOf(photo.picture.size, size, input.fill, photo.path);
  const views: Shot['views'] = [];
  for (let frame = from; frame < to; frame++) {
    const u = frame / Math.max(1, photo.frames - 1);
    const view = viewAt(photo.path, u);
    const turn = (photo.index % 2 === 0 ? 1 : -1) * (u - 0.5);
    views.push({
      x: (view.x * canvas.x.factor + canvas.x.offset) / canvas.size.width,
      y: (view.y * canvas.y.factor + canvas.y.offset) / canvas.size.height,
      across: (view.side * canvas.x.factor) / canvas.size.width,
      down: (view.side * canvas.y.factor) / canvas.size.height,
      dx: SIDEWAYS * turn * view.side,
      dy: UPWARDS * Math.sin(Math.PI * u) * view.side,
    });
  }
  const shot: Shot = {
    ...size,
    rate: [rate.numerator, rate.denominator],
    depth: netSize(size),
    views,
  };
  const chains: Chain[] = [
    {
      from: ['0:0'],
      filters: [
        ...counted(rate),
        { name: 'setsar', options: { sar: 1 } },
        { name: 'setparams', options: { range: 'limited', colorspace: 'bt709' } },
      ],
      to: ['v'],
    },
  ];
  return { inputs: [{ drawing: { kind: 'parallax', shot, picture, depth } }], chains };
}

/** About as many pixels as in the network's training, with the output's aspect ratio. */
function netSize({ width, height }: Size): Size {
  const side = (length: number) => PATCH * Math.max(1, Math.round(length / PATCH));
  const scale = Math.sqrt(NET_PIXELS / (width * height));
  return { width: side(width * scale), height: side(height * scale) };
}
