import {
  MOST_AV1_KBPS,
  type Quality,
  type VideoCodec,
  type VideoContainer,
} from '../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import { type Color, encoderOf, masters, type Rate, type VideoEncoding } from '../../model/encoding.ts';
import { finer, timeBaseOf } from '../../model/numbers/rational-time.ts';
import type { StatedVideo } from '../../model/source/video-stream.ts';
import type { Filter } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { assumedSpace } from './color-matrix.ts';
import { encodedFields, interlacedSource, scaledFieldwise } from './deinterlace.ts';
import { evenCrop } from './filters.ts';
import { type Size, uprightSize, withoutOdd } from './geometry.ts';
import { codecOf } from './output-codec.ts';
import { checkSide } from './require-streams.ts';

interface Asked {
  format: VideoContainer;
  codec: 'auto' | VideoCodec;
  quality: Quality;
  /** Requested constant frame rate. */
  fps?: number | undefined;
}

export interface VideoTarget {
  codec: VideoCodec;
  encoding: VideoEncoding;
  /** Filters that run first, at the source's size. */
  before: Filter[];
  warnings: Warning[];
  /** Whether width and height must be even. */
  even: boolean;
}

/**
 * How to encode `video`. Throws `engine_unavailable`.
 * @param size Of the output; of one that keeps its pixels, even if they are not square, the displayed size.
 */
export function videoTarget(
  video: StatedVideo,
  asked: Asked,
  size: Size,
  capabilities: Capabilities,
): VideoTarget {
  const codec = codecOf(video, asked.format, asked.codec);
  const encoder = encoderOf[codec].find((name) => capabilities.encoders.has(name));
  if (!encoder)
    throw new TaskFailure('engine_unavailable', `Encoding ${codec} is not available. Use another \`codec\`.`);
  const deep = video.bitDepth > 8 && (codec !== 'h264' || video.codec === 'h264');
  const flat = video.hdr && !deep;
  const rate = rateOf(video, codec, asked, size);
  const fields = encodedFields(video);
  const pixelFormat = deep ? 'yuv420p10le' : 'yuv420p';
  return {
    codec,
    encoding: {
      encoder,
      rate,
      pixelFormat,
      timeBase: fineTimeBase(asked.fps === undefined ? video.timeBase : frameTimeBase(asked.fps)),
      keyframeInterval: Math.max(1, Math.round(4 * (asked.fps ?? 1 / video.frameDuration))),
      frameSeconds: asked.fps === undefined ? video.frameDuration : 1 / asked.fps,
      reorder: true,
      color: flat ? drawnColor : colorOf(video, size),
      mastering: deep ? video.mastering : null,
      ...(fields ? { fields } : {}),
      ...(size.width <= NARROW ? { narrow: true as const } : {}),
    },
    before: fields
      ? scaledFieldwise([...beforeAll(video, deep), ...sampledAs(pixelFormat, video)])
      : flat
        ? toSdr(video, capabilities)
        : beforeAll(video, deep),
    warnings: [
      ...interlacedSource(video),
      ...(video.alpha ? [alphaDropped(`what is encoded in ${codec} here`)] : []),
      ...(deep && video.mastering && !masters.has(encoder) ? [masteringDropped(codec)] : []),
      ...(flat
        ? [
            {
              code: 'hdr_tonemapped' as const,
              detail: `8-bit ${codec} does not support HDR, so the picture was tone-mapped to BT.709.`,
            },
          ]
        : []),
    ],
    even: encoder !== 'libvpx-vp9' && encoder !== 'libaom-av1',
  };
}

/** Cuts off an odd last row and column if the encoder takes only even sides, with a warning. Throws `output_too_large`. */
export function encodable(
  size: Size,
  { even, codec, warnings: own }: Pick<VideoTarget, 'even' | 'warnings'> & { codec: string },
  most: number,
  warnings: Warning[],
): { size: Size; filters: Filter[] } {
  const { width, height } = even ? withoutOdd(size) : size;
  checkSide({ width, height }, most);
  warnings.push(...own);
  if (width !== size.width || height !== size.height) {
    const detail = `${size.width} × ${size.height} px was reduced to ${width} × ${height} px: ${codec} needs even sides.`;
    warnings.push({ code: 'size_reduced', detail });
  }
  return { size: { width, height }, filters: even ? evenCrop(size.width, size.height) : [] };
}

