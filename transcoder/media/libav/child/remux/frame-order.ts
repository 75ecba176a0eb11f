import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_MPEG4,
  AV_CODEC_ID_VP9,
  AV_NOPTS_VALUE,
  AV_PKT_FLAG_DISCARD,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Frame, type Packet, type Stream } from 'node-av/lib';
import { MAX_PIXELS } from '../../../../../schema/api/plans.ts';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import { decodingTimes } from '../../../../bitstream/decoding-times.ts';
import { singleFields } from '../../../../bitstream/h264-fields.ts';
import { H264Order } from '../../../../bitstream/h264-order.ts';
import { Mpeg4Clock } from '../../../../bitstream/mpeg4-clock.ts';
import { isVp9Unseen } from '../../../../bitstream/vp9-frames.ts';
import { greatest, isAscending, least } from '../../../../model/numbers/min-max.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { holdsPresentationTimes } from '../../../../model/source/video-stream.ts';
import {
  type Presentation,
  presentationTimes,
  type Shown,
  type Stamp,
  statesDecodingTimes,
} from '../../../remux/presentation-times.ts';
import { checked, configurationOf, isHidden, reorderingOptions } from '../av.ts';
import { Reader } from '../read/reader.ts';
import { Leading } from './leading.ts';
import { isPacedByClock, OneClock } from './one-clock.ts';
import { pictureTimes } from './picture-times.ts';

/** Elementary streams, without a container. */
const elementary: readonly Demuxer[] = ['h264', 'hevc', 'mpegvideo', 'm4v', 'obu'];
/** Frame rate of a stream that states none; libav's default. */
const USUAL_RATE = { num: 25, den: 1 };

export interface Order extends Presentation {
  /** For each packet with a frame, in decoding order. */
  dts: Float64Array;
  /** Time of the first frame that is not hidden. */
  start: number;
  /** Packets to leave out: they have no frame, and are not the second field of one that has. */
  omitted: ReadonlySet<number>;
  /** By recording, the seconds that its times are moved, where packets were given one clock. */
  moved?: readonly number[] | undefined;
}

/**
 * Presentation and decoding time of each packet of a video stream, except those after the last packet that is not hidden. Decodes the
 * whole stream if neither its container nor its packets state them. Throws if an edit list hides frames elsewhere than at its ends.
 */
export async function presentationOf(
  source: SourceParts,
  { stream, kept }: Pick<Reading, 'stream' | 'kept'>,
  onProgress: (fraction: number) => void,
): Promise<Order> {
  const of = { source, stream, kept };
  const read = (from: number) => (packet: Packet) => onProgress(from + readUpTo(packet, source) / 2);
  const { stamps, lengths, frame, delay, fields, entered, closed, lost, unseen, order, byPicture, moved } =
    await stampsOf(of, read(0));
  const firsts = stamps.filter((_, index) => !fields?.has(index) && !unseen.has(index));
  // Fields before the first keyframe are of frames that only a decoder tells from those that are shown.
  const shown = fields === null || entered;
  const unordered = statesDecodingTimes(firsts);
  const reordered = delay > 0 || (order !== null && !isAscending(order.map(({ packet }) => packet)));
  const stated = shown && areComplete(firsts) && !(reordered && unordered);
  // The edit units of MXF count frames as they are shown, unless its index states an order.
  const counts = !holdsPresentationTimes(source.format) || (source.format === 'mxf' && unordered);
  const decoded = stated ? [] : (order ?? (await shownOf(of, read(0.5))));
  const own = byPicture && pictureTimes(stamps, decoded, byPicture);
  const usual = own?.frame ?? frame;
  const times = stated
    ? statedTimes({ stamps, lengths, frame, fields })
    : presentationTimes(own?.stamps ?? stamps, decoded, usual, counts ? null : delay);
  if (fields !== null && !closed) omitLeading(times);
  else for (const index of [...lost, ...unseen]) times.pts[index] = null;
  const pts = times.pts.filter((time) => time !== null);
  const visible = times.pts.flatMap((time, index) => (time === null || stamps[index]?.hidden ? [] : time));
  if (visible.length === 0) throw new Error('the stream has no frames');
  const omitted = fields === null ? lost : withoutFrame(times, fields);
  return { ...times, dts: decodingTimes(pts, Math.round(usual)), start: least(visible), omitted, moved };
}

