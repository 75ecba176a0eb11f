import { pictureMediaTypes } from '../../../schema/media/media-types.ts';
import type { Fit } from '../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import type { Drawing, Means, PlannedFile } from '../../model/plan.ts';
import { isTransparent, type VideoStream } from '../../model/source/video-stream.ts';
import type { Filter, Render, Still } from '../../model/steps.ts';
import { EXACT_RGB, matrixOf } from '../plan/color-matrix.ts';
import { interlacedSource } from '../plan/deinterlace.ts';
import { askedSize, displaySize, fitFilters, type Size, scaled } from '../plan/geometry.ts';
import { checkSide } from '../plan/require-streams.ts';
import type { displayed } from '../plan/still-image.ts';
import { alphaDropped, toSdr } from '../plan/video-target.ts';

interface PictureInput {
  width?: number | undefined;
  height?: number | undefined;
  fit: Fit;
  format: Still | 'pam';
}

interface PictureShape {
  size: Size;
  filters: Filter[];
  warnings: Warning[];
}

/**
 * How libav writes the pictures. It has no webp encoder, and pictures for a sheet are read again: both are written
 * uncompressed for ffmpeg.
 */
export function drawingOf(
  shown: Displayed,
  input: PictureInput & { format: Still; quality: number },
  names: readonly string[],
  grid: Grid | null,
  { limits, capabilities }: Means,
): Drawing {
  const format = grid || input.format === 'webp' ? 'pam' : input.format;
  const shaped: PictureInput = { ...input, format: grid ? input.format : format };
  const { filters } = pictureShape(shown, shaped, limits.output_side_px, capabilities, grid);
  const extension = format === 'pam' ? format : extensions[format];
  return { filters, format, quality: input.quality, files: names.map((name) => `${name}.${extension}`) };
}

/** A picture as it is displayed, and the filters that come first for that. */
type Displayed = ReturnType<typeof displayed>;

/** Converts the uncompressed pictures from libav to webp. */
export function toWebp(names: readonly string[], quality: number): Render {
  return {
    kind: 'render',
    inputs: names.map((name) => ({ pictures: `${name}.pam` })),
    chains: names.map((_, index) => ({
      from: [`${index}:0`],
      filters: [{ name: 'format', options: { pix_fmts: 'bgra' } }],
      to: [`p${index}`],
    })),
    outputs: names.map((name, index) => ({
      file: pictureFile(name, 'webp').file,
      container: 'webp',
      from: `p${index}`,
      quality,
    })),
    seconds: null,
    lead: 0,
  };
}

/** How many pictures a contact sheet has in a row, and rows. */
export interface Grid {
  columns: number;
  rows: number;
}

const ALONE: Grid = { columns: 1, rows: 1 };

/**
 * Filters for an upright picture with square pixels, in the colors that its format implies.
 * @param most Longest side of the output. @param grid Of the sheet that the picture is on, which has the format; null for none.
 */
export function pictureShape(
  { video, filters: before }: Displayed,
  input: PictureInput,
  most: number,
  capabilities: Capabilities,
  grid: Grid | null = null,
): PictureShape {
  const display = displaySize(video);
  const warnings: Warning[] = interlacedSource(video);
  if (video.alpha && (input.format === 'jpeg' || !isTransparent(video.pixelFormat)))
    warnings.push(alphaDropped('the picture'));
  if (video.hdr)
    warnings.push({ code: 'hdr_tonemapped', detail: 'The picture was tone-mapped from HDR to BT.709.' });
  const asked = askedSize(display, input);
  if (asked) checkSide(asked, most);
  const shape = asked
    ? fitFilters(display, asked, input.fit, false)
    : whole(video, display, most, grid ?? ALONE, warnings);
  return {
    size: shape.size,
    filters: [
      ...before,
      ...(video.hdr ? toSdr(video, capabilities) : []),
      ...shape.filters,
      ...colored(video, grid ? 'png' : input.format),
    ],
    warnings,
  };
}

function whole(
  video: VideoStream,
  display: Size,
  most: number,
  { columns, rows }: Grid,
  warnings: Warning[],
) {
  const scale = Math.min(most / (display.width * columns), most / (display.height * rows));
  if (scale >= 1) return { size: display, filters: video.sar === 1 ? [] : scaled(display) };
  const side = (own: number, times: number) =>
    Math.max(1, Math.min(Math.round(own * scale), Math.floor(most / times)));
  const size = { width: side(display.width, columns), height: side(display.height, rows) };
  const detail = `${display.width} × ${display.height} px was reduced to ${size.width} × ${size.height} px${columns > 1 ? ' on the sheet' : ''}, the limit of your plan.`;
  warnings.push({ code: 'size_reduced', detail });
  return { size, filters: scaled(size) };
}

const opaque = { webp: 'bgra', pam: 'rgba', png: 'rgb24' } as const;
const clear = { ...opaque, png: 'rgba' } as const;

function colored(video: VideoStream, format: Still | 'pam'): Filter[] {
  if (/rgb|gbr|bgr|pal8|gray|ya8/.test(video.pixelFormat)) {
    return [
      {
        name: 'format',
        options: { pix_fmts: format === 'jpeg' ? 'yuvj420p' : format === 'webp' ? 'bgra' : 'rgba' },
      },
    ];
  }
  const matrix = video.hdr ? 'bt709' : matrixOf(video);
  if (format === 'jpeg') {
    return [
      { name: 'scale', options: { in_color_matrix: matrix, out_color_matrix: 'bt601', out_range: 'pc' } },
      { name: 'format', options: { pix_fmts: 'yuvj420p' } },
    ];
  }
  return [
    { name: 'scale', options: { in_color_matrix: matrix, flags: EXACT_RGB } },
    { name: 'format', options: { pix_fmts: (isTransparent(video.pixelFormat) ? clear : opaque)[format] } },
  ];
}

const extensions: Record<Still, string> = { jpeg: 'jpg', png: 'png', webp: 'webp' };

export function pictureFile(role: string, format: Still): PlannedFile {
  return {
    role,
    file: `${role}.${extensions[format]}`,
    extension: extensions[format],
    media_type: pictureMediaTypes[format],
  };
}