/** Up to this width x265 writes past the end of its memory if it propagates quantisers (CU-tree), which no error announces. */
const NARROW = 48;

/** BT.709, as of pictures that we draw. */
export const drawnColor = { space: 'bt709', transfer: 'bt709', primaries: 'bt709', range: 'tv' };

/** zscale takes and makes no subsampled pictures of odd sides. */
export function zscaled({ width, height }: StatedVideo, filters: readonly Filter[]): Filter[] {
  const whole = { name: 'format', options: { pix_fmts: 'yuv444p12le' } };
  return width % 2 === 0 && height % 2 === 0 ? [...filters] : [whole, ...filters, whole];
}

/** HDR to BT.709. Without zscale swscale converts what it can; changing the tags alone would mislabel the picture. */
export function toSdr(video: StatedVideo, capabilities: Capabilities): Filter[] {
  if (!capabilities.filters.has('zscale')) return [{ name: 'format', options: { pix_fmts: 'yuv420p' } }];
  const { color } = video;
  // zscale fails if any of them is unknown. All HDR video that states only its transfer function is BT.2020.
  const unstated = {
    ...(color.space === null ? { matrixin: 'bt2020nc' } : {}),
    ...(color.primaries === null ? { primariesin: 'bt2020', primaries: 'bt2020' } : {}),
  };
  return [
    ...zscaled(video, [
      { name: 'zscale', options: { ...unstated, transfer: 'linear', npl: 100 } },
      { name: 'format', options: { pix_fmts: 'gbrpf32le' } },
      { name: 'zscale', options: { primaries: 'bt709' } },
      { name: 'tonemap', options: { tonemap: 'hable', desat: 0 } },
      { name: 'zscale', options: { transfer: 'bt709', matrix: 'bt709', range: 'tv' } },
    ]),
    { name: 'format', options: { pix_fmts: 'yuv420p' } },
  ];
}

/** Without this ffmpeg converts a full-range format (`yuvj…`) to limited range, whatever its tags say afterwards. */
const keptFull: Filter[] = [{ name: 'scale', options: { out_range: 'full' } }];

/** Filters that draw black or a color. */
const drawing: ReadonlySet<string> = new Set(['fade', 'pad']);

/** Keeps full range, which `scale` turns into limited range in ffmpeg 5.1 unless it has an option, and draws in it. */
export function inRange(filters: readonly Filter[], { encoding }: Pick<VideoTarget, 'encoding'>): Filter[] {
  if (encoding.color.range !== 'pc') return [...filters];
  const full = { out_range: 'full' };
  return filters.flatMap((one) => {
    if (one.name === 'scale') return [{ ...one, options: { ...one.options, ...full } }];
    return drawing.has(one.name) ? drawnInFullRange([one], encoding.pixelFormat) : [one];
  });
}

/**
 * For filters that know full range by the name of the pixel format alone, and would draw black as 16 of 255. Formats of 10 bits have no
 * such name: what is drawn on is of limited range, which they have levels enough for.
 */
export const drawnInFullRange = (filters: readonly Filter[], pixelFormat: string): Filter[] =>
  pixelFormat === 'yuv420p'
    ? [
        { name: 'format', options: { pix_fmts: 'yuvj420p' } },
        ...filters,
        ...keptFull,
        { name: 'format', options: { pix_fmts: 'yuv420p' } },
      ]
    : [
        { name: 'scale', options: { in_range: 'full', out_range: 'limited' } },
        ...filters,
        { name: 'scale', options: { in_range: 'limited', out_range: 'full' } },
      ];