/** The times that packets state. A frame of two packets has the time of its first field, and is longer than either. */
function statedTimes({
  stamps,
  lengths,
  frame,
  fields,
}: Pick<Awaited<ReturnType<typeof stampsOf>>, 'stamps' | 'lengths' | 'frame' | 'fields'>): Presentation {
  const usual = Math.round(frame);
  if (fields === null)
    return { pts: stamps.map(({ pts }) => pts), durations: lengths.map((length) => length || usual) };
  return {
    pts: stamps.map(({ pts }, index) => (fields.has(index) ? null : pts)),
    durations: stamps.map((_, index) => (fields.has(index) ? 0 : usual)),
  };
}

/** @param second Packets that are the second field of the one before. */
function withoutFrame({ pts }: Presentation, second: ReadonlySet<number>): Set<number> {
  const joins = (index: number) => second.has(index) && (pts[index - 1] ?? null) !== null;
  return new Set(pts.flatMap((time, index) => (time !== null || joins(index) ? [] : index)));
}

/** Pictures shown before the first keyframe but coded after it reference pictures that are not in the file. */
function omitLeading({ pts }: Presentation): void {
  const begin = pts[0] ?? Number.NEGATIVE_INFINITY;
  for (const [index, time] of pts.entries()) if (time !== null && time < begin) pts[index] = null;
}

function areComplete(stamps: readonly Stamp[]): boolean {
  const stated = stamps.map(({ pts }) => pts);
  return !stated.includes(null) && new Set(stated).size === stated.length;
}

/** Without hidden packets at the end. */
function upToEnd(stamps: readonly Stamp[]): Stamp[] {
  const kept = stamps.slice(0, stamps.findLastIndex(({ hidden }) => !hidden) + 1);
  const begin = kept.findIndex(({ hidden }) => !hidden);
  if (kept.slice(begin).some(({ hidden }) => hidden)) throw new Error('an edit list hides frames in between');
  return kept;
}

/** Share of a source's bytes that precede a packet; 0 if unknown. */
export const readUpTo = ({ pos }: Packet, { bytes }: SourceParts): number =>
  Math.min(1, Math.max(0, Number(pos) / bytes));

interface Reading {
  source: SourceParts;
  stream: number;
  /** All streams of the result. */
  kept: readonly number[];
}

/** @param onRead Called for each packet. */
async function stampsOf({ source, stream, kept }: Reading, onRead: (packet: Packet) => void) {
  const reader = isPacedByClock(source.format)
    ? await OneClock.open(source, stream, kept)
    : await Reader.open({ source, stream });
  try {
    const stamps: Stamp[] = [];
    const lengths: number[] = [];
    const { stream: model } = reader;
    const { extradata } = configurationOf(model);
    const isField = singleFields(extradata);
    const second = new Set<number>();
    const leading = new Leading(model);
    const lost = new Set<number>();
    const unseen = new Set<number>();
    const followed = model.codecpar.codecId === AV_CODEC_ID_H264 ? new H264Order(extradata) : null;
    const clock = source.format === 'm4v' ? new Mpeg4Clock(extradata) : null;
    const seconds: (number | null)[] = [];
    let first: number | null = null;
    let fields = false;
    let entered = false;
    // libav's times for an elementary stream are estimates.
    const timed = !elementary.includes(source.format);
    const ticks = (time: bigint) => (timed && time !== AV_NOPTS_VALUE ? Number(time) : null);
    for (let packet = await reader.next(); packet; packet = await reader.next()) {
      onRead(packet);
      if (stamps.length === 0) entered = packet.isKeyframe;
      const hidden = isHidden(packet);
      stamps.push({ pts: ticks(packet.pts), dts: ticks(packet.dts), hidden });
      lengths.push(Number(packet.duration));
      followed?.take(packet.data ?? new Uint8Array());
      if (clock) seconds.push(clock.take(packet.data ?? new Uint8Array()));
      const single = model.codecpar.codecId === AV_CODEC_ID_H264 && isField(packet.data ?? new Uint8Array());
      const index = stamps.length - 1;
      if (timed && packet.pts !== AV_NOPTS_VALUE && leading.isLost(packet, Number(packet.pts)))
        lost.add(index);
      if (model.codecpar.codecId === AV_CODEC_ID_VP9 && isVp9Unseen(packet.data ?? new Uint8Array()))
        unseen.add(index);
      if (single && first === index - 1) second.add(index);
      first = single && !second.has(index) ? index : null;
      fields ||= single;
    }
    const delay = model.codecpar.videoDelay;
    const { num, den } = model.timeBase;
    // Without decoding times, frames follow one another by their lengths.
    const shown = fields ? null : followed?.shown({ once: !stamps.every(({ dts }) => dts !== null) });
    return {
      stamps: upToEnd(stamps),
      lengths,
      frame: (fields ? meanDistance(stamps, second) : null) ?? frameTicks(model),
      delay,
      fields: fields ? second : null,
      /** Packets of pictures before the first keyframe that cannot be decoded. */
      lost,
      /** Packets of VP9 without a frame that is shown. */
      unseen,
      /** Whether the first packet is a keyframe. */
      entered,
      /** Whether every picture that follows the first packet can be decoded. */
      closed: entered && !leading.mayLose,
      /** The order of frames, if the packets tell it. */
      order: shown?.map((packet) => ({ packet, repeated: 0 })) ?? null,
      /** When each picture says that it is shown, in ticks; null if the codec or the container does not leave it to pictures. */
      byPicture: clock && seconds.map((time) => (time === null ? null : (time * den) / num)),
      moved: reader instanceof OneClock ? reader.moved : undefined,
    };
  } finally {
    await reader.close();
  }
}

