import { type FormatContext, type IRational, Packet, type Stream } from 'node-av/lib';
import type { Entrance } from '../../../bitstream/codec.ts';
import type { Copy } from '../../../model/splice.ts';
import { checked } from './av.ts';
import type { CopiedTrack } from './copied-track.ts';
import type { FrameWriter } from './frame-writer.ts';
import type { Timeline } from './output-timeline.ts';
import { type Reader, readerAt } from './read/reader.ts';
import type { TextTrack } from './text-track.ts';

interface Writing {
  readers: readonly Reader[];
  /** The stream whose timebase the timeline uses. */
  model: Stream;
  timeline: Timeline;
  /** Seconds of the picture that are written before the other tracks follow; 0 to write each packet in its turn. */
  apart: number;
  /** The other tracks, and where each is in the output. */
  others: readonly { track: CopiedTrack; place: number }[];
  text: { track: TextTrack; place: number } | null;
  onProgress: (fraction: number) => void;
  /** Called when libav has written and closed the file. */
  finished: () => Promise<void>;
}

/** Writes packets with one of libav's muxers. */
export class PacketWriter implements FrameWriter {
  readonly #readers: readonly Reader[];
  readonly #output: FormatContext;
  /** Of the output's streams. */
  readonly #timeBases: readonly IRational[];
  readonly #timeBase: IRational;
  readonly #others: Writing['others'];
  readonly #text: Writing['text'];
  #timeline: Timeline;
  #onProgress: (fraction: number) => void;
  readonly #finished: () => Promise<void>;
  readonly #apart: number;
  /** Second of the output that is written before the other tracks follow. */
  #mark = Number.NEGATIVE_INFINITY;
  #next = 0;
  #lastKey: Uint8Array | null = null;
  #made = new Packet();

  constructor(
    output: FormatContext,
    { readers, model, timeline, apart, others, text, onProgress, finished }: Writing,
  ) {
    this.#readers = readers;
    this.#output = output;
    this.#timeBases = output.streams.map(({ timeBase }) => timeBase);
    this.#timeBase = model.timeBase;
    this.#timeline = timeline;
    this.#apart = apart;
    this.#others = others;
    this.#text = text;
    this.#onProgress = onProgress;
    this.#finished = finished;
    this.#made.alloc();
  }

  async lastKey(): Promise<Uint8Array | null> {
    return this.#lastKey;
  }

  async bytes(data: Uint8Array, key: boolean): Promise<void> {
    this.#made.unref();
    this.#made.data = Buffer.from(data.buffer, data.byteOffset, data.length);
    this.#made.isKeyframe = key;
    await this.#packet(this.#made);
  }

  async copied(input: number, { seek, frames }: Copy, entrance: Entrance): Promise<void> {
    const reader = readerAt(this.#readers, input);
    const [first = 0] = frames;
    for (let at = 0; at < frames.length; ) {
      const packet: Packet | null = at === 0 ? await reader.find(seek, first) : await reader.next();
      const pts = Number(packet?.pts);
      const leading = pts < first;
      if (!packet || !(leading || pts === frames[at])) throw new Error('the source differs from its survey');
      const data = entrance.passed ? null : (packet.data ?? new Uint8Array());
      const converted = data && entrance.packet(data, leading);
      if (leading) continue;
      if (converted && converted !== data) await this.bytes(converted, packet.isKeyframe);
      else await this.#packet(packet);
      at += 1;
    }
  }

  /** Writes the next frame from an input's packet. */
  async #packet(packet: Packet): Promise<void> {
    const { pts, dts, durations } = this.#timeline;
    const at = this.#next;
    if (at >= pts.length) throw new Error('more frames than planned');
    packet.pts = BigInt(pts[at] ?? 0);
    packet.dts = BigInt(dts[at] ?? 0);
    packet.duration = BigInt(durations[at] ?? 0);
    const { num, den } = this.#timeBase;
    const decoded = ((dts[at] ?? 0) * num) / den;
    if (decoded >= this.#mark) {
      await this.#othersUpTo(decoded);
      this.#mark = decoded + this.#apart;
    }
    this.#lastKey = packet.isKeyframe ? new Uint8Array(packet.data ?? []) : null;
    this.#write(packet, 0, this.#timeBase);
    this.#next += 1;
    this.#onProgress(this.#next / pts.length);
  }

  async finish(): Promise<void> {
    if (this.#next !== this.#timeline.pts.length) throw new Error('frames are missing');
    await this.#othersUpTo(Number.POSITIVE_INFINITY);
    checked(await this.#output.writeTrailer(), 'write trailer');
    await this.#output.closeOutput();
    this.#output.freeContext();
    await this.#finished();
  }

  async close(): Promise<void> {
    this.#made.free();
  }

  async #othersUpTo(seconds: number): Promise<void> {
    if (this.#text) {
      const { track, place } = this.#text;
      for (let packet = track.before(seconds); packet; packet = track.before(seconds)) {
        await this.#copiedUpTo((Number(packet.dts) * track.timeBase.num) / track.timeBase.den);
        this.#write(packet, place, track.timeBase);
        track.taken();
      }
    }
    await this.#copiedUpTo(seconds);
  }

  async #copiedUpTo(seconds: number): Promise<void> {
    for (const { track, place } of this.#others) {
      for (let packet = await track.before(seconds); packet; packet = await track.before(seconds)) {
        this.#write(packet, place, track.timeBase);
        track.taken();
      }
    }
  }

  #write(packet: Packet, to: number, from: IRational): void {
    packet.streamIndex = to;
    const own = this.#timeBases[to];
    if (!own) throw new Error(`the output has no stream ${to}`);
    packet.rescaleTs(from, own);
    checked(this.#output.writeFrameSync(packet), 'write');
  }
}
