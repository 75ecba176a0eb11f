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
import { languageIn } from '../../../../model/macintosh-languages.ts';
import { least } from '../../../../model/numbers/min-max.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { isUnindexed } from '../../../../model/source/video-stream.ts';
import type { Contained, ContainRequest } from '../../protocol.ts';
import { checked, streamOf } from '../av.ts';
import { openInput, readPacket } from '../read/input.ts';
import { ClockJumps } from './clock-jumps.ts';
import { type Order, presentationOf, rateOf, readUpTo } from './frame-order.ts';
import { firstShown, StatedSound, StatedTrack } from './stated-track.ts';
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
 * to decode, and NotAsStated if the times that packets state are wanted and cannot be kept.
 */
export async function contain(
  { source, file, stated, fromKey }: ContainRequest,
  onProgress: (fraction: number) => void,
): Promise<Contained> {
  const kept = await mediaOf(source);
  const timed = await timesOf(source, kept, { stated, fromKey }, (fraction) => onProgress(fraction / 2));
  onProgress(0.5);
  const wanted = kept.map(({ index }) => index);
  const input = await openInput(source, wanted);
  const models = wanted.map((index) => streamOf(input, index));
  const start = least(models.map((model, at) => startOf(model, timed[at]?.start ?? null)));
  const { output, format } = await openOutput(file, models, stated);
  const tracks = models.map((model, at) => {
    const order = timed[at]?.order;
    const out = { output, index: at, timeBase: streamOf(output, at).timeBase, start };
    if (order) return new PictureTrack(out, model, order);
    if (!stated) return new SoundTrack(out, model);
    if (!kept[at]?.video) return new StatedSound(out, model);
    return new StatedTrack(out, model, kept[at].index === fromKey);
  });
  const jumps = stated && isUnindexed(source.format) ? new ClockJumps(models) : null;
  const packet = new Packet();
  packet.alloc();
  try {
    for (let count = 1; await readPacket(input, packet); count++) {
      // Its position is gone once it is written.
      if (count % TURN === 0) onProgress((1 + readUpTo(packet, source)) / 2);
      const at = wanted.indexOf(packet.streamIndex);
      if (jumps?.follow(packet, at) !== false) tracks[at]?.take(packet);
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

interface Kept {
  /** Of the stream in the source. */
  index: number;
  video: boolean;
}

/** For each stream, when its pictures are shown, if packets do not state it, and the tick of the first one; null for sound. */
async function timesOf(
  source: SourceParts,
  kept: readonly Kept[],
  { stated, fromKey }: Pick<ContainRequest, 'stated' | 'fromKey'>,
  onProgress: (fraction: number) => void,
): Promise<{ order: Order | null; start: number | null }[]> {
  const pictures = kept.filter(({ video }) => video);
  const times = new Map<number, { order: Order | null; start: number }>();
  for (const { index } of pictures) {
    const order = stated
      ? null
      : await presentationOf(source, index, (fraction) =>
          onProgress((times.size + fraction) / pictures.length),
        );
    times.set(index, { order, start: order?.start ?? (await firstShown(source, index, index === fromKey)) });
  }
  return kept.map(({ index }) => times.get(index) ?? { order: null, start: null });
}

/** Start of a stream in seconds. @param shown Tick of its first picture, if it has some. */
function startOf({ startTime, timeBase: { num, den } }: Stream, shown: number | null): number {
  const first = shown ?? (startTime === AV_NOPTS_VALUE ? 0 : Number(startTime));
  return (first * num) / den;
}

/** Video and audio streams with an available decoder; subtitles and data are left out. */
async function mediaOf(source: SourceParts): Promise<Kept[]> {
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

type Muxer = 'mov' | 'mp4' | 'matroska';

/** Opens the first container that holds all of the codecs. */
async function openOutput(
  file: string,
  models: readonly Stream[],
  stated: boolean,
): Promise<{ output: FormatContext; format: Contained['format'] }> {
  let failure: unknown;
  for (const muxer of muxersFor(models, stated)) {
    try {
      const output = await opened(file, models, muxer);
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
function muxersFor(models: readonly Stream[], stated: boolean): Muxer[] {
  const ids: number[] = models.map(({ codecpar }) => codecpar.codecId);
  if (ids.some((id) => microsoft.includes(id))) return ['matroska'];
  return stated || ids.includes(AV_CODEC_ID_AV1) ? ['mp4', 'mov', 'matroska'] : ['mov'];
}

async function opened(file: string, models: readonly Stream[], muxer: Muxer): Promise<FormatContext> {
  const output = new FormatContext();
  try {
    checked(output.allocOutputContext2(null, muxer, file), 'open output');
    for (const model of models) describe(output.newStream(), model, muxer);
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

function describe(made: Stream, model: Stream, muxer: string): void {
  checked(model.codecpar.copy(made.codecpar), 'copy parameters');
  made.codecpar.codecTag = 0;
  made.timeBase = muxer === 'matroska' ? model.timeBase : movTimeBase(model);
  made.avgFrameRate = model.avgFrameRate;
  made.sampleAspectRatio = model.sampleAspectRatio;
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

function movTimeBase(model: Stream): Rational {
  const { codecType, sampleRate } = model.codecpar;
  if (codecType === AVMEDIA_TYPE_AUDIO) return new Rational(1, sampleRate);
  const { num, den } = model.timeBase;
  if (den / num <= FINER) return new Rational(num, den);
  let ticks = 2 * rateOf(model).num;
  while (ticks < FINE) ticks *= 2;
  return new Rational(1, ticks);
}