/** Ticks from frame to frame, where packets may be fields; null if too few times are stated. */
function meanDistance(stamps: readonly Stamp[], second: ReadonlySet<number>): number | null {
  const times = stamps.flatMap(({ pts }, index) => (second.has(index) ? [] : (pts ?? [])));
  return times.length < 2 ? null : (greatest(times) - least(times)) / (times.length - 1);
}

/** The frame rate that the stream states, otherwise libav's estimate. MPEG-4 states the rate of its ticks. */
export function rateOf({ codecpar, avgFrameRate, rFrameRate }: Stream): { num: number; den: number } {
  const stated = codecpar.codecId === AV_CODEC_ID_MPEG4 ? [] : [codecpar.frameRate];
  return [...stated, avgFrameRate, rFrameRate].find(({ num, den }) => num > 0 && den > 0) ?? USUAL_RATE;
}

function frameTicks(stream: Stream): number {
  const { num, den } = rateOf(stream);
  return Math.max(1, (den * stream.timeBase.den) / (num * stream.timeBase.num));
}

/** Maps frames in presentation order to packets, by using each packet's index as its timestamp. */
async function shownOf({ source, stream }: Reading, onRead: (packet: Packet) => void): Promise<Shown[]> {
  const reader = await Reader.open({ source, stream });
  const context = new CodecContext();
  const frame = new Frame();
  frame.alloc();
  const shown: Shown[] = [];
  const receive = () => {
    for (;;) {
      const result = context.receiveFrameSync(frame);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      if (result < 0) continue;
      shown.push({ packet: Number(frame.pts), repeated: frame.repeatPict });
      frame.unref();
    }
  };
  try {
    const { codecId } = reader.stream.codecpar;
    const codec = Codec.findDecoder(codecId);
    context.allocContext3(codec);
    checked(context.parametersToContext(reader.stream.codecpar), 'decoder parameters');
    const options = {
      ...{ threads: 'auto', max_pixels: MAX_PIXELS, skip_loop_filter: 'all' },
      ...reorderingOptions(codecId),
    };
    checked(await context.open2(codec, Dictionary.fromObject(options)), 'open decoder');
    let count = 0;
    for (let packet = await reader.next(); packet; packet = await reader.next()) {
      onRead(packet);
      packet.pts = packet.dts = BigInt(count);
      packet.clearFlags(AV_PKT_FLAG_DISCARD);
      count += 1;
      // A damaged packet has no frame, so its error does not matter here.
      context.sendPacketSync(packet);
      receive();
    }
    context.sendPacketSync(null);
    receive();
    return shown;
  } finally {
    frame.free();
    context.freeContext();
    await reader.close();
  }
}
