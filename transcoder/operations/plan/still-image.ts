import type { MediaProbe } from '../../model/media-probe.ts';
import type { Orientation } from '../../model/orientation.ts';
import type { SourceFacts } from '../../model/plan.ts';
import type { Chain, Filter, Input } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { FrameRate } from './frame-rate.ts';
import type { Size } from './geometry.ts';
import { pictureOf } from './require-streams.ts';

/** A still picture of a source, as it is to be seen. */
export interface StillPicture {
  source: number;
  stream: number;
  /** Upright, with square pixels. */
  size: Size;
  orientation: Orientation;
  /** Whether something behind it can be seen through it. */
  clear: boolean;
}

const stills: readonly MediaProbe['format'][] = ['png_pipe', 'jpeg_pipe', 'webp_pipe', 'gif'];

/** Throws `source_no_video`, or `source_not_media` where the source is a video. */
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
    size: orientation >= 5 ? { width: height, height: width } : { width, height },
    clear: /^(rgba|argb|bgra|abgr|ya|pal8|gbrap|yuva)/.test(video.pixelFormat),
  };
}

/** Not turned by ffmpeg, whose versions differ in what they make of EXIF. */
export const stillInput = ({ source }: StillPicture): Input => ({ source, seek: null, coded: true });

const turned: Record<Orientation, Filter[]> = {
  1: [],
  2: [{ name: 'hflip' }],
  3: [{ name: 'hflip' }, { name: 'vflip' }],
  4: [{ name: 'vflip' }],
  5: [{ name: 'transpose', options: { dir: 'cclock_flip' } }],
  6: [{ name: 'transpose', options: { dir: 'clock' } }],
  7: [{ name: 'transpose', options: { dir: 'clock_flip' } }],
  8: [{ name: 'transpose', options: { dir: 'cclock' } }],
};

/** From its input to one upright frame with square pixels, laid on `background` where it can be seen through. */
export function stillChains(picture: StillPicture, input: number, to: string, background: string): Chain[] {
  const { size, orientation, clear } = picture;
  const upright: Filter[] = [
    { name: 'trim', options: { end_frame: 1 } },
    { name: 'setpts', options: { expr: '0' } },
    ...turned[orientation],
    { name: 'scale', options: { w: size.width, h: size.height } },
    { name: 'setsar', options: { sar: 1 } },
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

/** One frame of one colour, as RGB. */
export function plain({ width, height }: Size, color: string): Filter[] {
  return [
    { name: 'color', options: { color: color.replace('#', '0x'), size: `${width}x${height}`, rate: 1 } },
    { name: 'trim', options: { end_frame: 1 } },
    { name: 'format', options: { pix_fmts: 'gbrp' } },
  ];
}

/** To the colours of drawn videos, BT.709; run last, at the size of the result. */
export function drawnColors(pixelFormat = 'yuv420p'): Filter[] {
  return [
    { name: 'scale', options: { out_color_matrix: 'bt709', out_range: 'limited' } },
    { name: 'format', options: { pix_fmts: pixelFormat } },
  ];
}

/** One frame as so many at this rate. */
export function repeatedFor(frames: number, rate: FrameRate): Filter[] {
  return [
    { name: 'loop', options: { loop: -1, size: 1 } },
    ...counted(rate),
    { name: 'trim', options: { end_frame: frames } },
  ];
}

/** Frame n at n / rate; `fps` changes none, it tells the encoder how long the last one lasts. */
export function counted({ numerator, denominator }: FrameRate): Filter[] {
  return [
    { name: 'settb', options: { expr: `${denominator}/${numerator}` } },
    { name: 'setpts', options: { expr: 'N' } },
    { name: 'fps', options: { fps: `${numerator}/${denominator}` } },
  ];
}
