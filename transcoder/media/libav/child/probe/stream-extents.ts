import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_MPEG2VIDEO,
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_VORBIS,
  AV_NOPTS_VALUE,
  AV_PKT_DATA_SKIP_SAMPLES,
  type AVCodecID,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import { UNIT_BYTES, unitIn } from '../../../../model/numbers/late-unit.ts';
import { greatest } from '../../../../model/numbers/min-max.ts';
import { BlockTimes, type StatedBlock } from '../../../../model/source/block-times.ts';
import { holdsPresentationTimes, isUnindexed } from '../../../../model/source/video-stream.ts';
import type { Extent, ExtentsRequest } from '../../protocol.ts';
import { Decoder, isHidden, streamOf } from '../av.ts';
import { goTo, goToByte, openInput, openOmitting, readPacket } from '../read/input.ts';
import { tickOf } from '../read/packet-window.ts';
import { SourceBytes } from '../read/source-bytes.ts';

/**
 * How to find the end of a source without reading it completely: from one of its last units, from a byte position, or by a seek.
 * Other containers are read completely, because their times can only be counted.
 */
const shortcuts: Partial<Record<Demuxer, 'unit' | 'byte' | 'seek'>> = {
  mov: 'unit',
  matroska: 'unit',
  mpegts: 'byte',
  ogg: 'seek',
  flac: 'seek',
  wav: 'seek',
  avi: 'seek',
};
/** Bytes before the end of a file to search for every stream. */
const BYTE_WINDOWS = [256 * 1024, 2 * 1024 * 1024, 16 * 1024 * 1024, 128 * 1024 * 1024];
/** The same in seconds before the stated end. */
const SECOND_WINDOWS = [2, 20, 120];
const BOX_HEADER = 16;
/** Later than the end of every source, in seconds. */
const BEHIND = 1e9;

/** First and last presentation time of each stream; null if the container's index states them. */
export async function extents(request: ExtentsRequest): Promise<(Extent | null)[] | null> {
  const { source, streams } = request;
  const bytes = new SourceBytes(source);
  try {
    const head = await headEnd(source.format, bytes);
    if (source.format === 'mov' && head === null) return null;
    const starts = await startsOf(request);
    for await (const tail of tails(request, bytes, head)) {
      const ends = await endsOf(tail.input, source.format, streams).finally(() => tail.input.closeInput());
      if (tail.partial && ends.includes(null)) continue;
      return ends.map((end, index) => {
        const start = starts[index] ?? null;
        if (!end || !start) return null;
        const duration = start.endsStated ? 0 : end.duration;
        const { tick, late, endsStated, withinGroup } = start;
        return { ...end, duration, start: tick, late, endsStated, withinGroup };
      });
    }
    throw new Error('no packet was found at the end of the source');
  } finally {
    bytes.close();
  }
}

interface Tail {
  input: FormatContext;
  partial: boolean;
}

/** Yields growing tails of a source; the last one is the whole source. */
async function* tails(
  { source, streams }: ExtentsRequest,
  bytes: SourceBytes,
  head: number | null,
): AsyncGenerator<Tail> {
  const shortcut = shortcuts[source.format];
  const open = () => openInput(source, streams);
  if (shortcut === 'unit' && head !== null) {
    for (const window of BYTE_WINDOWS) {
      const late = await findUnit(bytes, source.format, Math.max(head, bytes.size - window));
      if (late === null) continue;
      if (late <= head) break;
      yield { input: await openOmitting(source, [head, late], streams), partial: true };
    }
  }
  if (shortcut === 'byte') {
    for (const window of BYTE_WINDOWS.filter((bound) => bound < bytes.size)) {
      const input = await open();
      if (await goToByte(input, bytes.size - window)) yield { input, partial: true };
      else await input.closeInput();
    }
  }
  if (shortcut === 'seek') {
    for (const window of [null, ...SECOND_WINDOWS]) {
      const input = await open();
      const stated = greatest(input.streams.map(statedEnd));
      if (await goTo(input, window === null ? BEHIND : stated - window)) yield { input, partial: true };
      else await input.closeInput();
    }
  }
  yield { input: await open(), partial: false };
}

