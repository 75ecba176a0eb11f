import { AV_NOPTS_VALUE, AV_PKT_DATA_SKIP_SAMPLES } from 'node-av/constants';
import { avGetCodecName, type FormatContext, type Packet, type Stream } from 'node-av/lib';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import { boxesIn } from '../../../../bitstream/mp4/boxes.ts';
import { childOf } from '../../../../bitstream/mp4/sample-tables.ts';
import { UNIT_BYTES, unitIn } from '../../../../model/numbers/late-unit.ts';
import { greatest } from '../../../../model/numbers/min-max.ts';
import type { Span } from '../../../../model/source/byte-ranges.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import type { Extent, ExtentsRequest } from '../../protocol.ts';
import { streamOf } from '../av.ts';
import { eachPacket } from '../read/each-packet.ts';
import { goTo, goToByte, openHiding, openInput } from '../read/input.ts';
import { tickOf } from '../read/packet-window.ts';
import { SourceBytes } from '../read/source-bytes.ts';
import type { Hidden } from '../read/sparse-input.ts';
import { isUnseen } from '../read/unseen.ts';
import { isLengthUnstated, ticksDecoded } from './last-sound.ts';
import { mp3End } from './mp3-end.ts';
import { startsOf } from './stream-starts.ts';
import { isMiscounted } from './wav-header.ts';

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
    // What is here is counted.
    const stated =
      source.format === 'mp3' && source.present ? await statedEnds(request, bytes, starts) : null;
    if (stated) return stated;
    for await (const tail of tails(request, bytes, head)) {
      const ends = await endsOf(tail, source.format, streams).finally(() => tail.input.closeInput());
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

/** Bytes of a source that are read for the times at its end. */
const MOST_READ = 16 * 1024 * 1024;

/** Presentation times of a stream's packets at the end, ascending: at least `fewest`, or none if more would have to be read for them. */
export async function timesAtEnd(source: SourceParts, stream: number, fewest: number): Promise<number[]> {
  const bytes = new SourceBytes(source);
  try {
    const head = await headEnd(source.format, bytes);
    for await (const tail of tails({ kind: 'extents', source, streams: [stream] }, bytes, head)) {
      const isRead = bytes.size - tail.from <= MOST_READ;
      const reading: Promise<number[]> = isRead ? timesOf(tail) : Promise.resolve([]);
      const times = await reading.finally(() => tail.input.closeInput());
      if (times.length >= fewest) return times;
      if (!isRead) break;
    }
    return [];
  } finally {
    bytes.close();
  }
}

async function timesOf({ input, from }: Tail): Promise<number[]> {
  const times: number[] = [];
  await eachPacket(input, (packet) => {
    const time = tickOf(packet);
    if (time !== null && packet.pos >= from) times.push(time);
    return true;
  });
  return times.sort((a, b) => a - b);
}

/** Of an mp3 with one sound, whose first frame states its length; null if it has to be read. */
async function statedEnds(
  { source, streams }: ExtentsRequest,
  bytes: SourceBytes,
  [start]: Awaited<ReturnType<typeof startsOf>>,
): Promise<Extent[] | null> {
  const [index, ...others] = streams;
  if (index === undefined || others.length > 0 || !start) return null;
  const input = await openInput(source, streams);
  try {
    const { tick, late, endsStated, withinGroup } = start;
    const end = await mp3End(bytes, streamOf(input, index), tick);
    return end && [{ ...end, start: tick, late, endsStated, withinGroup }];
  } finally {
    await input.closeInput();
  }
}

interface Tail {
  input: FormatContext;
  partial: boolean;
  /** Where its packets begin; packets of the header are not at the end. */
  from: number;
}

/** Yields growing tails of a source; the last one is the whole source. */
async function* tails(
  { source, streams }: ExtentsRequest,
  bytes: SourceBytes,
  head: number | null,
): AsyncGenerator<Tail> {
  const shortcut = await shortcutTo(source, streams);
  const open = () => openInput(source, streams);
  if (shortcut === 'unit' && head !== null) {
    for (const window of BYTE_WINDOWS) {
      const late = await findUnit(bytes, source.format, Math.max(head, bytes.size - window));
      if (late === null) continue;
      if (late <= head || !(await isTimed(source.format, bytes, late))) break;
      const hidden = hiddenIn(source.format, [head, late]);
      yield { input: await openHiding(source, hidden, streams), partial: true, from: late };
    }
  }
  if (shortcut === 'byte') {
    for (const window of BYTE_WINDOWS.filter((bound) => bound < bytes.size)) {
      const input = await open();
      if (await goToByte(input, bytes.size - window)) yield { input, partial: true, from: 0 };
      else await input.closeInput();
    }
  }
  if (shortcut === 'seek') {
    for (const window of [null, ...SECOND_WINDOWS]) {
      const input = await open();
      const stated = greatest(input.streams.map(statedEnd));
      if (await goTo(input, window === null ? BEHIND : stated - window))
        yield { input, partial: true, from: 0 };
      else await input.closeInput();
    }
  }
  yield { input: await open(), partial: false, from: 0 };
}

async function shortcutTo(source: SourceParts, streams: readonly number[]) {
  if (source.format !== 'wav') return shortcuts[source.format];
  if (await isMiscounted(source)) return undefined;
  // A seek counts by the bytes per second that the header states, which encoders of ADPCM write wrongly.
  const input = await openInput(source, streams);
  const isCounted = input.streams.every(({ codecpar }) =>
    (avGetCodecName(codecpar.codecId) ?? '').startsWith('pcm_'),
  );
  await input.closeInput();
  return isCounted ? shortcuts.wav : undefined;
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

/** The longest header of a fragment that is read. */
const MOST_FRAGMENT = 16 * 1024 * 1024;

/** Whether a unit states its time: older muxers write fragments without a `tfdt` (8.8.12), whose samples follow those before them. */
async function isTimed(format: Demuxer, bytes: SourceBytes, at: number): Promise<boolean> {
  if (format !== 'mov') return true;
  const size = (await bytes.all([at, at + 4])).readUInt32BE(0);
  if (size > MOST_FRAGMENT) return false;
  const unit = await bytes.all([at, at + size]);
  const tracks = [...boxesIn(unit, 8, unit.length)].filter(({ type }) => type === 'traf');
  return tracks.every((track) => childOf(unit, track, 'tfdt') !== null);
}

/** An element that demuxers skip: `free` of ISO/IEC 14496-12, 8.1.2, or Void of RFC 8794, 11.3.2; a unit is longer than its header. */
function hiddenIn(format: Demuxer, span: Span): Hidden {
  const size = BigInt(span[1] - span[0]);
  const header = Buffer.alloc(format === 'mov' ? 16 : 9);
  if (format === 'mov') {
    header.write('\0\0\0\x01free', 'latin1');
    header.writeBigUInt64BE(size, 8);
  } else {
    header.writeBigUInt64BE((1n << 56n) | (size - BigInt(header.length)), 1);
    header[0] = 0xec;
  }
  return { span, header };
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

type End = Omit<Extent, 'start' | 'late' | 'endsStated' | 'withinGroup'>;

/** The packet of each stream that is presented last; null if none was read, or if its time is wrong. */
async function endsOf(
  { input, partial, from }: Tail,
  format: Demuxer,
  streams: readonly number[],
): Promise<(End | null)[]> {
  const ends = new Map<number, End>();
  const unstated = new Map<number, Packet>();
  await eachPacket(input, (packet, stream) => {
    const { index } = stream;
    const last = tickOf(packet);
    if (last === null || isUnseen(packet, stream) || (packet.pos >= 0n && packet.pos < from)) return true;
    const before = ends.get(index);
    if (before && before.last > last) return true;
    // Ogg page timestamps already exclude the dropped samples.
    const dropped = format === 'ogg' ? 0 : droppedOf(packet);
    ends.set(index, { last, duration: lengthOf(packet, stream, last), dropped });
    unstated.get(index)?.free();
    unstated.delete(index);
    const kept = isLengthUnstated(packet, stream) ? packet.clone() : null;
    if (kept) unstated.set(index, kept);
    return true;
  });
  for (const [index, packet] of unstated) {
    const end = ends.get(index);
    const duration = await ticksDecoded(packet, streamOf(input, index));
    packet.free();
    if (end && duration !== null) ends.set(index, { ...end, duration });
  }
  return streams.map((index) => {
    const end = ends.get(index);
    return end && !(partial && format === 'ogg' && isBeyond(end, streamOf(input, index))) ? end : null;
  });
}

/** After a seek, libav may count the packets of Ogg from a wrong page, and so beyond the end that the last page states. */
const isBeyond = ({ last, duration }: End, { startTime, duration: stated }: Stream): boolean =>
  stated !== AV_NOPTS_VALUE &&
  last + duration > Number(startTime === AV_NOPTS_VALUE ? stated : startTime + stated);

/** An unsigned length from here on is a negative one. */
const WRAPPED = 2 ** 31;

/** After a seek, libav may count the length of the last packet of Ogg from a wrong page, and below zero. */
function lengthOf({ duration }: Packet, { startTime, duration: stated }: Stream, last: number): number {
  const length = Number(duration);
  if (length >= 0 && length < WRAPPED) return length;
  if (stated === AV_NOPTS_VALUE) return 0;
  return Math.max(0, Number(startTime === AV_NOPTS_VALUE ? stated : startTime + stated) - last);
}

/** Samples that the decoder drops from the end of a packet. */
function droppedOf(packet: Packet): number {
  return packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES)?.readUInt32LE(4) ?? 0;
}
