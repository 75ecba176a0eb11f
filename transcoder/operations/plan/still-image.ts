import type { SourceFacts } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { Orientation } from '../../model/source/orientation.ts';
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
  /** Whether its colors are in Display P3, and not in sRGB. */
  displayP3: boolean;
  /** Whether it has transparent pixels. */
  clear: boolean;
}

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
    displayP3: facts?.displayP3 === true,
    size: orientation >= 5 ? { width: height, height: width } : { width, height },
    clear: /^(rgba|argb|bgra|abgr|ya|pal8|gbrap|yuva)/.test(video.pixelFormat),
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

/** Turns an input into one upright frame with square pixels, on `background` if it has transparency. */
export function stillChains(picture: StillPicture, input: number, to: string, background: string): Chain[] {
  const { size, orientation, displayP3, clear } = picture;
  const upright: Filter[] = [
    { name: 'trim', options: { end_frame: 1 } },
    { name: 'setpts', options: { expr: '0' } },
    ...turned[orientation],
    { name: 'scale', options: { w: size.width, h: size.height } },
    { name: 'setsar', options: { sar: 1 } },
    ...(displayP3 ? toSrgb(clear ? 'gbrap' : 'gbrp') : []),
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

/** Display P3 to sRGB, both with the same transfer function. Colors outside of sRGB are clipped. */
function toSrgb(pixelFormat: 'gbrp' | 'gbrap'): Filter[] {
  const same = { transferin: 'iec61966-2-1', transfer: 'iec61966-2-1', matrixin: 'gbr', matrix: 'gbr' };
  return [
    { name: 'scale', options: { flags: EXACT_RGB } },
    { name: 'format', options: { pix_fmts: pixelFormat } },
    {
      name: 'zscale',
      options: { ...same, primariesin: 'smpte432', primaries: 'bt709', rangein: 'full', range: 'full' },
    },
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
