import { AV_PKT_DATA_NEW_EXTRADATA } from 'node-av/constants';
import type { Packet } from 'node-av/lib';
import { composedAt, durationOf, isKey, type Samples } from '../../../../bitstream/mp4/sample-tables.ts';
import { holdsDecodingTimes, isHidden } from '../av.ts';
import { type SourceTrack, sampleOf } from '../mp4/movie.ts';
import type { Reader } from './reader.ts';

/** A packet of a source, in ticks. */
export interface WalkedPacket {
  pts: number;
  /** The presentation time in containers that store no other. */
  dts: number;
  duration: number;
  /** Whether the container flags it as a keyframe. */
  key: boolean;
  /** Whether an edit list hides it. */
  hidden: boolean;
  /** The configuration that begins with it, if the container states another one; null if not. */
  configuration: Uint8Array | null;
  /** Until the next packet is asked for. */
  data(): Uint8Array | Promise<Uint8Array>;
}

/** Packets in decoding order; null at the end. */
export interface PacketWalk {
  next(): WalkedPacket | null | Promise<WalkedPacket | null>;
}

/**
 * Goes on from the position of a reader. With the index of an mp4 that hides nothing, only packets whose data is asked for are read.
 * @param track The stream's own, or null.
 */
export function walk(reader: Reader, track: SourceTrack | null): PacketWalk {
  return track && isWalkable(track) ? new IndexWalk(reader, track) : new ReaderWalk(reader);
}

/** Whether the samples from any one on are libav's packets. */
export const isWalkable = (track: SourceTrack): boolean => showsAll(track) && hasEnd(track);

/** Samples that are hidden may be missing from libav's packets. */
function showsAll({ samples, shown }: SourceTrack): boolean {
  if (!shown) return false;
  for (let at = 0; at < samples.length; at++) {
    const time = composedAt(samples, at);
    if (time < shown.from || time >= shown.to) return false;
  }
  return true;
}

/** At a sample beyond the end of the file libav stops, though others may follow that are there. */
function hasEnd({ samples: { positions }, bytes: { size } }: SourceTrack): boolean {
  const end = positions.findIndex((position) => position >= size);
  return end < 0 || positions.subarray(end).every((position) => position >= size);
}

class ReaderWalk implements PacketWalk {
  readonly #reader: Reader;
  readonly #ordered: boolean;

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#ordered = holdsDecodingTimes(reader.format);
  }

  async next(): Promise<WalkedPacket | null> {
    const packet = await this.#reader.next();
    return packet && this.walked(packet);
  }

  walked(packet: Packet): WalkedPacket {
    const pts = Number(packet.pts);
    return {
      ...{ pts, dts: this.#ordered ? Number(packet.dts) : pts, duration: Number(packet.duration) },
      ...{ key: packet.isKeyframe, hidden: isHidden(packet) },
      configuration: packet.getSideData(AV_PKT_DATA_NEW_EXTRADATA),
      data: () => packet.data ?? new Uint8Array(),
    };
  }
}

/** libav tells where the first packet is, and when. */
class IndexWalk implements PacketWalk {
  readonly #reader: Reader;
  readonly #track: SourceTrack;
  /** Index of the next sample, and what is added to its times to get the packet's. */
  #at: { index: number; pts: number; dts: number } | null = null;
  /** What libav takes for a duration of 0, which muxers of phones write for the last frame. */
  readonly #usual: number;
  /** Of the packet that was read last. */
  #buffer = Buffer.alloc(0);
  /** Goes on instead, if packets are no samples. */
  #others: ReaderWalk | null = null;

  constructor(reader: Reader, track: SourceTrack) {
    this.#reader = reader;
    this.#track = track;
    const { rFrameRate: rate } = reader.stream;
    const { num, den } = reader.timeBase;
    this.#usual = rate.num > 0 ? Math.floor((rate.den * den) / (rate.num * num)) : 0;
  }

  next(): WalkedPacket | null | Promise<WalkedPacket | null> {
    if (this.#others) return this.#others.next();
    if (!this.#at) return this.#first();
    const { samples, bytes } = this.#track;
    const { index } = this.#at;
    // A file that was cut off still lists the samples that it no longer has; the last one may be there in part.
    const isThere = index < samples.length && (samples.positions[index] ?? 0) < bytes.size;
    return isThere ? this.#sample(samples, this.#at) : null;
  }

  async #first(): Promise<WalkedPacket | null> {
    const packet = await this.#reader.next();
    if (!packet) return null;
    const { samples } = this.#track;
    const index = sampleOf(samples, packet);
    if (index === null) {
      this.#others = new ReaderWalk(this.#reader);
      return this.#others.walked(packet);
    }
    const [pts, dts] = [Number(packet.pts), Number(packet.dts)];
    this.#at = { index, pts: pts - composedAt(samples, index), dts: dts - (samples.times[index] ?? 0) };
    return this.#sample(samples, this.#at);
  }

  #sample(samples: Samples, at: { index: number; pts: number; dts: number }): WalkedPacket {
    const { index } = at;
    at.index += 1;
    const time = samples.times[index] ?? 0;
    const position = samples.positions[index] ?? 0;
    return {
      ...{
        pts: composedAt(samples, index) + at.pts,
        dts: time + at.dts,
        duration: durationOf(samples, index) || this.#usual,
      },
      ...{ key: isKey(samples, index), hidden: false, configuration: null },
      data: () => this.#read(position, samples.sizes[index] ?? 0),
    };
  }

  async #read(position: number, size: number): Promise<Uint8Array> {
    const { bytes } = this.#track;
    const length = Math.min(size, bytes.size - position);
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafe(2 * length);
    const data = this.#buffer.subarray(0, length);
    await bytes.fill(data, position);
    return data;
  }
}
