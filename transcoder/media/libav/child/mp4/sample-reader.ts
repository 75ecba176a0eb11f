import { Packet, type Stream } from 'node-av/lib';
import { composedAt, durationOf, isKey } from '../../../../bitstream/mp4/sample-tables.ts';
import { firstIndex } from '../../../../model/numbers/first-index.ts';
import { isWalkable } from '../read/packet-walk.ts';
import { REACH, type Reader } from '../read/reader.ts';
import { type SourceTrack, sampleOf } from './movie.ts';

/** Reads packets from an entry on. */
export interface RunReader {
  readonly stream: Stream;
  /** Seeks to `tick` and returns the packet presented at `pts`. Throws if there is none. */
  find(tick: number, pts: number): Promise<Packet>;
  /** The next packet, which is valid until the next call; null at the end. */
  next(): Promise<Packet | null>;
}

/** A picture whose packets are samples of an mp4, and what is added to their times to get the packets'. */
export interface SampledPicture {
  track: SourceTrack;
  stream: Stream;
  pts: number;
  dts: number;
}

/**
 * Null if packets are no samples, or if some are hidden.
 * @param at A packet of the stream: a seek position that leads to it, and its presentation time.
 */
export async function sampledPicture(
  reader: Reader,
  track: SourceTrack,
  at: { seek: number; pts: number },
): Promise<SampledPicture | null> {
  if (!isWalkable(track)) return null;
  const packet = await reader.find(at.seek, at.pts);
  const { samples } = track;
  const index = sampleOf(samples, packet);
  if (index === null) return null;
  return {
    ...{ track, stream: reader.stream, pts: at.pts - composedAt(samples, index) },
    dts: Number(packet.dts) - (samples.times[index] ?? 0),
  };
}

/** Reads the packets of a picture by the index of its file, of which libav would make a copy for each reader. */
export class SampleReader implements RunReader {
  readonly #picture: SampledPicture;
  readonly #packet = new Packet();
  #next = 0;

  constructor(picture: SampledPicture) {
    this.#picture = picture;
    this.#packet.alloc();
  }

  get stream(): Stream {
    return this.#picture.stream;
  }

  async find(tick: number, pts: number): Promise<Packet> {
    const { track, dts, pts: shift } = this.#picture;
    const { samples } = track;
    let from = firstIndex(samples.length, (at) => (samples.times[at] ?? 0) + dts > tick) - 1;
    // A keyframe that is decoded before the wanted one is shown may itself be shown later.
    const isLater = (at: number) => composedAt(samples, at) + shift > pts;
    while (from > 0 && (!isKey(samples, from) || isLater(from))) from -= 1;
    from = Math.max(0, from);
    for (let at = from; at < Math.min(from + REACH, samples.length); at++) {
      if (composedAt(samples, at) + shift !== pts) continue;
      this.#next = at;
      const packet = await this.next();
      if (packet) return packet;
    }
    throw new Error(`no packet has the presentation time ${pts}`);
  }

  async next(): Promise<Packet | null> {
    const { track, stream, pts, dts } = this.#picture;
    const { samples, bytes } = track;
    const index = this.#next;
    const position = samples.positions[index] ?? 0;
    if (index >= samples.length || position >= bytes.size) return null;
    this.#next += 1;
    const data = await bytes.all([position, position + (samples.sizes[index] ?? 0)]);
    this.#packet.unref();
    this.#packet.data = data;
    this.#packet.pts = BigInt(composedAt(samples, index) + pts);
    this.#packet.dts = BigInt((samples.times[index] ?? 0) + dts);
    this.#packet.duration = BigInt(durationOf(samples, index));
    this.#packet.isKeyframe = isKey(samples, index);
    this.#packet.streamIndex = stream.index;
    return this.#packet;
  }

  close(): void {
    this.#packet.free();
  }
}
