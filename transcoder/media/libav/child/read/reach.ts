import { AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { FormatContext, Packet, Stream } from 'node-av/lib';
import { MAX_STREAMS } from '../../../../../schema/api/plans.ts';
import type { ReachRequest } from '../../protocol.ts';
import { eachPacket } from './each-packet.ts';
import { goTo, openInput } from './input.ts';
import { isVideo } from './reader.ts';

/** What ffmpeg reads to learn about the streams: its `probesize` in bytes, and more than its `analyzeduration` in seconds. */
const PROBED = { bytes: 5_000_000, seconds: 8 };
/** Seconds that ffmpeg seeks ahead of what it is asked for, as frames may be reordered, and a little more. */
const AHEAD = 0.5;
/** Streams are read this far behind the end of a range: decoders, filters and queues hold frames back. */
const BEHIND = { seconds: 3, packets: 40 };
/** In seconds, if a stream has so few packets there. */
const LONG_BEHIND = 30;
/** Largest part of a source that is worth fetching by itself. */
const LARGEST = 1 / 2;

/** Reads the packets of all streams that a program reads when it opens a source and in each range, which fetches their bytes. */
export async function reach({ source, streams, ranges }: ReachRequest): Promise<boolean> {
  let left = source.bytes * LARGEST;
  const read = async (from: number | null, begun: (input: FormatContext) => Reading): Promise<boolean> => {
    const input = await openInput({ ...source, near: null }, everything);
    try {
      if (from !== null && !(await goTo(input, from - AHEAD))) return false;
      const reading = begun(input);
      await eachPacket(input, (packet, stream) => {
        left -= packet.size;
        return left > 0 && reading.goesOn(packet, stream);
      });
      // In AVI, a program looks for the next packet in what is missing, and finds the end of the file.
      return left > 0 && !(reading.lacking && source.format === 'avi');
    } finally {
      await input.closeInput();
    }
  };
  if (!(await read(null, () => new Learning()))) return false;
  for (const { from, end } of ranges) {
    if (!(await read(from, (input) => new Passing(input, end, streams)))) return false;
  }
  return true;
}

const everything = Array.from({ length: MAX_STREAMS }, (_, index) => index);

interface Reading {
  /** Whether a stream has no packets where they should be. */
  readonly lacking: boolean;
  goesOn(packet: Packet, stream: Stream): boolean;
}

/** What is read when a file is opened. */
class Learning implements Reading {
  readonly lacking = false;
  #bytes = 0;
  #first: number | null = null;

  goesOn(packet: Packet, { timeBase: { num, den } }: Stream): boolean {
    this.#bytes += packet.size;
    const second = (ticksOf(packet) * num) / den;
    if (Number.isNaN(second)) return this.#bytes < PROBED.bytes;
    this.#first ??= second;
    return this.#bytes < PROBED.bytes && second - this.#first < PROBED.seconds;
  }
}

/** Packets up to the end of a range, and as far behind it as a program may read on. */
class Passing implements Reading {
  readonly #end: number;
  /** Streams that the program reads. */
  readonly #wanted: readonly number[];
  /** Pictures, of which a program reads on until one lies behind the end. */
  readonly #pictures: readonly number[];
  /** Packets behind the end, by stream. */
  readonly #behind = new Map<number, number>();
  lacking = false;

  constructor({ streams }: FormatContext, end: number | null, wanted: readonly number[]) {
    this.#end = end ?? Number.POSITIVE_INFINITY;
    this.#wanted = wanted;
    this.#pictures = streams
      .filter((one) => isVideo(one) && wanted.includes(one.index))
      .map(({ index }) => index);
  }

  goesOn(packet: Packet, { index, codecpar: { codecType }, timeBase: { num, den } }: Stream): boolean {
    if (codecType !== AVMEDIA_TYPE_AUDIO && codecType !== AVMEDIA_TYPE_VIDEO) return true;
    const behind = (ticksOf(packet) * num) / den - this.#end;
    if (!(behind > 0)) return true;
    this.#behind.set(index, (this.#behind.get(index) ?? 0) + 1);
    if (behind <= BEHIND.seconds) return true;
    const lacks = (stream: number, least: number) => (this.#behind.get(stream) ?? 0) < least;
    const enough = !this.#wanted.some((stream) => lacks(stream, BEHIND.packets));
    this.lacking = !enough && behind > LONG_BEHIND && !this.#pictures.some((stream) => lacks(stream, 1));
    return !enough && !this.lacking;
  }
}

/** When a packet is decoded; NaN if it states no time. */
function ticksOf({ dts, pts }: Packet): number {
  const ticks = dts === AV_NOPTS_VALUE ? pts : dts;
  return ticks === AV_NOPTS_VALUE ? Number.NaN : Number(ticks);
}
