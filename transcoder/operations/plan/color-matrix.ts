import type { StatedVideo } from '../../model/source/video-stream.ts';

/** swscale's names of the matrices that convert RGB to luma and chroma. */
export const matrices: Readonly<Record<string, string>> = {
  bt709: 'bt709',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  smpte240m: 'smpte240m',
  fcc: 'fcc',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};

/** The lines from which players take untagged video for BT.709, as Chromium does; below that, for BT.601. */
const HD_LINES = 720;

/** The color space that players assume for untagged video of this height. */
export const assumedSpace = (height: number): 'bt709' | 'smpte170m' =>
  height >= HD_LINES ? 'bt709' : 'smpte170m';

/** swscale's name of the matrix of a YUV video; of an untagged one, that which players assume. */
export function matrixOf({ color, height }: Pick<StatedVideo, 'color' | 'height'>): string {
  const stated = color.space === null ? undefined : matrices[color.space];
  return stated ?? (assumedSpace(height) === 'bt709' ? 'bt709' : 'bt601');
}

/** By default, swscale truncates when it converts to RGB, which darkens a picture by up to two levels. */
export const EXACT_RGB = 'bicubic+accurate_rnd+full_chroma_int';
