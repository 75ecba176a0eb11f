import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_ALAC,
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_FLAC,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_PCM_F32LE,
  AV_CODEC_ID_PCM_S16BE,
  AV_CODEC_ID_PCM_S16LE,
  AV_CODEC_ID_PCM_S24LE,
  AV_CODEC_ID_PCM_S32LE,
  AV_DISPOSITION_ATTACHED_PIC,
  AV_NOPTS_VALUE,
  AV_PROFILE_AAC_LOW,
  AVCOL_TRC_BT2020_10,
  type AVCodecID,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, type Stream } from 'node-av/lib';
import { isPlainAac } from '../../../../bitstream/aac-config.ts';
import { checked } from '../av.ts';
import { describeH264 } from './codec-parameters-h264.ts';

/** Codecs whose decoder, once open, already knows everything that the first packet would tell. */
const opened: readonly AVCodecID[] = [
  ...[AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC, AV_CODEC_ID_FLAC],
  ...[AV_CODEC_ID_OPUS, AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_PCM_S24LE],
  ...[AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_F32LE],
];

/**
 * Completes the stream parameters of an mp4 from its header alone, with the results that libav would get from packets: decoding
 * one takes longer than the rest of the probe. @returns false if packets are needed for the rest.
 */
export async function describe(streams: readonly Stream[]): Promise<boolean> {
  for (const stream of streams) {
    if (stream.startTime === AV_NOPTS_VALUE || stream.duration === AV_NOPTS_VALUE) return false;
    const { codecType } = stream.codecpar;
    if (codecType === AVMEDIA_TYPE_VIDEO && !(await describePicture(stream))) return false;
    if (codecType === AVMEDIA_TYPE_AUDIO && !(await describeSound(stream))) return false;
  }
  return true;
}

async function describePicture(stream: Stream): Promise<boolean> {
  const { codecpar: par, rFrameRate, avgFrameRate } = stream;
  const attached = ((stream.disposition as number) & AV_DISPOSITION_ATTACHED_PIC) !== 0;
  if (attached || rFrameRate.num === 0 || avgFrameRate.num === 0) return false;
  // For AV1, only a frame header may state the aspect ratio.
  if (par.codecId === AV_CODEC_ID_AV1 && stream.sampleAspectRatio.num === 0) return false;
  const complete = par.codecId === AV_CODEC_ID_H264 ? describeH264(par) : await describeByDecoder(stream);
  // With this transfer function the video may still be HLG, which only an SEI message in a frame reveals.
  return complete && par.colorTrc !== AVCOL_TRC_BT2020_10;
}

async function describeSound(stream: Stream): Promise<boolean> {
  const { codecpar: par } = stream;
  const isAac = par.codecId === AV_CODEC_ID_AAC;
  if (isAac && !plain(par.extradata ?? new Uint8Array())) return false;
  if (!(await describeByDecoder(stream))) return false;
  if (isAac) par.profile = AV_PROFILE_AAC_LOW;
  return par.sampleRate > 0 && par.channelLayout.nbChannels > 0;
}

function plain(config: Uint8Array): boolean {
  try {
    return isPlainAac(config);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

async function describeByDecoder({ codecpar: par }: Stream): Promise<boolean> {
  const codec = opened.includes(par.codecId) ? Codec.findDecoder(par.codecId) : null;
  if (!codec) return false;
  const context = new CodecContext();
  try {
    context.allocContext3(codec);
    checked(context.parametersToContext(par), 'decoder parameters');
    if ((await context.open2(codec, Dictionary.fromObject({ threads: '1' }))) < 0) return false;
    checked(par.fromContext(context), 'stream parameters');
  } finally {
    context.freeContext();
  }
  return par.format >= 0;
}
