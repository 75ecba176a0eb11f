import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { MAX_STREAMS } from '../../../../../schema/api/plans.ts';
import type { Demuxer } from '../../../../model/demuxers.ts';
import type { SourceFile, SourceParts } from '../../../../model/media-source.ts';
import { streamOf } from '../av.ts';
import { goTo, openFile, openInput, openPackets, readPacket, seek } from './input.ts';

/** How often the event loop gets its turn, so that messages leave. */
const TURN = 512;

/** One stream of an input, packet by packet. */
export class Reader {
  readonly stream: Stream;
  readonly format: Demuxer;
  #input: FormatContext;
  #packet = new Packet();
  #count = 0;

  private constructor(input: FormatContext, stream: Stream, format: Demuxer) {
    this.#input = input;
    this.stream = stream;
    this.format = format;
    this.#packet.alloc();
  }

  static async open({ source, stream }: { source: SourceParts; stream: number }): Promise<Reader> {
    const input = await openInput(source, [stream]);
    return new Reader(input, streamOf(input, stream), source.format);
  }

  /** For its packets and the frames in them; of what the stream is, no more may be known than a decoder needs. */
  static async ofPackets({ source, stream }: { source: SourceParts; stream: number }): Promise<Reader> {
    const input = await openPackets(source, [stream]);
    return new Reader(input, streamOf(input, stream), source.format);
  }

  /** For its sound. A seek goes by the picture where the sound has no index of its own, so that cannot be left out then. */
  static async ofSound({ source, stream }: { source: SourceParts; stream: number }): Promise<Reader> {
    const all = Array.from({ length: MAX_STREAMS }, (_, index) => index);
    const input = await openInput(source, source.format === 'mov' ? [stream] : all);
    return new Reader(input, streamOf(input, stream), source.format);
  }

  /** Of a file that is here from end to end. */
  static async ofFile(file: SourceFile, stream: number): Promise<Reader> {
    const input = await openFile(file, [stream]);
    return new Reader(input, streamOf(input, stream), file.format);
  }

  /** Goes to the last keyframe at or before this tick. */
  async seek(tick: number): Promise<void> {
    await seek(this.#input, this.stream.index, tick);
  }

  /** Goes to where all of the file that is shown or heard from this second on lies behind. */
  async goTo(seconds: number): Promise<void> {
    if (!(await goTo(this.#input, seconds))) throw new Error('the source cannot be sought in');
  }

  /** The next packet, which the next call empties; null at the end. */
  async next(): Promise<Packet | null> {
    do {
      this.#packet.unref();
      this.#count += 1;
      if (this.#count % TURN === 0) await new Promise(setImmediate);
      const read = readPacket(this.#input, this.#packet);
      if (!(read instanceof Promise ? await read : read)) return null;
    } while (this.#packet.streamIndex !== this.stream.index);
    return this.#packet;
  }

  /** The packet presented at `pts`, which a seek to `tick` leads to. Throws where there is none. */
  async find(tick: number, pts: number): Promise<Packet> {
    await this.seek(tick);
    for (let count = 0; count < REACH; count++) {
      const packet = await this.next();
      if (packet && Number(packet.pts) === pts) return packet;
    }
    throw new Error(`there is no packet at ${pts}`);
  }

  async close(): Promise<void> {
    this.#packet.free();
    await this.#input.closeInput();
  }
}

/** So many packets may lie between where a seek leads to and what was sought. */
const REACH = 2000;
