import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { Mastering } from '../../model/mastering.ts';
import {
  holdsPresentationTimes,
  isHdr,
  isInterlaced,
  isTransparent,
  type StatedVideo,
  type VideoStream,
} from '../../model/source/video-stream.ts';
import { kbpsOf, type PrintedStream, ratio } from './ffprobe-schema.ts';

/** A video stream as ffprobe prints it, without the times, which `track-times.ts` decides. */
export function videoStream(stream: PrintedStream, format: Demuxer): StatedVideo {
  const { width = 0, height = 0 } = stream;
  const pixelFormat = stream.pix_fmt ?? 'yuv420p';
  const sar = ratio(stream.sample_aspect_ratio, ':') ?? 1;
  const rotation = rotationOf(stream);
  const square = [Math.max(1, Math.round(width * sar)), height] as const;
  const [displayWidth, displayHeight] = rotation % 180 === 0 ? square : [square[1], square[0]];
  const average = ratio(stream.avg_frame_rate, '/');
  const rate = average ?? ratio(stream.r_frame_rate, '/') ?? 25;
  const frameRate = average === null ? (stream.r_frame_rate ?? null) : (stream.avg_frame_rate ?? null);
  const transfer = tag(stream.color_transfer);
  return {
    index: stream.index,
    codec: stream.codec_name ?? 'unknown',
    ...(stream.needs_version ? { needsVersion: true } : {}),
    ...(stream.single_fields ? { singleFields: true } : {}),
    ...(stream.within_group ? { withinGroup: true } : {}),
    ...(stream.unseen_packets ? { unseenPackets: true } : {}),
    ...(stream.misflagged ? { misflagged: true } : {}),
    ...(stream.redescribed ? { redescribed: true } : {}),
    ...(stream.false_rate ? { falseRate: true } : {}),
    ...(stream.joined ? { joined: true } : {}),
    ...(stream.begins_early ? { beginsEarly: true } : {}),
    ...((stream.has_b_frames ?? 0) > 0 ? { reordered: true } : {}),
    width,
    height,
    sar,
    sarText: stream.sample_aspect_ratio ?? null,
    rotation,
    ...(isMirrored(stream) ? { mirrored: true } : {}),
    displayWidth,
    displayHeight,
    pixelFormat,
    bitDepth: bitDepthOf(stream, pixelFormat),
    alpha: hasAlpha(stream, pixelFormat),
    chroma: chromaOf(pixelFormat),
    color: {
      space: tag(stream.color_space),
      transfer,
      primaries: tag(stream.color_primaries),
      range: tag(stream.color_range),
    },
    interlaced: stream.single_fields || isInterlaced(stream.field_order),
    ...(/^[tb]b$/.test(stream.field_order ?? '') ? { bottomFirst: true } : {}),
    deinterlace: 'auto',
    hdr: isHdr(transfer),
    mastering: masteringOf(stream.side_data_list),
    ...dolbyVisionOf(stream.side_data_list),
    timeBase: stream.time_base ?? '1/90000',
    frameRate: rate > 0 ? frameRate : null,
    frameDuration: 1 / rate,
    decodeDelay: holdsPresentationTimes(format) ? 0 : (stream.has_b_frames ?? 0),
    pace: paceOf(stream, format),
    frames: stream.nb_frames ?? null,
    kbps: kbpsOf(stream),
  };
}

/** The mp4 sample table counts every frame of the track, so equal rates prove a constant frame rate. */
function paceOf(stream: PrintedStream, format: Demuxer): VideoStream['pace'] {
  if (format !== 'mov' || (stream.nb_frames ?? 0) < 2) return 'unknown';
  if (stream.avg_frame_rate === stream.r_frame_rate) return hidesFrames(stream) ? 'unknown' : 'constant';
  const average = ratio(stream.avg_frame_rate, '/') ?? 1;
  const guessed = ratio(stream.r_frame_rate, '/') ?? average;
  return Math.abs(guessed / average - 1) > 0.02 ? 'variable' : 'unknown';
}

/** How far a duration in ticks of a movie, of which there are 600 a second or more, is from whole frames. */
const ROUNDED_SECONDS = 0.002;
const ROUNDED_FRAMES = 0.1;