/** Offset of the first unit; null if the container has none. */
async function headEnd(format: Demuxer, bytes: SourceBytes): Promise<number | null> {
  if (format === 'matroska') return findUnit(bytes, format, 0);
  if (format !== 'mov') return null;
  for (let at = 0; at < bytes.size; ) {
    const header = await bytes.all([at, at + BOX_HEADER]);
    if (header.length < BOX_HEADER) return null;
    if (header.toString('latin1', 4, 8) === 'moof') return at;
    const short = header.readUInt32BE(0);
    const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    if (size < 8) return null;
    at += size;
  }
  return null;
}

/** Bytes to search at a time. */
const SEARCH = 64 * 1024;

async function findUnit(bytes: SourceBytes, format: Demuxer, from: number): Promise<number | null> {
  for (let at = from; at < bytes.size; at += SEARCH) {
    const found = unitIn(await bytes.all([at, at + SEARCH + UNIT_BYTES]), format);
    if (found !== null) return at + found;
  }
  return null;
}

const statedEnd = ({ startTime, duration, timeBase: { num, den } }: Stream): number =>
  duration === AV_NOPTS_VALUE
    ? 0
    : (Number(startTime === AV_NOPTS_VALUE ? duration : startTime + duration) * num) / den;

type Start = Pick<Extent, 'late' | 'endsStated' | 'withinGroup'> & { tick: number };

/** Start of each stream; null for a stream without packets. */
async function startsOf({ source, streams }: ExtentsRequest): Promise<(Start | null)[]> {
  const input = await openInput(source, streams);
  const starts = new Map<number, Start>();
  const decoders = new Map<number, Decoder>();
  const blocks = new Map<number, BlockTimes>();
  const all = () => streams.map((index) => starts.get(index) ?? null);
  try {
    for (const stream of streams.map((index) => streamOf(input, index))) {
      const { startTime, index } = stream;
      if (startTime !== AV_NOPTS_VALUE) starts.set(index, startAt(Number(startTime)));
      if (mayStateEnds(stream, source.format)) blocks.set(index, new BlockTimes());
      if (isDecoded(stream, source.format)) decoders.set(index, await Decoder.open(stream, { exact: false }));
    }
    if (decoders.size === 0 && starts.size === streams.length) return all();
    const first = new Map<number, number>();
    const keys = new Map<number, number>();
    const without = new Map<number, number>();
    await eachPacket(input, async (packet, stream) => {
      const { index } = stream;
      const tick = tickOf(packet);
      if (tick !== null && !first.has(index)) first.set(index, tick);
      if (tick !== null && !starts.has(index)) starts.set(index, startAt(tick));
      if (tick !== null) blocks.get(index)?.take(statedBlock(stream, packet, tick));
      if (tick !== null && packet.isKeyframe && !keys.has(index)) keys.set(index, tick);
      if (
        packet.isKeyframe &&
        !without.has(index) &&
        mayBeginWithin(stream.codecpar.codecId, source.format)
      ) {
        decoders.get(index)?.close();
        decoders.delete(index);
      }
      const decoder = decoders.get(index);
      // Decoders drop priming and pre-roll, so the first packets may not produce a frame.
      const out = decoder && (await firstTick(decoder, packet));
      without.set(index, (without.get(index) ?? 0) + 1);
      if (typeof out === 'number') {
        const start = startOf(stream, source.format, out, first.get(index) ?? out);
        const key = keys.get(index);
        starts.set(index, {
          ...start,
          withinGroup: key !== undefined && key !== first.get(index) && out >= key,
        });
      }
      if (typeof out === 'number' || (without.get(index) ?? 0) > leadingOf(stream)) {
        decoder?.close();
        decoders.delete(index);
      }
      return decoders.size > 0 || starts.size < streams.length || !decided(blocks);
    });
    // The first packet decodes to nothing; what comes of the second begins where the first ends.
    for (const [index, tick] of first) {
      if (blocks.get(index)?.areEnds) starts.set(index, { ...startAt(tick), endsStated: true });
    }
    return all();
  } finally {
    for (const decoder of decoders.values()) decoder.close();
    await input.closeInput();
  }
}

const startAt = (tick: number): Start => ({ tick, late: null, endsStated: false, withinGroup: false });

const mayStateEnds = ({ codecpar: { codecId } }: Stream, format: Demuxer) =>
  codecId === AV_CODEC_ID_VORBIS && format === 'matroska';

function statedBlock({ timeBase: { num, den } }: Stream, { duration }: Packet, tick: number): StatedBlock {
  return { time: (tick * num) / den, length: (Number(duration) * num) / den };
}

