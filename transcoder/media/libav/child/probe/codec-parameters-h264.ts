import {
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV420P10LE,
  AV_PIX_FMT_YUV422P,
  AV_PIX_FMT_YUV422P10LE,
  AV_PIX_FMT_YUV444P,
  AV_PIX_FMT_YUV444P10LE,
  AV_PIX_FMT_YUVJ420P,
  AV_PIX_FMT_YUVJ422P,
  AV_PIX_FMT_YUVJ444P,
  AV_PROFILE_H264_BASELINE,
  AV_PROFILE_H264_CONSTRAINED,
  AV_PROFILE_H264_INTRA,
  AVCHROMA_LOC_LEFT,
  AVCHROMA_LOC_UNSPECIFIED,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_RGB,
  type AVPixelFormat,
} from 'node-av/constants';
import { type CodecParameters, Rational } from 'node-av/lib';
import { parseAvcc } from '../../../../bitstream/avcc.ts';
import { parseSps, type Sps } from '../../../../bitstream/h264-sets.ts';
import { parseVui, type Vui } from '../../../../bitstream/h264-vui.ts';

/** Completes parameters from the header's only SPS. @returns whether that gave all of them. */
export function describeH264(par: CodecParameters): boolean {
  try {
    const { sps: sets } = parseAvcc(Uint8Array.from(par.extradata ?? []));
    const [set] = sets;
    if (!set || sets.length > 1) return false;
    const sps = parseSps(set);
    return describeBy(par, sps, parseVui(set, sps));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

function describeBy(par: CodecParameters, sps: Sps, vui: Vui | null): boolean {
  // Only the slices tell whether frames are interlaced.
  if (!sps.frameMbsOnly) return false;
  if (vui && vui.fullRange !== null) par.colorRange = vui.fullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  if (vui?.color) Object.assign(par, colorsOf(vui.color));
  const format = formatOf(sps, par);
  const size = sizeOf(sps, par);
  if (format === null || !size) return false;
  const [num, den] = vui?.shape ?? [0, 1];
  Object.assign(par, {
    ...{ ...size, format, profile: profileOf(sps), level: sps.level, bitsPerRawSample: sps.bitDepthLuma },
    ...{ sampleAspectRatio: new Rational(num, den), chromaLocation: chromaLocationOf(vui) },
    videoDelay: Math.max(par.videoDelay, vui?.reorder ?? 0),
  });
  return true;
}

/** As libav reports it: unassigned codes count as unspecified. */
function colorsOf([primaries, transfer, matrix]: readonly [number, number, number]) {
  const known = (code: number, meant: boolean) => (meant ? code : UNSPECIFIED);
  return {
    colorPrimaries: known(primaries, primaries <= 12 || primaries === 22),
    colorTrc: known(transfer, transfer <= 18),
    colorSpace: known(matrix, matrix <= 17),
  };
}
const UNSPECIFIED = 2;

/** By chroma_format_idc: 4:2:0, 4:2:2, 4:4:4. */
const full = [null, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P];
const limited = [null, AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P];
const deep = [null, AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUV444P10LE];

/** Null for an uncommon pixel format. */
function formatOf(sps: Sps, { colorRange, colorSpace }: CodecParameters): AVPixelFormat | null {
  const { chromaFormat, bitDepthLuma, bitDepthChroma, separatePlanes } = sps;
  if (separatePlanes || bitDepthLuma !== bitDepthChroma) return null;
  if (chromaFormat === 3 && colorSpace === AVCOL_SPC_RGB) return null;
  if (bitDepthLuma === 10) return deep[chromaFormat] ?? null;
  if (bitDepthLuma !== 8) return null;
  return (colorRange === AVCOL_RANGE_JPEG ? full : limited)[chromaFormat] ?? null;
}

/** The container may crop more of the last macroblocks than the SPS does. Null if nothing is left. */
function sizeOf(sps: Sps, par: CodecParameters): { width: number; height: number } | null {
  const fields = sps.frameMbsOnly ? 1 : 2;
  const unit = [sps.chromaFormat === 3 ? 1 : 2, (sps.chromaFormat === 1 ? 2 : 1) * fields] as const;
  const coded = [sps.widthMbs * BLOCK, sps.heightMapUnits * fields * BLOCK] as const;
  const [left, right, top, bottom] = sps.crop;
  const width = coded[0] - (left + right) * unit[0];
  const height = coded[1] - (top + bottom) * unit[1];
  if (width <= 0 || height <= 0) return null;
  const within = (container: number, own: number) =>
    container > 0 && container <= own && Math.ceil(container / BLOCK) === Math.ceil(own / BLOCK);
  const cut = left === 0 && top === 0 && within(par.width, width) && within(par.height, height);
  return cut ? { width: par.width, height: par.height } : { width, height };
}
const BLOCK = 16;

/** H.264 A.2: constraint flags that turn a profile into another. */
function profileOf({ profile, constraints }: Sps): number {
  if (profile === AV_PROFILE_H264_BASELINE && constraints & 0x40)
    return profile | AV_PROFILE_H264_CONSTRAINED;
  return [110, 122, 244].includes(profile) && constraints & 0x10 ? profile | AV_PROFILE_H264_INTRA : profile;
}

/** Defaults to left if the VUI does not state it; unspecified without a VUI. */
function chromaLocationOf(vui: Vui | null): number {
  if (!vui) return AVCHROMA_LOC_UNSPECIFIED;
  if (vui.chromaPosition === null) return AVCHROMA_LOC_LEFT;
  return vui.chromaPosition <= 5 ? vui.chromaPosition + 1 : AVCHROMA_LOC_UNSPECIFIED;
}