/** Whether it is coded as RGB, which we never encode. Few codecs state it. */
export const isRgb = ({ color, pixelFormat }: StatedVideo): boolean =>
  color.space === 'gbr' || color.space === 'rgb' || /rgb|bgr|gbr|pal8/.test(pixelFormat);

/** Pixels that share a chroma sample, across and down, of what comes into filters: RGB is converted before. */
export const chromaIn = (video: StatedVideo): readonly [number, number] =>
  isRgb(video) ? [2, 2] : video.chroma;

/** States the colors of an untagged source if players would assume others for the size of the output. */
function colorOf(video: StatedVideo, size: Size): Color {
  const { color, hdr } = video;
  if (isRgb(video)) return { ...color, space: drawnColor.space, range: drawnColor.range };
  const range = fullRange(video) ? 'pc' : color.range;
  const whole = size.width === video.displayWidth && size.height === video.displayHeight;
  const { height } = whole ? uprightSize(video) : size;
  const space = assumedSpace(video.height);
  if (color.space !== null || hdr || assumedSpace(height) === space) return { ...color, range };
  return { space, primaries: color.primaries ?? space, transfer: color.transfer ?? space, range };
}

function beforeAll(video: StatedVideo, deep: boolean): Filter[] {
  if (!isRgb(video)) return fullRange(video) ? keptFull : [];
  return [
    { name: 'scale', options: { out_color_matrix: drawnColor.space, out_range: 'limited' } },
    { name: 'format', options: { pix_fmts: deep ? 'yuv420p10le' : 'yuv420p' } },
  ];
}

/** ffmpeg would convert the chroma of both fields as one picture. */
function sampledAs(pixelFormat: string, { chroma }: StatedVideo): Filter[] {
  if (chroma[0] === 2 && chroma[1] === 2) return [];
  return [{ name: 'scale' }, { name: 'format', options: { pix_fmts: pixelFormat } }];
}

function fullRange(video: StatedVideo): boolean {
  return video.pixelFormat.startsWith('yuvj');
}

const masteringDropped = (codec: VideoCodec): Warning => ({
  code: 'hdr_metadata_dropped',
  detail: `The output is HDR, but ${codec} does not carry the mastering display and light level metadata.`,
});

/** @param into What has no alpha. */
export const alphaDropped = (into: string): Warning => ({
  code: 'alpha_dropped',
  detail: `The source is transparent, but ${into} does not support transparency.`,
});

function fineTimeBase(text: string): string {
  const { num, den } = finer(timeBaseOf(text));
  return `${num}/${den}`;
}

function frameTimeBase(fps: number): string {
  const ntsc = Math.round(fps * 1001) / 1000;
  if (Number.isInteger(fps)) return `1/${fps}`;
  if (Math.abs(ntsc - Math.round(ntsc)) < 0.01) return `1001/${Math.round(ntsc) * 1000}`;
  return `1000/${Math.round(fps * 1000)}`;
}

/** A frame rate as a fraction: 29.97 means 30000/1001. */
export function rateText(fps: number): string {
  return frameTimeBase(fps).split('/').reverse().join('/');
}

/**
 * For a few frames next to copied packets: too short for an average bitrate to settle.
 * @param quantiser Of the source; null if unknown.
 */
export const briefRate = (codec: VideoCodec, quantiser: number | null): Rate =>
  quantiser === null ? { crf: crfs[codec].match, maxKbps: null } : { qp: quantiser };

const crfs: Record<VideoCodec, { match: number; low: number; medium: number; high: number; max: number }> = {
  h264: { match: 18, low: 29, medium: 23, high: 18, max: 51 },
  hevc: { match: 20, low: 31, medium: 25, high: 20, max: 51 },
  vp9: { match: 24, low: 42, medium: 33, high: 24, max: 63 },
  av1: { match: 24, low: 47, medium: 36, high: 26, max: 63 },
};

/** Relative bitrate that a codec needs for the same quality; h264 is 1. */
const appetite: Record<string, number> = {
  h264: 1,
  hevc: 0.75,
  vp9: 0.75,
  av1: 0.6,
  mpeg4: 1.4,
  vp8: 1.2,
  mpeg2video: 1.8,
};
const LEAST_KBPS = 50;
/** ffmpeg refuses a rate whose buffer, twice as large, has more bits than 2^31. */
const MOST_KBPS = 1_000_000;

