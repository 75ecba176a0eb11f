import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_MSMPEG4V1,
  AV_CODEC_ID_MSMPEG4V2,
  AV_CODEC_ID_MSMPEG4V3,
  AV_CODEC_ID_VC1,
  AV_CODEC_ID_WMAPRO,
  AV_CODEC_ID_WMAV1,
  AV_CODEC_ID_WMAV2,
  AV_CODEC_ID_WMAVOICE,
  AV_CODEC_ID_WMV1,
  AV_CODEC_ID_WMV2,
  AV_CODEC_ID_WMV3,
  AV_NOPTS_VALUE,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { Codec, Dictionary, FormatContext, Packet, Rational, type Stream } from 'node-av/lib';
import { least } from '../../../../model/numbers/min-max.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import type { Contained, ContainRequest } from '../../protocol.ts';
import { checked, streamOf } from '../av.ts';
import { openInput, readPacket } from '../read/input.ts';
import { type Order, presentationOf, rateOf } from './frame-order.ts';
import { PictureTrack, SoundTrack } from './tracks.ts';

/** Codecs that mov and mp4 cannot describe completely for a decoder. */
const microsoft: readonly number[] = [
  ...[AV_CODEC_ID_WMV1, AV_CODEC_ID_WMV2, AV_CODEC_ID_WMV3, AV_CODEC_ID_VC1],
  ...[AV_CODEC_ID_MSMPEG4V1, AV_CODEC_ID_MSMPEG4V2, AV_CODEC_ID_MSMPEG4V3],
  ...[AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2, AV_CODEC_ID_WMAPRO, AV_CODEC_ID_WMAVOICE],
];

/** Resolution of edit lists, in ticks per second. */
const MOVIE_TIMESCALE = 90_000;
/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 512;

/**
 * Remuxes video and audio, packet by packet, into a container with timestamps and a keyframe index. Throws if there is nothing
 * to decode.
 */
export async function contain(
  { source, file }: ContainRequest,
  onProgress: (fraction: number) => void,
): Promise<Contained> {
  const kept = await mediaOf(source);
  const presentations = await Promise.all(
    kept.map(({ index, video }) => (video ? presentationOf(source, index) : null)),
  );
  onProgress(0.5);
  const wanted = kept.map(({ index }) => index);
  const input = await openInput(source, wanted);
  const models = wanted.map((index) => streamOf(input, index));
  const start = least(models.map((model, at) => startOf(model, presentations[at] ?? null)));
  const { output, format } = await openOutput(file, models);
  const tracks = models.map((model, at) => {
    const times = presentations[at];
    const out = { output, index: at, timeBase: streamOf(output, at).timeBase, start };
    return times ? new PictureTrack(out, model, times) : new SoundTrack(out, model);
  });
  const packet = new Packet();
  packet.alloc();
  try {
    for (let count = 1; await readPacket(input, packet); count++) {
      tracks[wanted.indexOf(packet.streamIndex)]?.take(packet);
      packet.unref();
      if (count % TURN === 0) await new Promise(setImmediate);
    }
    for (const track of tracks) track.end();
    checked(await output.writeTrailer(), 'write trailer');
    await output.closeOutput();
    return { format };
  } finally {
    packet.free();
    output.freeContext();
    await input.closeInput();
  }
}

/** Start of a stream in seconds. */
function startOf({ startTime, timeBase: { num, den } }: Stream, order: Order | null): number {
  const first = order?.start ?? (startTime === AV_NOPTS_VALUE ? 0 : Number(startTime));
  return (first * num) / den;
}

/** Video and audio streams with an available decoder; subtitles and data are left out. */
async function mediaOf(source: SourceParts): Promise<{ index: number; video: boolean }[]> {
  const input = await openInput(source, []);
  try {
    const kept = input.streams.flatMap(({ index, codecpar: { codecType, codecId, width, sampleRate } }) => {
      const video = codecType === AVMEDIA_TYPE_VIDEO;
      const known = video ? width > 0 : codecType === AVMEDIA_TYPE_AUDIO && sampleRate > 0;
      return known && Codec.findDecoder(codecId) ? [{ index, video }] : [];
    });
    if (kept.length === 0) throw new Error('there is nothing to decode');
    return kept;
  } finally {
    await input.closeInput();
  }
}

async function openOutput(
  file: string,
  models: readonly Stream[],
): Promise<{ output: FormatContext; format: Contained['format'] }> {
  const ids: number[] = models.map(({ codecpar }) => codecpar.codecId);
  const format = ids.some((id) => microsoft.includes(id)) ? 'matroska' : 'mov';
  // The mov and mp4 muxers write files for the same demuxer, but only mp4 supports AV1.
  const muxer = format === 'mov' && ids.includes(AV_CODEC_ID_AV1) ? 'mp4' : format;
  const output = new FormatContext();
  checked(output.allocOutputContext2(null, muxer, file), 'open output');
  for (const model of models) {
    const stream = output.newStream();
    checked(model.codecpar.copy(stream.codecpar), 'copy parameters');
    stream.codecpar.codecTag = 0;
    stream.timeBase = format === 'mov' ? movTimeBase(model) : model.timeBase;
    stream.avgFrameRate = model.avgFrameRate;
    stream.sampleAspectRatio = model.sampleAspectRatio;
    stream.disposition = model.disposition;
  }
  checked(await output.openOutput(), 'open output');
  const options = format === 'mov' ? { movie_timescale: MOVIE_TIMESCALE } : {};
  checked(await output.writeHeader(Dictionary.fromObject(options)), 'write header');
  return { output, format };
}

/** A timebase finer than this, in ticks per second, is libav's default for streams without timestamps. */
const FINER = 100_000;
/** Ticks per second fine enough for half a frame. */
const FINE = 10_000;

function movTimeBase(model: Stream): Rational {
  const { codecType, sampleRate } = model.codecpar;
  if (codecType === AVMEDIA_TYPE_AUDIO) return new Rational(1, sampleRate);
  const { num, den } = model.timeBase;
  if (den / num <= FINER) return new Rational(num, den);
  let ticks = 2 * rateOf(model).num;
  while (ticks < FINE) ticks *= 2;
  return new Rational(1, ticks);
}