/** An edit list may show fewer frames than the sample table lists: libav leaves out one that begins before it, even if most of it is shown. */
function hidesFrames({ nb_frames = 0, duration = 0, avg_frame_rate }: PrintedStream): boolean {
  const rate = ratio(avg_frame_rate, '/') ?? 1;
  return Math.abs(nb_frames - duration * rate) > Math.min(ROUNDED_FRAMES, ROUNDED_SECONDS * rate);
}

function tag(value: string | undefined): string | null {
  return value === undefined || value === 'unknown' || value === 'unspecified' || value === 'reserved'
    ? null
    : value;
}

function bitDepthOf(stream: PrintedStream, pixelFormat: string): number {
  const stated = /(?:p|gray|gbrp|rgb|y2)(9|10|12|14|16)(?:le|be)/.exec(pixelFormat)?.[1];
  return Number(stated ?? (/48|64/.test(pixelFormat) ? 16 : (stream.bits_per_raw_sample ?? 8))) || 8;
}

/** VP8 and VP9 code alpha as a second picture in each packet; only the container's `alpha_mode` tag reveals it. */
function hasAlpha({ codec_name, tags }: PrintedStream, pixelFormat: string): boolean {
  if (codec_name === 'gif') return false;
  return (tags.alpha_mode ?? tags.ALPHA_MODE) === '1' || isTransparent(pixelFormat);
}

function chromaOf(pixelFormat: string): readonly [number, number] {
  if (/420|nv12|nv21|p010/.test(pixelFormat)) return [2, 2];
  if (/422|nv16|p210/.test(pixelFormat)) return [2, 1];
  return [1, 1];
}

const quarterTurns = [0, 90, 180, 270] as const;

function rotationOf(stream: PrintedStream): VideoStream['rotation'] {
  const matrix = stream.side_data_list.find((data) => data.rotation !== undefined);
  const counterClockwise = Number(matrix?.rotation ?? 0);
  const quarters = Math.round(-counterClockwise / 90) % 4;
  return quarterTurns.at(quarters) ?? 0;
}

/** Whether the display matrix, which is printed as three rows of three numbers, mirrors the picture. */
function isMirrored(stream: PrintedStream): boolean {
  const printed = stream.side_data_list.find((data) => data.displaymatrix !== undefined)?.displaymatrix;
  const rows = String(printed ?? '').matchAll(/^\d+:\s+(-?\d+)\s+(-?\d+)/gm);
  const [[a, b] = [1, 0], [c, d] = [0, 1]] = Array.from(rows, ([, x, y]) => [Number(x), Number(y)] as const);
  return a * d - b * c < 0;
}

/** From stream or frame side data, in x265 notation: chromaticity in units of 0.00002, luminance in units of 0.0001 cd/m². */
function masteringOf(sideData: readonly Record<string, unknown>[]): Mastering | null {
  const of = (name: string) => sideData.find((data) => data.side_data_type === name);
  const display = of('Mastering display metadata');
  const light = of('Content light level metadata');
  if (!display && !light) return null;
  const units = (key: string, scale: number) => Math.round((ratio(String(display?.[key]), '/') ?? 0) * scale);
  const point = (name: string) => `(${units(`${name}_x`, 50_000)},${units(`${name}_y`, 50_000)})`;
  const luminance = `L(${units('max_luminance', 10_000)},${units('min_luminance', 10_000)})`;
  return {
    display: display
      ? `G${point('green')}B${point('blue')}R${point('red')}WP${point('white_point')}${luminance}`
      : null,
    light: light ? `${Number(light.max_content)},${Number(light.max_average)}` : null,
  };
}

/** Profiles of Dolby Vision whose base layer may be in a color space of its own, IPT, if it is compatible with no other standard. */
const profilesOfOwnColors: readonly unknown[] = [5, 10];

function dolbyVisionOf(sideData: readonly Record<string, unknown>[]): Pick<VideoStream, 'dolbyVisionOnly'> {
  const record = sideData.find((data) => data.side_data_type === 'DOVI configuration record');
  const profile = record?.dv_profile;
  const own = record?.dv_bl_signal_compatibility_id === 0 && profilesOfOwnColors.includes(profile);
  return own ? { dolbyVisionOnly: Number(profile) } : {};
}
