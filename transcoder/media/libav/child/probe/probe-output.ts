import {
  AV_CODEC_ID_NONE,
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_STILL_IMAGE,
  AV_NOPTS_VALUE,
  AV_OPT_TYPE_INT,
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_DOVI_CONF,
  AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVPixelFormat,
} from 'node-av/constants';
import {
  avChannelLayoutDescribe,
  avGcd,
  avGetCodecName,
  avGetMediaTypeString,
  avGetPixFmtName,
  Codec,
  CodecContext,
  type CodecParameters,
  type FormatContext,
  type Rational,
  type Stream,
} from 'node-av/lib';
import type { Printed } from '../../protocol.ts';
import { checked, pixelShape } from '../av.ts';
import type { ShownLength } from '../mp4/track-headers.ts';
import {
  contentLight,
  displayRotation,
  dolbyVision,
  masteringDisplay,
  printedMatrix,
} from '../read/side-data.ts';
import { bitsOf } from './bits-of.ts';

/** libav's knowledge of a file, in ffprobe's structure and terms. */

export type Properties = Record<string, unknown>;

export function printedFormat(input: FormatContext): Properties {
  return { format_name: input.iformat?.name, tags: input.metadata?.getAll() ?? {} };
}

/**
 * @param more Side data that the stream itself does not carry. @param most Seconds that it can last; null if unlimited.
 * @param length How long it is shown, if that may be more than libav says.
 */
export function printedStream(
  stream: Stream,
  more: Properties[],
  most: number | null,
  length: ShownLength | null,
): Printed['streams'][number] {
  const { codecpar: par, timeBase } = stream;
  const has = (disposition: number) => ((stream.disposition as number) & disposition ? 1 : 0);
  return {
    index: stream.index,
    codec_type: avGetMediaTypeString(par.codecType) ?? undefined,
    codec_name: par.codecId === AV_CODEC_ID_NONE ? undefined : (avGetCodecName(par.codecId) ?? undefined),
    codec_tag_string: par.codecTagString ?? undefined,
    profile: profileName(par),
    ...(par.codecType === AVMEDIA_TYPE_VIDEO ? picture(stream, par) : {}),
    ...(par.codecType === AVMEDIA_TYPE_AUDIO ? sound(par) : {}),
    time_base: fraction(timeBase, '/'),
    r_frame_rate: fraction(stream.rFrameRate, '/'),
    avg_frame_rate: fraction(stream.avgFrameRate, '/'),
    ...(stream.nbFrames > 0n ? { nb_frames: String(stream.nbFrames) } : {}),
    ...seconds('start_time', stream.startTime, timeBase),
    ...seconds('duration', atLeast(limited(stream.duration, most, timeBase), length, timeBase), timeBase),
    ...(par.bitRate > 0 ? { bit_rate: String(par.bitRate) } : {}),
    ...(par.bitsPerRawSample > 0 ? { bits_per_raw_sample: String(par.bitsPerRawSample) } : {}),
    disposition: {
      default: has(AV_DISPOSITION_DEFAULT),
      attached_pic: has(AV_DISPOSITION_ATTACHED_PIC),
      still_image: has(AV_DISPOSITION_STILL_IMAGE),
    },
    tags: stream.metadata?.getAll() ?? {},
    side_data_list: [...sideData(par), ...more],
  };
}

function picture(stream: Stream, par: CodecParameters): Properties {
  const shape = pixelShape(stream);
  return {
    width: par.width,
    height: par.height,
    field_order: fieldOrderOf(par),
    has_b_frames: par.videoDelay,
    pix_fmt: avGetPixFmtName(par.format as AVPixelFormat) ?? undefined,
    ...(shape.num > 0 ? { sample_aspect_ratio: fraction(reduced(shape), ':') } : {}),
    color_range: colorRanges[par.colorRange],
    color_space: colorSpaces[par.colorSpace],
    color_transfer: transfers[par.colorTrc],
    color_primaries: primaries[par.colorPrimaries],
  };
}

/** node-av exposes the field order only as an option of a codec context. */
function fieldOrderOf(par: CodecParameters): string | undefined {
  const context = new CodecContext();
  try {
    context.allocContext3(null);
    checked(context.parametersToContext(par), 'picture parameters');
    return fieldOrders[context.getOption('field_order', AV_OPT_TYPE_INT) ?? 0];
  } finally {
    context.freeContext();
  }
}

