import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_NOPTS_VALUE,
  AV_PKT_DATA_SKIP_SAMPLES,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { type FormatContext, type IRational, Packet, type Stream } from 'node-av/lib';
import { MAX_STREAMS } from '../../../../../schema/api/plans.ts';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import type { SourceFile, SourceParts } from '../../../../model/source/media-source.ts';
import { streamOf } from '../av.ts';
import { goTo, openFile, openInput, openPackets, openUnparsed, readPacket, seek, trySeek } from './input.ts';

/** One of the readers of a request. */
export function readerAt(readers: readonly Reader[], input: number): Reader {
  const reader = readers[input];
  if (!reader) throw new Error('a piece reads an input that does not exist');
  return reader;
}

/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 512;

/** Reads one stream of an input, packet by packet. */
export class Reader {
  readonly stream: Stream;
  /** Of the stream, which makes a new object each time that it is asked. */
  readonly timeBase: IRational;
  readonly format: Demuxer;
  readonly #index: number;
  #input: FormatContext;
  #packet = new Packet();
  #count = 0;
  /** Samples before a sound that begins late in an mp4. */
  readonly #late: number;

  private constructor(input: FormatContext, stream: Stream, format: Demuxer) {
    this.#input = input;
    this.stream = stream;
    this.timeBase = stream.timeBase;
    this.#index = stream.index;
    this.format = format;
    this.#late = format === 'mov' ? lateSamples(stream) : 0;
    this.#packet.alloc();
  }

  static async open({ source, stream }: { source: SourceParts; stream: number }): Promise<Reader> {
    const input = await openInput(source, [stream]);
    return new Reader(input, streamOf(input, stream), source.format);
  }

  /** For packets and decoding only: stream information may be limited to what a decoder needs. */
  static async ofPackets({ source, stream }: { source: SourceParts; stream: number }): Promise<Reader> {
    const input = await openPackets(source, [stream]);
    return new Reader(input, streamOf(input, stream), source.format);
  }

  /** For packets with the flags that their container states. */
  static async unparsed({ source, stream }: { source: SourceParts; stream: number }): Promise<Reader> {
    const input = await openUnparsed(source, [stream]);
    return new Reader(input, streamOf(input, stream), source.format);
  }

  /** For audio. Formats whose audio has no index of its own seek by video, therefore all streams are read there. */
  static async ofSound({ source, stream }: { source: SourceParts; stream: number }): Promise<Reader> {
    const all = Array.from({ length: MAX_STREAMS }, (_, index) => index);
    const input = await openInput(source, source.format === 'mov' ? [stream] : all);
    return new Reader(input, streamOf(input, stream), source.format);
  }

  /** For a complete local file. */
  static async ofFile(file: SourceFile, stream: number): Promise<Reader> {
    const input = await openFile(file, [stream]);
    return new Reader(input, streamOf(input, stream), file.format);
  }

  /** Bytes per second of the whole input; 0 if unknown. */
  get bytesPerSecond(): number {
    return Number(this.#input.bitRate) / 8;
  }

  /** Seeks to the last keyframe at or before this tick. */
  async seek(tick: number): Promise<void> {
    await seek(this.#input, this.#index, tick);
  }

  /** Seeks like `seek`. @returns false, with the position lost, if the source cannot be sought in. */
  async trySeek(tick: number): Promise<boolean> {
    return trySeek(this.#input, this.#index, tick);
  }

  /**
   * Seeks to a packet of a sound at or before this tick. The index of Matroska names frames of the video alone, and libav would read
   * everything from the beginning to find the sound: it is sought by the video, from further back until it is read from early enough.
   */
  async seekSound(tick: number): Promise<void> {
    const guide = this.format === 'matroska' ? this.#input.streams.find(isVideo) : undefined;
    if (guide) {
      const { num, den } = guide.timeBase;
      const seconds = (tick * this.timeBase.num) / this.timeBase.den;
      for (let back = 0; seconds > back; back = 2 * back + 1) {
        const by = Math.floor(((seconds - back) * den) / num);
        if (!(await trySeek(this.#input, guide.index, by))) break;
        const first = await this.next();
        if (!first || Number(first.pts) > tick) continue;
        await seek(this.#input, guide.index, by);
        return;
      }
    }
    await this.seek(tick);
  }

  /** Seeks to a position after which everything from this second on can be read. */
  async goTo(seconds: number): Promise<void> {
    if (!(await goTo(this.#input, seconds))) throw new Error('the source is not seekable');
  }

  /** The next packet, which is valid until the next call; null at the end. */
  async next(): Promise<Packet | null> {
    do {
      this.#packet.unref();
      this.#count += 1;
      if (this.#count % TURN === 0) await new Promise(setImmediate);
      const read = readPacket(this.#input, this.#packet);
      if (!(read instanceof Promise ? await read : read)) return null;
    } while (this.#packet.streamIndex !== this.#index);
    if (this.#late > 0) keepEnd(this.#packet, this.#late);
    return this.#packet;
  }

  /** Seeks to `tick` and returns the packet presented at `pts`. Throws if there is none. */
  async find(tick: number, pts: number): Promise<Packet> {
    await this.seek(tick);
    for (let count = 0; count < REACH; count++) {
      const packet = await this.next();
      if (packet && Number(packet.pts) === pts) return packet;
    }
    throw new Error(`no packet has the presentation time ${pts}`);
  }

  async close(): Promise<void> {
    this.#packet.free();
    await this.#input.closeInput();
  }
}

/** Not a cover, which has no entries in an index. */
export const isVideo = ({ codecpar, disposition }: Stream): boolean =>
  codecpar.codecType === AVMEDIA_TYPE_VIDEO && ((disposition as number) & AV_DISPOSITION_ATTACHED_PIC) === 0;

function lateSamples({ codecpar, startTime, timeBase: { num, den } }: Stream): number {
  if (codecpar.codecType !== AVMEDIA_TYPE_AUDIO || startTime === AV_NOPTS_VALUE) return 0;
  return Math.round((Number(startTime) * codecpar.sampleRate * num) / den);
}

/** Of a sound that begins late, libav drops as many samples at the end: it takes the length of the sound for its end. */
function keepEnd(packet: Packet, late: number): void {
  const data = packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES);
  const dropped = data?.readUInt32LE(DROPPED_AT) ?? 0;
  if (!data || dropped === 0) return;
  data.writeUInt32LE(Math.max(0, dropped - late), DROPPED_AT);
  packet.addSideData(AV_PKT_DATA_SKIP_SAMPLES, data);
}

/** Where the samples to be dropped at the end of a packet are stated. */
const DROPPED_AT = 4;

/** Most packets between a seek's landing point and its target. */
export const REACH = 2000;
