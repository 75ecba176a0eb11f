import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_MSMPEG4V1,
  AV_CODEC_ID_MSMPEG4V2,
  AV_CODEC_ID_MSMPEG4V3,
  AV_CODEC_ID_VC1,
  AV_CODEC_ID_VP8,
  AV_CODEC_ID_VP9,
  AV_CODEC_ID_WMV1,
  AV_CODEC_ID_WMV2,
  AV_CODEC_ID_WMV3,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants';
import { avGetCodecName, Dictionary, FormatContext, Rational, type Stream } from 'node-av/lib';
import { languageIn } from '../../../../model/macintosh-languages.ts';
import type { Contained } from '../../protocol.ts';
import { checked, pixelShape } from '../av.ts';
import { describeConverted, packed } from './converted-sound.ts';
import { rateOf } from './frame-order.ts';
import { describeRedrawn, isRedrawn } from './redrawn-pictures.ts';
import type { SampleForm } from './sample-form.ts';

/** Codecs that mov and mp4 cannot describe completely for a decoder. */
const microsoft: readonly number[] = [
  ...[AV_CODEC_ID_WMV1, AV_CODEC_ID_WMV2, AV_CODEC_ID_WMV3, AV_CODEC_ID_VC1],
  ...[AV_CODEC_ID_MSMPEG4V1, AV_CODEC_ID_MSMPEG4V2, AV_CODEC_ID_MSMPEG4V3],
];

/** Resolution of edit lists, in ticks per second. */
const MOVIE_TIMESCALE = 90_000;

/** By stream, the form of samples that a sound is decoded to. */
export type Converted = ReadonlyMap<number, SampleForm>;

type Muxer = 'mov' | 'mp4' | 'matroska';

/** Opens the first container that holds all of the codecs. */
export async function openOutput(
  file: string,
  models: readonly Stream[],
  { stated, converted }: { stated: boolean; converted: Converted },
): Promise<{ output: FormatContext; format: Contained['format'] }> {
  let failure: unknown;
  for (const muxer of muxersFor(models, { stated, converted })) {
    try {
      const output = await opened(file, models, muxer, converted);
      return { output, format: muxer === 'matroska' ? muxer : 'mov' };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * The muxers of mov and mp4 write files for the same demuxer. mp4 holds any language and the codecs of broadcasts, mov most other
 * codecs, and Matroska VP8.
 */
function muxersFor(
  models: readonly Stream[],
  { stated, converted }: { stated: boolean; converted: Converted },
): Muxer[] {
  if (models.some(isRedrawn)) return ['mov', 'matroska'];
  const ids: number[] = models.map(({ codecpar }) => codecpar.codecId);
  if (ids.some((id) => microsoft.includes(id))) return ['matroska'];
  if (models.some(({ index }, at) => !converted.has(index) && packed.includes(ids[at] ?? 0)))
    return ['matroska'];
  if (ids.includes(AV_CODEC_ID_VP8)) return ['matroska'];
  if (!stated && !ids.includes(AV_CODEC_ID_AV1) && !ids.includes(AV_CODEC_ID_VP9)) return ['mov', 'matroska'];
  // mp4 holds samples only if it is known which channels they are of, and says so when the file is written.
  const samples = models.some(({ codecpar }) => avGetCodecName(codecpar.codecId)?.startsWith('pcm_'));
  return samples ? ['mov', 'matroska'] : ['mp4', 'mov', 'matroska'];
}

async function opened(
  file: string,
  models: readonly Stream[],
  muxer: Muxer,
  converted: Converted,
): Promise<FormatContext> {
  const output = new FormatContext();
  try {
    checked(output.allocOutputContext2(null, muxer, file), 'open output');
    for (const model of models) describe(output.newStream(), model, muxer, converted.get(model.index));
    checked(await output.openOutput(), 'open output');
    // libav calls TrueHD in mp4 experimental.
    const options = { movie_timescale: MOVIE_TIMESCALE, strict: 'experimental' };
    checked(
      await output.writeHeader(Dictionary.fromObject(muxer === 'matroska' ? {} : options)),
      'write header',
    );
    return output;
  } catch (error) {
    output.freeContext();
    throw error;
  }
}

function describe(made: Stream, model: Stream, muxer: string, converted: SampleForm | undefined): void {
  if (converted) describeConverted(made, model, converted);
  else checked(model.codecpar.copy(made.codecpar), 'copy parameters');
  if (isRedrawn(model)) describeRedrawn(made);
  made.codecpar.codecTag = 0;
  made.timeBase = muxer === 'matroska' ? model.timeBase : movTimeBase(model, made);
  made.avgFrameRate = model.avgFrameRate;
  made.sampleAspectRatio = made.codecpar.sampleAspectRatio = pixelShape(model);
  made.disposition = model.disposition;
  const { language, ...tags } = model.metadata?.getAll() ?? {};
  made.metadata = Dictionary.fromObject(
    language === undefined ? tags : { ...tags, language: languageIn(muxer, language) },
  );
}

/** A timebase finer than this, in ticks per second, is libav's default for streams without timestamps. */
const FINER = 100_000;
/** Ticks per second fine enough for half a frame. */
const FINE = 10_000;

function movTimeBase(model: Stream, made: Stream): Rational {
  const { codecType, sampleRate } = made.codecpar;
  if (codecType === AVMEDIA_TYPE_AUDIO) return new Rational(1, sampleRate);
  const { num, den } = model.timeBase;
  if (den / num <= FINER) return new Rational(num, den);
  let ticks = 2 * rateOf(model).num;
  while (ticks < FINE) ticks *= 2;
  return new Rational(1, ticks);
}
