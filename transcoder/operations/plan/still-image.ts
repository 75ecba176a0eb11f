import type { SourceFacts } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { Orientation } from '../../model/source/orientation.ts';
import type { RgbProfile } from '../../model/source/rgb-profile.ts';
import { isTransparent, type VideoStream } from '../../model/source/video-stream.ts';
import type { Chain, Filter, Input } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { EXACT_RGB } from './color-matrix.ts';
import type { FrameRate } from './frame-rate.ts';
import type { Size } from './geometry.ts';
import { pictureOf } from './require-streams.ts';

/** A still picture of a source, as displayed. */
export interface StillPicture {
  source: number;
  stream: number;
  /** Upright, with square pixels. */
  size: Size;
  orientation: Orientation;
  /** What its numbers mean; null for sRGB. */
  colors: RgbProfile | null;
  /** Whether it has transparent pixels. */
  clear: boolean;
}

/** A palette may have transparent colors. */
const mayBeClear = ({ pixelFormat }: VideoStream) => isTransparent(pixelFormat) || pixelFormat === 'pal8';

const stills: readonly MediaProbe['format'][] = ['png_pipe', 'jpeg_pipe', 'webp_pipe', 'gif', 'apng'];

/** Throws `source_no_video`, or `source_not_media` if the source is a video. */
export function stillOf(probe: MediaProbe, source: number, facts: SourceFacts | undefined): StillPicture {
  const video = pictureOf(probe, source);
  if (!stills.includes(probe.format)) {
    const detail = 'The source is a video, but a picture is required. Give a png, jpeg, webp or gif.';
    throw new TaskFailure('source_not_media', detail, { sourceIndex: source });
  }
  const orientation = facts?.orientation ?? 1;
  const [width, height] = [Math.max(1, Math.round(video.width * video.sar)), video.height];
  return {
    source,
    stream: video.index,
    orientation,
    colors: facts?.colors ?? null,
    size: orientation >= 5 ? { width: height, height: width } : { width, height },
    clear: mayBeClear(video),
  };
}

/** Without ffmpeg's auto-rotation, because its versions differ in how they treat EXIF. */
export const stillInput = ({ source }: StillPicture): Input => ({ source, seek: null, coded: true });

export const turned: Record<Orientation, Filter[]> = {
  1: [],
  2: [{ name: 'hflip' }],
  3: [{ name: 'hflip' }, { name: 'vflip' }],
  4: [{ name: 'vflip' }],
  5: [{ name: 'transpose', options: { dir: 'cclock_flip' } }],
  6: [{ name: 'transpose', options: { dir: 'clock' } }],
  7: [{ name: 'transpose', options: { dir: 'clock_flip' } }],
  8: [{ name: 'transpose', options: { dir: 'cclock' } }],
};

/**
 * A picture as it is displayed, and the filters for that, which turn it upright and convert it to sRGB. A moving one is turned when it
 * is read.
 */
export function displayed(
  { still }: Pick<MediaProbe, 'still'>,
  video: VideoStream,
  facts: SourceFacts | undefined,
): { video: VideoStream; filters: Filter[] } {
  if (!still) return { video, filters: [] };
  const { orientation = 1, colors = null } = facts ?? {};
  const { displayWidth, displayHeight } = video;
  const format = mayBeClear(video) ? 'gbrap' : 'gbrp';
  return {
    video: {
      ...video,
      ...(orientation >= 5 ? { displayWidth: displayHeight, displayHeight: displayWidth } : {}),
      ...(colors ? { pixelFormat: format } : {}),
    },
    filters: [...turned[orientation], ...(colors ? toSrgb(colors, format) : [])],
  };
}