const mostKbpsOf = (codec: VideoCodec): number => (codec === 'av1' ? MOST_AV1_KBPS : MOST_KBPS);

/**
 * x264 and x265 learn only from the first frames how many bits an average bitrate leaves for each. Until then they go up to
 * quantisers at which a frame keeps parts of its neighbours. This maximum keeps frames distinct (rabbit.webm cropped to 63
 * kbit/s: least PSNR 29.5 dB instead of 24.8, of the same size). It does not hold where the whole source is coarser.
 */
const coarsest: Record<VideoCodec, number | null> = { h264: 42, hevc: 42, vp9: null, av1: null };
const STARVED_BITS_PER_PIXEL = 0.01;

/**
 * `match_source` keeps the source's bitrate, scaled to the remaining pixels and frames, and increased if the requested
 * codec is less efficient. Intermediate and camera codecs spend bits on other things than quality, so their bitrate is
 * only an upper bound; constant quality is also used if the source does not state its bitrate.
 */
function rateOf(video: StatedVideo, codec: VideoCodec, asked: Asked, size: Size): Rate {
  const { quality } = asked;
  const table = crfs[codec];
  if (typeof quality !== 'string') {
    if ('crf' in quality) return { crf: Math.min(table.max, quality.crf), maxKbps: null };
    return { kbps: Math.min(mostKbpsOf(codec), quality.video_bitrate_kbps), qmax: null };
  }
  if (quality !== 'match_source') return { crf: table[quality], maxKbps: null };
  if (video.kbps === null) return { crf: table.match, maxKbps: null };
  const own = appetite[video.codec];
  const codecs = Math.max(1, (appetite[codec] ?? 1) / (own ?? 1));
  const pixels = Math.min(1, (size.width * size.height) / (video.displayWidth * video.displayHeight));
  const frames = asked.fps === undefined ? 1 : Math.min(1, asked.fps * video.frameDuration);
  const shared = Math.round(video.kbps * codecs * pixels * frames);
  const kbps = Math.min(mostKbpsOf(codec), Math.max(LEAST_KBPS, shared));
  if (own === undefined) return { crf: table.match, maxKbps: kbps };
  const framesPerSecond = asked.fps ?? 1 / video.frameDuration;
  // An enlarged picture has no more to code than the source had.
  const shown = pixels * video.displayWidth * video.displayHeight;
  const bitsPerPixel = (kbps * 1000) / (shown * framesPerSecond);
  return { kbps, qmax: bitsPerPixel < STARVED_BITS_PER_PIXEL ? null : coarsest[codec] };
}

/**
 * The rate of a part in which some of `clips` are visible. Parts are joined without re-encoding, and x264 writes a constant
 * quality, but no average bitrate, into the parameter sets that they share: all parts of an output are of one kind.
 */
export function rateOfClips(
  clips: readonly StatedVideo[],
  codec: VideoCodec,
  asked: Asked,
  size: Size,
): (visible: readonly StatedVideo[]) => Rate {
  const own = (video: StatedVideo) => rateOf(video, codec, asked, size);
  const averaged = clips.every((video) => 'kbps' in own(video));
  const alike = (rate: Rate): Rate =>
    averaged || !('kbps' in rate) ? rate : { crf: crfs[codec].match, maxKbps: rate.kbps };
  return (visible) => {
    const [first, ...others] = (visible.length > 0 ? visible : clips.slice(0, 1)).map(own).map(alike);
    if (!first) throw new Error('a picture without clips');
    return others.reduce((most, rate) => (mostKbps(rate) > mostKbps(most) ? rate : most), first);
  };
}

function mostKbps(rate: Rate): number {
  if ('kbps' in rate) return rate.kbps;
  return ('crf' in rate && rate.maxKbps) || Number.POSITIVE_INFINITY;
}