function sound(par: CodecParameters): Properties {
  const { channelLayout } = par;
  const known = channelLayout.order !== 0;
  return {
    sample_rate: String(par.sampleRate),
    channels: channelLayout.nbChannels,
    channel_layout: (known && avChannelLayoutDescribe(channelLayout)) || undefined,
    bits_per_sample: bitsOf(avGetCodecName(par.codecId) ?? ''),
  };
}

export function profileName({ codecId, profile }: CodecParameters): string | undefined {
  const chosen = Codec.findDecoder(codecId)?.profiles;
  const known =
    chosen ?? Codec.getCodecList().find((codec) => codec.id === codecId && codec.profiles)?.profiles ?? [];
  return known.find((candidate) => candidate.profile === (profile as number))?.name;
}

function sideData(par: CodecParameters): Properties[] {
  const [matrix, display, light, dovi] = [
    par.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX),
    par.getCodedSideData(AV_PKT_DATA_MASTERING_DISPLAY_METADATA),
    par.getCodedSideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL),
    par.getCodedSideData(AV_PKT_DATA_DOVI_CONF),
  ];
  return [
    ...(matrix
      ? [
          {
            side_data_type: 'Display Matrix',
            ...{ displaymatrix: printedMatrix(matrix), rotation: displayRotation(matrix) },
          },
        ]
      : []),
    ...(display ? [masteringDisplay(display)] : []),
    ...(light ? [contentLight(light)] : []),
    ...(dovi ? [dolbyVision(dovi)] : []),
  ];
}

function fraction({ num, den }: { num: number; den: number }, separator: string): string {
  return num === 0 ? `0${separator}0` : `${num}${separator}${den}`;
}

function reduced({ num, den }: Rational): { num: number; den: number } {
  const divisor = Number(avGcd(num, den));
  return { num: num / divisor, den: den / divisor };
}

/** @param most In seconds. */
function limited(ticks: bigint, most: number | null, { num, den }: Rational): bigint {
  const bound = most === null ? ticks : BigInt(Math.round((most * den) / num));
  return bound < ticks ? bound : ticks;
}

/** Rounding, and a last picture that is decoded as long as another one, make no difference. */
function atLeast(ticks: bigint, length: ShownLength | null, { num, den }: Rational): bigint {
  if (length === null || ticks === AV_NOPTS_VALUE) return ticks;
  const shown = Math.round((length.total * den) / num);
  return shown - Number(ticks) > (length.frame * den) / num / 2 ? BigInt(shown) : ticks;
}

function seconds(name: string, ticks: bigint, { num, den }: Rational): Properties {
  return ticks === AV_NOPTS_VALUE ? {} : { [name]: ((Number(ticks) * num) / den).toFixed(6) };
}

/** Field order: first letter coded first, second letter shown first. */
const fieldOrders = [undefined, 'progressive', 'tt', 'bb', 'tb', 'bt'];

/** Indexed by the code points of ISO/IEC 23091-2. */
const colorRanges = [undefined, 'tv', 'pc'];
const colorSpaces = [
  ...['gbr', 'bt709', undefined, undefined, 'fcc', 'bt470bg', 'smpte170m', 'smpte240m', 'ycgco'],
  ...['bt2020nc', 'bt2020c', 'smpte2085', 'chroma-derived-nc', 'chroma-derived-c', 'ictcp'],
];
const transfers = [
  ...[undefined, 'bt709', undefined, undefined, 'bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'linear'],
  ...['log100', 'log316', 'iec61966-2-4', 'bt1361e', 'iec61966-2-1', 'bt2020-10', 'bt2020-12'],
  ...['smpte2084', 'smpte428', 'arib-std-b67'],
];
const primaries: Partial<Record<number, string>> = {
  ...{ 1: 'bt709', 4: 'bt470m', 5: 'bt470bg', 6: 'smpte170m', 7: 'smpte240m', 8: 'film', 9: 'bt2020' },
  ...{ 10: 'smpte428', 11: 'smpte431', 12: 'smpte432', 22: 'ebu3213' },
};