/** Turns an input into one upright frame with square pixels, on `background` if it has transparency. */
export function stillChains(picture: StillPicture, input: number, to: string, background: string): Chain[] {
  const { size, orientation, colors, clear } = picture;
  const upright: Filter[] = [
    { name: 'trim', options: { end_frame: 1 } },
    { name: 'setpts', options: { expr: '0' } },
    ...turned[orientation],
    { name: 'scale', options: { w: size.width, h: size.height } },
    { name: 'setsar', options: { sar: 1 } },
    ...(colors ? toSrgb(colors, clear ? 'gbrap' : 'gbrp') : []),
  ];
  const from = [`${input}:${picture.stream}`];
  if (!clear) return [{ from, filters: upright, to: [to] }];
  return [
    { from, filters: [...upright, { name: 'format', options: { pix_fmts: 'rgba' } }], to: [`${to}clear`] },
    { from: [], filters: [...plain(size, background)], to: [`${to}ground`] },
    {
      from: [`${to}ground`, `${to}clear`],
      filters: [{ name: 'overlay', options: { format: 'gbrp', eof_action: 'repeat' } }],
      to: [to],
    },
  ];
}

/**
 * Converts to sRGB in linear light of 16 bits. Colors outside of sRGB are clipped. The mixer takes factors up to 2 and the matrices of wide
 * profiles have larger ones, so it works with half of the light.
 */
function toSrgb({ curve, toSrgb: matrix }: RgbProfile, pixelFormat: 'gbrp' | 'gbrap'): Filter[] {
  const colors = ['r', 'g', 'b'] as const;
  const { g, a, b, c, d, e, f } = curve;
  // swscale makes 16 bits of 8 either by repeating them or with zeros.
  const number = 'floor(val/256)/255';
  const light = `if(gte(${number},${d}),pow(max(0,${a}*${number}+${b}),${g})+${e},${c}*${number}+${f})`;
  const shown = 'min(1,val/32767.5)';
  const coded = `if(gt(${shown},0.0031308),1.055*pow(${shown},1/2.4)-0.055,12.92*${shown})`;
  const each = (expression: string): Filter => ({
    name: 'lutrgb',
    options: Object.fromEntries(colors.map((color) => [color, expression])),
  });
  const factors = colors.flatMap((to, row) =>
    colors.map((from, column) => [`${to}${from}`, (matrix[3 * row + column] ?? 0) / 2]),
  );
  return [
    { name: 'scale', options: { flags: EXACT_RGB } },
    { name: 'format', options: { pix_fmts: pixelFormat } },
    { name: 'format', options: { pix_fmts: `${pixelFormat}16le` } },
    each(`65535*clip(${light},0,1)`),
    { name: 'colorchannelmixer', options: Object.fromEntries(factors) },
    // A whole number of 8 bits, whichever way it is rounded.
    each(`257*round(255*${coded})`),
    { name: 'format', options: { pix_fmts: pixelFormat } },
  ];
}

/** One frame of a single color, in RGB. */
export function plain({ width, height }: Size, color: string): Filter[] {
  return [
    { name: 'color', options: { color: color.replace('#', '0x'), size: `${width}x${height}`, rate: 1 } },
    { name: 'trim', options: { end_frame: 1 } },
    { name: 'format', options: { pix_fmts: 'gbrp' } },
  ];
}

/**
 * Converts to BT.709, the colors of all videos that we draw. Run last, at the output size.
 * @param from swscale's name of the matrix that they have; null for RGB and for JPEG, of which it knows.
 */
export function drawnColors(pixelFormat = 'yuv420p', from: string | null = null): Filter[] {
  const own = from === null ? {} : { in_color_matrix: from };
  return [
    { name: 'scale', options: { ...own, out_color_matrix: 'bt709', out_range: 'limited' } },
    { name: 'format', options: { pix_fmts: pixelFormat } },
  ];
}

/** Repeats one frame `frames` times at this rate. */
export function repeatedFor(frames: number, rate: FrameRate): Filter[] {
  return [
    { name: 'loop', options: { loop: -1, size: 1 } },
    ...counted(rate),
    { name: 'trim', options: { end_frame: frames } },
  ];
}

/** Puts frame n at n / rate. `fps` changes no frame; it gives the last one a duration. */
export function counted({ numerator, denominator }: FrameRate): Filter[] {
  return [
    { name: 'settb', options: { expr: `${denominator}/${numerator}` } },
    { name: 'setpts', options: { expr: 'N' } },
    { name: 'fps', options: { fps: `${numerator}/${denominator}` } },
  ];
}
