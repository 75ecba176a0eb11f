import type { VideoEncoding } from '../../../model/encoding.ts';
import type { PlanRequest } from '../../../model/plan.ts';
import type { VideoStream } from '../../../model/source/video-stream.ts';
import type { Chain, Filter } from '../../../model/steps.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import type { Size } from '../geometry.ts';
import type { Delivered } from '../splice-compatibility.ts';
import { drawnColor, type VideoTarget, videoTarget } from '../video-target.ts';

/** What is behind a drawing in place of the picture of the source. */
export type Backdrop = 'transparent' | 'green';

type Target = Omit<VideoTarget, 'codec'> & { codec: string };

/** The video as if its frames were drawn: they give their times and their size alone. */
export const drawnLike = (video: VideoStream): VideoStream => ({
  ...video,
  ...{ codec: 'drawn', pixelFormat: 'yuv420p', bitDepth: 8, alpha: false, chroma: [2, 2], color: drawnColor },
  ...{ interlaced: false, deinterlace: 'auto', hdr: false, mastering: null, kbps: null },
});

/** How a drawing without the source is encoded: in BT.709. Throws `engine_unavailable`. */
export function backdropTarget(
  backdrop: Backdrop,
  video: VideoStream,
  { input, capabilities }: Pick<PlanRequest<Delivered>, 'input' | 'capabilities'>,
  size: Size,
): Target {
  const target = videoTarget(video, qualityOf(input, backdrop), size, capabilities);
  if (backdrop === 'green') return target;
  if (input.format !== 'mov') return { ...target, encoding: { ...target.encoding, pixelFormat: 'yuva420p' } };
  if (!capabilities.encoders.has('prores_ks'))
    throw new TaskFailure('engine_unavailable', 'Encoding ProRes is not available. Use `format: webm`.');
  const encoding: VideoEncoding = {
    ...{ ...target.encoding, encoder: 'prores_ks', pixelFormat: 'yuva444p10le' },
    ...{ rate: { qp: PRORES_QUANTISER }, keyframeInterval: 1, reorder: false },
  };
  return { ...target, codec: 'prores', encoding, even: false };
}

/** Its drawings differ from the uncompressed ones by 63 dB, as with 1, in 15 % fewer bits. */
const PRORES_QUANTISER = 2;

/** There is no bitrate of the source to match. Of the codecs that we encode, only ProRes and VP9 have transparency. */
function qualityOf(input: Delivered, backdrop: Backdrop): Delivered {
  const quality = input.quality === 'match_source' ? 'high' : input.quality;
  if (backdrop === 'green') return { ...input, quality };
  return { ...input, quality, codec: input.format === 'mov' ? 'auto' : 'vp9' };
}

/**
 * Draws on a plain picture. libass cannot draw on transparency: it would multiply the opacity of a color with itself. So the same is
 * drawn on black and on white, and how much the two differ is the transparency.
 * @param seen Filters that give each frame its time. @param draw Filters that draw.
 */
export function drawnAlone(
  backdrop: Backdrop,
  from: string,
  seen: readonly Filter[],
  draw: readonly Filter[],
): Chain[] {
  if (backdrop === 'green') {
    const filters = [...seen, rgb, plain(0, 255, 0), ...draw, ...toBt709('yuv420p')];
    return [{ from: [from], filters, to: ['v'] }];
  }
  const difference: Filter[] = [
    { name: 'blend', options: { all_mode: 'difference' } },
    { name: 'negate' },
    { name: 'extractplanes', options: { planes: 'g' } },
  ];
  const straight: Filter[] = [
    { name: 'alphamerge' },
    { name: 'format', options: { pix_fmts: 'gbrap' } },
    { name: 'unpremultiply', options: { inplace: 1 } },
  ];
  return [
    { from: [from], filters: [...seen, rgb, { name: 'split' }], to: ['black', 'white'] },
    { from: ['black'], filters: [plain(0, 0, 0), ...draw, { name: 'split' }], to: ['color', 'dark'] },
    { from: ['white'], filters: [plain(255, 255, 255), ...draw], to: ['light'] },
    { from: ['light', 'dark'], filters: difference, to: ['alpha'] },
    { from: ['color', 'alpha'], filters: [...straight, ...toBt709('yuva444p10le')], to: ['v'] },
  ];
}

const rgb: Filter = { name: 'format', options: { pix_fmts: 'gbrp' } };

const plain = (r: number, g: number, b: number): Filter => ({ name: 'lutrgb', options: { r, g, b } });

/** Encoders convert this to the format that they need. */
const toBt709 = (pixelFormat: string): Filter[] => [
  { name: 'scale', options: { out_color_matrix: 'bt709', out_range: 'limited' } },
  { name: 'format', options: { pix_fmts: pixelFormat } },
  {
    name: 'setparams',
    options: { range: 'tv', color_primaries: 'bt709', color_trc: 'bt709', colorspace: 'bt709' },
  },
];
