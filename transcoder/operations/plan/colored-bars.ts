import type { Capabilities } from '../../model/capabilities.ts';
import type { VideoEncoding } from '../../model/encoding.ts';
import { isHdr } from '../../model/source/video-stream.ts';
import type { Chain, Filter } from '../../model/steps.ts';
import { matrixOf } from './color-matrix.ts';
import { padded, type Rectangle, type Size, scaled } from './geometry.ts';
import { overlayFormat } from './joints/joint.ts';
import { plain } from './still-image.ts';

/** Light of the brightest white of SDR in HDR, in nits (ITU-R BT.2408). */
export const WHITE_NITS = 203;

interface Bars {
  canvas: Size;
  /** Of the picture in the canvas. */
  place: Rectangle;
  /** `#rrggbb`, in sRGB. */
  background: string;
  encoding: Pick<VideoEncoding, 'color' | 'pixelFormat'>;
  capabilities: Capabilities;
}

/**
 * Places a picture on a canvas of a color. Intermediate labels begin with `from`. Only gray is drawn by `pad` itself: it converts other
 * colors by BT.601, up to version 6 of ffmpeg even if the frames state BT.709, and knows nothing of HDR.
 */
export function onColor({ from, to }: { from: string; to: string }, bars: Bars): Chain[] {
  const { canvas, place, background, encoding } = bars;
  const colors = isDrawnRight(bars) ? null : colorsOf(bars);
  if (!colors)
    return [{ from: [from], filters: [...scaled(place), padded(canvas, place, background)], to: [to] }];
  const { pixelFormat } = encoding;
  const format: Filter = { name: 'format', options: { pix_fmts: pixelFormat } };
  const drawn = barsAround(place, canvas);
  const labelOf = (count: number) => (count === drawn.length ? to : `${from}on${count}`);
  return [
    { from: [from], filters: [...scaled(place), format, padded(canvas, place, '#000000')], to: [labelOf(0)] },
    ...drawn.flatMap((bar, index): Chain[] => [
      { from: [], filters: [...plain(bar, background), ...colors, format], to: [`${from}bar${index}`] },
      {
        from: [labelOf(index), `${from}bar${index}`],
        filters: [
          {
            name: 'overlay',
            options: { x: bar.x, y: bar.y, format: overlayFormat(encoding) },
          },
        ],
        to: [labelOf(index + 1)],
      },
    ]),
  ];
}

/** Whether `pad` draws bars in their color. */
export function isDrawnRight({ background, encoding: { color } }: Bars): boolean {
  if (background === '#000000') return true;
  const [red, green, blue] = [1, 3, 5].map((at) => background.slice(at, at + 2));
  // Frames of full range are drawn on in another way.
  return !isHdr(color.transfer) && (color.range === 'pc' || (red === green && green === blue));
}

/** Converts sRGB to the colors of the output; null if that needs zscale, which is missing. */
function colorsOf({ canvas, encoding: { color }, capabilities }: Bars): Filter[] | null {
  if (!isHdr(color.transfer)) {
    const matrix = matrixOf({ color, height: canvas.height });
    return [{ name: 'scale', options: { out_color_matrix: matrix, out_range: 'limited' } }];
  }
  if (!capabilities.filters.has('zscale')) return null;
  const to = { matrix: color.space ?? 'bt2020nc', primaries: color.primaries ?? 'bt2020' };
  const own = { matrixin: 'gbr', transferin: 'bt709', primariesin: 'bt709', rangein: 'pc' };
  const options = { ...own, ...to, transfer: `${color.transfer}`, range: 'tv', npl: WHITE_NITS };
  return [{ name: 'zscale', options }];
}

function barsAround({ x, y, width, height }: Rectangle, canvas: Size): Rectangle[] {
  const [right, below] = [x + width, y + height];
  return [
    { x: 0, y: 0, width: canvas.width, height: y },
    { x: 0, y: below, width: canvas.width, height: canvas.height - below },
    { x: 0, y, width: x, height },
    { x: right, y, width: canvas.width - right, height },
  ].filter((bar) => bar.width > 0 && bar.height > 0);
}
