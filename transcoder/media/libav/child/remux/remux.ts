import { rm } from 'node:fs/promises';
import {
  AV_CODEC_ID_FLAC,
  AV_CODEC_ID_PCM_BLURAY,
  AV_CODEC_ID_PCM_DVD,
  AV_NOPTS_VALUE,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { avGetCodecName, Codec, type FormatContext, Packet, type Stream } from 'node-av/lib';
import { least } from '../../../../model/numbers/min-max.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { isUnindexed } from '../../../../model/source/video-stream.ts';
import type { Contained, ContainRequest } from '../../protocol.ts';
import { checked, streamOf } from '../av.ts';
import { profileName } from '../probe/probe-output.ts';
import { openInput, readPacket } from '../read/input.ts';
import { tickOf } from '../read/packet-window.ts';
import { recordingsOf } from '../read/recordings-of.ts';
import { largestOf, linksIn } from './chained.ts';
import { ClockJumps } from './clock-jumps.ts';
import { ConvertedSound, packed } from './converted-sound.ts';
import { firstTick, type Stamp } from './first-tick.ts';
import { type Order, presentationOf, readUpTo } from './frame-order.ts';
import { NotAsStated, Untimed } from './not-as-stated.ts';
import { isPacedByClock } from './one-clock.ts';
import { type Converted, openOutput } from './output.ts';
import { partFile } from './part-files.ts';
import { recordingsIn } from './recordings.ts';
import { isRedrawn, RedrawnPictures } from './redrawn-pictures.ts';
import { formOf, type SampleForm } from './sample-form.ts';
import { SoundChanges } from './sound-changes.ts';
import { firstStated, StatedTrack } from './stated-track.ts';
import { PictureTrack, SoundTrack } from './tracks.ts';

/** Samples with a header in each packet, for which mov, mp4 and Matroska have no name. */
const ofDiscs: readonly number[] = [AV_CODEC_ID_PCM_DVD, AV_CODEC_ID_PCM_BLURAY];

/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 512;

/**
 * Remuxes video and audio, packet by packet, into a container with timestamps and a keyframe index. Sound whose configuration changes,
 * or whose packets do not say what they hold, is decoded, and so are pictures of which some state no time. Throws if there is nothing to
 * decode, and NotAsStated if the times that packets state are wanted and cannot be kept.
 */
export async function contain(
  asked: ContainRequest,
  onProgress: (fraction: number) => void,
): Promise<Contained> {
  // Palettes are lost where something is read ahead of the first packet.
  const whole = { ...asked, source: { ...asked.source, near: null } };
  if (!whole.span) return containAll(whole, onProgress);
  const path = `${whole.file}.part`;
  try {
    const source = await partFile(whole.source, whole.span, path);
    return await containAll({ ...whole, source }, onProgress);
  } finally {
    await rm(path, { force: true });
  }
}

async function containAll(
  request: ContainRequest,
  onProgress: (fraction: number) => void,
): Promise<Contained> {
  const { decoded } = request;
  if (decoded === 'links') return containLinks(request, onProgress);
  try {
    return await containTracks({ ...request, decoded }, onProgress);
  } catch (error) {
    // Recorders that give sound the time at which it arrived give two frames one time.
    const recorded = request.source.format === 'matroska' && error instanceof NotAsStated;
    const single = async () => (await recordingsOf(request.source)).length < 2;
    if ((!(error instanceof Untimed) && !recorded) || !(await single())) throw error;
    return containTracks({ ...request, decoded, stated: false }, onProgress);
  }
}

async function containTracks(
  request: ContainRequest & { decoded: Exclude<ContainRequest['decoded'], 'links'> },
  onProgress: (fraction: number) => void,
): Promise<Contained> {
  const kept = await mediaOf(request.source);
  const timed = await timesOf(request.source, kept, request, (fraction) => onProgress(fraction / 2));
  onProgress(0.5);
  const forms = new Map(
    request.decoded === 'none' ? [] : kept.flatMap(({ index, form }) => (form ? [[index, form]] : [])),
  );
  const { format, start, keys, sounds } = await remux(request, kept, timed, forms, (fraction) =>
    onProgress((1 + fraction) / 2),
  );
  const changing = sounds.filter(({ changed }) => changed);
  const decoded = { none: [], changing, all: changing.length > 0 ? changing : sounds }[request.decoded];
  if (decoded.length > 0) {
    for (const { index, largest } of decoded) forms.set(index, largest);
    await remux(request, kept, timed, forms, () => onProgress(1));
  }
  return {
    ...{ format, start, keys },
    decoded: kept.flatMap(({ index, coded, redrawn }, at) =>
      forms.has(index) || redrawn ? { index: at, ...coded } : [],
    ),
  };
}

/** The recordings of a chained Ogg file, one after another. */
async function containLinks(
  { source, file }: ContainRequest,
  onProgress: (fraction: number) => void,
): Promise<Contained> {
  const form = await largestOf(source, file);
  let made: { output: FormatContext; contained: Contained } | null = null;
  let ends = 0;
  try {
    for await (const { stream, packets, fraction } of linksIn(source, file)) {
      onProgress(fraction);
      made ??= await openLinks(file, stream, form);
      const own = streamOf(made.output, 0);
      const start = startOf(stream, null) - ends;
      const out = { output: made.output, index: 0, timeBase: own.timeBase, start };
      const sound = await ConvertedSound.open(out, stream, own, source.format);
      try {
        for await (const packet of packets) await sound.take(packet);
        await sound.end();
        ends = sound.ends ?? ends;
      } finally {
        sound.close();
      }
    }
    if (!made) throw new Error('there is nothing to decode');
    checked(await made.output.writeTrailer(), 'write trailer');
    await made.output.closeOutput();
    return made.contained;
  } finally {
    made?.output.freeContext();
  }
}

/** @param model The sound of the first recording. */
async function openLinks(file: string, model: Stream, form: SampleForm) {
  const converted = new Map([[model.index, form]]);
  const { output, format } = await openOutput(file, [model], { stated: false, converted });
  const decoded = [{ index: 0, ...codedOf(model) }];
  return { output, contained: { format, start: 0, keys: [], decoded } };
}

async function remux(
  { source, file, stated, fromKey, span }: ContainRequest,
  kept: readonly Kept[],
  timed: readonly Timed[],
  converted: Converted,
  onProgress: (fraction: number) => void,
): Promise<Omit<Contained, 'decoded'> & { sounds: SoundChanges[] }> {
  const wanted = kept.map(({ index }) => index);
  const input = await openInput(source, wanted);
  const models = wanted.map((index) => streamOf(input, index));
  const start = beginningOf(models, timed);
  const { output, format } = await openOutput(file, models, { stated, converted });
  const changes = models.map((model, at) => (kept[at]?.video ? null : new SoundChanges(model)));
  const tracks: Track[] = [];
  const keys: number[] = [];
  const paced = isPacedByClock(source.format);
  const moved = timed.find(({ order }) => order?.moved)?.order?.moved;
  const jumps =
    stated || paced ? new ClockJumps(models, { withinGroups: paced, ...(moved && { moved }) }) : null;
  const packet = new Packet();
  packet.alloc();
  try {
    for (const [at, model] of models.entries()) {
      const made = streamOf(output, at);
      const out = { output, index: at, timeBase: made.timeBase, start };
      const order = timed[at]?.order;
      const redrawn = isRedrawn(model);
      const drawn = async (track: PictureTrack | StatedTrack) =>
        redrawn ? RedrawnPictures.open(track, model) : track;
      if (order) tracks.push(await drawn(new PictureTrack(out, model, order, { redrawn })));
      else if (converted.has(model.index))
        tracks.push(await ConvertedSound.open(out, model, made, source.format));
      else if (stated && kept[at]?.video)
        tracks.push(await drawn(new StatedTrack(out, model, kept[at].index === fromKey)));
      else tracks.push(new SoundTrack(out, model));
    }
    let [read, count] = [0, 0];
    for await (const recording of recordingsIn(source, wanted, { whole: input, result: file })) {
      const { number, from } = recording;
      const clocks = number !== null || paced || isUnindexed(source.format) ? jumps : null;
      if (number)
        for (const [at, track] of tracks.entries()) track.goOn?.(streamOf(recording.input, wanted[at] ?? 0));
      while (await readPacket(recording.input, packet)) {
        count += 1;
        // Its position is gone once it is written. Frames that begin within a packet of a program stream have none.
        read = Math.max(read, from / source.bytes + readUpTo(packet, source));
        if (count % TURN === 0) onProgress(read);
        const at = wanted.indexOf(packet.streamIndex);
        changes[at]?.take(packet);
        const key = span && kept[at]?.video && packet.isKeyframe ? tickOf(packet) : null;
        if (key !== null) keys.push(secondOf(key, streamOf(input, packet.streamIndex)));
        if (clocks?.follow(packet, at, number) !== false) await tracks[at]?.take(packet);
        packet.unref();
        if (count % TURN === 0) await new Promise(setImmediate);
      }
    }
    for (const track of tracks) await track.end();
    checked(await output.writeTrailer(), 'write trailer');
    await output.closeOutput();
    return { format, start, keys, sounds: changes.filter((sound) => sound !== null) };
  } finally {
    for (const track of tracks) track.close?.();
    packet.free();
    output.freeContext();
    await input.closeInput();
  }
}

const secondOf = (tick: number, { timeBase: { num, den } }: Stream): number => (tick * num) / den;

interface Track {
  take(packet: Packet): void | Promise<void>;
  /** Goes on with the packets of another recording. */
  goOn?(stream: Stream): void;
  end(): void | Promise<void>;
  close?(): void;
}

interface Kept {
  /** Of the stream in the source. */
  index: number;
  video: boolean;
  /** Of a sound that has to be decoded, the form of its samples. */
  form: SampleForm | null;
  /** Whether its pictures are encoded again, with their palettes. */
  redrawn: boolean;
  coded: Omit<Contained['decoded'][number], 'index'>;
}

interface Timed {
  order: Order | null;
  /** Of the first pictures, in decoding order. */
  first: readonly Stamp[];
}

/** For each stream, when its pictures are shown, if packets do not state it, and the times of the first ones; none for sound. */
async function timesOf(
  source: SourceParts,
  kept: readonly Kept[],
  { stated, fromKey }: Pick<ContainRequest, 'stated' | 'fromKey'>,
  onProgress: (fraction: number) => void,
): Promise<Timed[]> {
  const pictures = kept.filter(({ video }) => video);
  const times = new Map<number, Timed>();
  for (const { index } of pictures) {
    const order = stated
      ? null
      : await presentationOf(source, { stream: index, kept: kept.map((each) => each.index) }, (fraction) =>
          onProgress((times.size + fraction) / pictures.length),
        );
    const first = order ? [] : await firstStated(source, index, index === fromKey);
    times.set(index, { order, first });
  }
  return kept.map(({ index }) => times.get(index) ?? { order: null, first: [] });
}

/** The second of the source that becomes 0: the earliest start, or before it, as far as the decoding of pictures needs. */
function beginningOf(models: readonly Stream[], timed: readonly Timed[]): number {
  const shown = ({ order, first }: Timed) =>
    order?.start ?? (first.length > 0 ? least(first.map(({ pts }) => pts)) : null);
  const starts = models.map((model, at) => startOf(model, timed[at] ? shown(timed[at]) : null));
  return models.reduce((start, { timeBase: { num, den } }, at) => {
    const zero = Math.round((start * den) / num);
    const first = firstTick(timed[at]?.first ?? [], zero);
    return first < zero ? (first * num) / den : start;
  }, least(starts));
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
    const kept = input.streams.flatMap((stream) => {
      const { index, codecpar } = stream;
      const { codecType, codecId, width, sampleRate } = codecpar;
      const video = codecType === AVMEDIA_TYPE_VIDEO;
      const known = video ? width > 0 : codecType === AVMEDIA_TYPE_AUDIO && sampleRate > 0;
      const wide = codecId === AV_CODEC_ID_FLAC && codecpar.bitsPerRawSample > 24;
      const isDecoded = packed.includes(codecId) || ofDiscs.includes(codecId);
      const form = isDecoded || wide ? formOf(stream) : null;
      return known && Codec.findDecoder(codecId)
        ? [{ index, video, form, redrawn: isRedrawn(stream), coded: codedOf(stream) }]
        : [];
    });
    if (kept.length === 0) throw new Error('there is nothing to decode');
    return kept;
  } finally {
    await input.closeInput();
  }
}

function codedOf({ codecpar }: Stream): Kept['coded'] {
  const { codecId, bitRate } = codecpar;
  return {
    codec: avGetCodecName(codecId) ?? 'unknown',
    profile: profileName(codecpar) ?? null,
    kbps: bitRate > 0 ? Number(bitRate) / 1000 : null,
  };
}
