import { AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
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
/** A stream is read this far behind the end of a range: decoders, filters and queues hold frames back. */
const BEHIND = { seconds: 3, packets: 40 };
/** The same for a stream that has no packets there. */
const LONG_BEHIND = 30;
/** Largest part of a source that is worth fetching by itself. */
const LARGEST = 1 / 2;

/** Reads the packets of all streams that a program reads when it opens a source and in each range, which fetches their bytes. */
export async function reach({ source, ranges }: ReachRequest): Promise<boolean> {
  let left = source.bytes * LARGEST;
  const read = async (from: number | null, passing: (input: FormatContext) => Reading): Promise<boolean> => {
    const input = await openInput({ ...source, near: null }, everything);
    try {
      if (from !== null && !(await goTo(input, from - AHEAD))) return false;
      const reading = passing(input);
      await eachPacket(input, (packet, stream) => {
        left -= packet.size;
        return left > 0 && reading.goesOn(packet, stream);
      });
      return left > 0;
    } finally {
      await input.closeInput();
    }
  };
  if (!(await read(null, () => new Learning()))) return false;
  for (const { from, end } of ranges) {
    if (!(await read(from, (input) => new Passing(input, end)))) return false;
  }
  return true;
}

const everything = Array.from({ length: MAX_STREAMS }, (_, index) => index);

interface Reading {
  goesOn(packet: Packet, stream: Stream): boolean;
}

/** What is read when a file is opened. */
class Learning implements Reading {
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

/** Packets up to the end of a range. */
class Passing implements Reading {
  readonly #end: number;
  /** Packets behind the end, of each stream that has to pass it. */
  readonly #behind: Map<number, number>;

  constructor({ streams }: FormatContext, end: number | null) {
    this.#end = end ?? Number.POSITIVE_INFINITY;
    const media = streams.filter(
      (stream) => isVideo(stream) || stream.codecpar.codecType === AVMEDIA_TYPE_AUDIO,
    );
    this.#behind = new Map(media.map(({ index }) => [index, 0]));
  }

  goesOn(packet: Packet, { index, timeBase: { num, den } }: Stream): boolean {
    const count = this.#behind.get(index);
    const passed = (ticksOf(packet) * num) / den - this.#end;
    if (count === undefined || !(passed > BEHIND.seconds)) return true;
    if (count + 1 < BEHIND.packets) this.#behind.set(index, count + 1);
    else this.#behind.delete(index);
    return passed < LONG_BEHIND && this.#behind.size > 0;
  }
}

/** When a packet is decoded; NaN if it states no time. */
function ticksOf({ dts, pts }: Packet): number {
  const ticks = dts === AV_NOPTS_VALUE ? pts : dts;
  return ticks === AV_NOPTS_VALUE ? Number.NaN : Number(ticks);
}