const decided = (blocks: ReadonlyMap<number, BlockTimes>) =>
  [...blocks.values()].every((times) => times.decided);

/** Whether the start of a stream can only be found by decoding. */
function isDecoded({ codecpar: { codecType, codecId } }: Stream, format: Demuxer): boolean {
  // The first GOP of HEVC may be open: pictures shown before its keyframe reference frames that do not exist.
  if (codecType === AVMEDIA_TYPE_VIDEO)
    return codecId === AV_CODEC_ID_HEVC || !holdsPresentationTimes(format) || mayBeginWithin(codecId, format);
  return codecType === AVMEDIA_TYPE_AUDIO;
}

/** Whether a recording may have begun within a group of pictures. */
const mayBeginWithin = (codecId: AVCodecID, format: Demuxer): boolean =>
  (codecId === AV_CODEC_ID_H264 || codecId === AV_CODEC_ID_MPEG2VIDEO) && isUnindexed(format);

/** @param out Tick of the first decoded frame. @param first Tick of the first packet. */
function startOf(stream: Stream, format: Demuxer, out: number, first: number): Start {
  if (stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO) {
    return holdsPresentationTimes(format) ? startAt(out) : { ...startAt(first), late: out - first };
  }
  const lead = leadOf(stream);
  return startAt(lead > 0 ? Math.max(out, first + lead) : out);
}

/** Offset in the Opus header of the pre-skip, in samples at 48000 Hz; RFC 7845, 5.1. */
const PRE_SKIP = 10;

/**
 * Opus pre-skip in ticks, from the codec header: Matroska's own value may be only a third of it. 0 for other codecs.
 */
function leadOf({ codecpar, timeBase: { num, den } }: Stream): number {
  const { codecId, extradata } = codecpar;
  if (codecId !== AV_CODEC_ID_OPUS || !extradata || extradata.length < PRE_SKIP + 2) return 0;
  return Math.round((extradata.readUInt16LE(PRE_SKIP) * den) / (48_000 * num));
}

/** Packets that may precede the first one with output: of video, a group of pictures of some ten seconds. */
const leadingOf = ({ codecpar: { codecType } }: Stream) => (codecType === AVMEDIA_TYPE_VIDEO ? 600 : 64);

/** Tick of the first frame decoded from a packet; null if there is none or it is damaged. */
async function firstTick(decoder: Decoder, packet: Packet): Promise<number | null> {
  let first: number | null = null;
  try {
    await decoder.send(packet, async (frame) => {
      const tick = decoder.tickOf(frame);
      if (tick !== AV_NOPTS_VALUE) first ??= Number(tick);
    });
  } catch {
    return null;
  }
  return first;
}

type End = Omit<Extent, 'start' | 'late' | 'endsStated' | 'withinGroup'>;

/** The packet of each stream that is presented last; null if none was read. */
async function endsOf(
  input: FormatContext,
  format: Demuxer,
  streams: readonly number[],
): Promise<(End | null)[]> {
  const ends = new Map<number, End>();
  await eachPacket(input, (packet, { index }) => {
    const last = tickOf(packet);
    if (last === null || isHidden(packet)) return true;
    const before = ends.get(index);
    if (before && before.last > last) return true;
    // Ogg page timestamps already exclude the dropped samples.
    const dropped = format === 'ogg' ? 0 : droppedOf(packet);
    ends.set(index, { last, duration: Number(packet.duration), dropped });
    return true;
  });
  return streams.map((index) => ends.get(index) ?? null);
}

/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 512;

/** @param take Returns whether to go on. */
async function eachPacket(
  input: FormatContext,
  take: (packet: Packet, stream: Stream) => boolean | Promise<boolean>,
): Promise<void> {
  const packet = new Packet();
  packet.alloc();
  try {
    for (let count = 1; ; count++) {
      if (count % TURN === 0) await new Promise(setImmediate);
      const read = readPacket(input, packet);
      if (!(read instanceof Promise ? await read : read)) return;
      const goesOn = await take(packet, streamOf(input, packet.streamIndex));
      packet.unref();
      if (!goesOn) return;
    }
  } finally {
    packet.free();
  }
}

/** Samples that the decoder drops from the end of a packet. */
function droppedOf(packet: Packet): number {
  return packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES)?.readUInt32LE(4) ?? 0;
}
