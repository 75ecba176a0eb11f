import type { AVPixelFormat } from 'node-av/constants';
import { avGetPixFmtName, type Frame, type Stream } from 'node-av/lib';
import type { Coded, EncoderSettings } from '../../../bitstream/codec.ts';
import { Decoder, Encoder } from './av.ts';
import { draw } from './draw-frames.ts';
import { FrameGraph } from './frame-graph.ts';
import type { Part, RunJob } from './output-timeline.ts';
import { enter } from './read/enter.ts';
import type { Reader } from './read/reader.ts';

/** Re-encodes frames of the inputs, stretch by stretch. */
export class Rendering {
  #coded: Coded;
  #settings: EncoderSettings;
  #like: Stream;
  #readers: readonly Reader[];
  #decoders = new Map<number, Decoder>();
  #encoder: Encoder;
  #fresh = true;
  readonly extradata: Uint8Array;

  private constructor(
    coded: Coded,
    settings: EncoderSettings,
    readers: readonly Reader[],
    like: Stream,
    encoder: Encoder,
  ) {
    this.#coded = coded;
    this.#settings = settings;
    this.#readers = readers;
    this.#like = like;
    this.#encoder = encoder;
    this.extradata = encoder.extradata;
  }

  /** @param seconds Average length of a stretch. */
  static async open(coded: Coded, readers: readonly Reader[], seconds: number): Promise<Rendering> {
    const [model] = readers;
    if (!model) throw new Error('the splice has no input');
    const settings = coded.encoder(seconds);
    const encoder = await Encoder.open(settings, model.stream);
    return new Rendering(coded, settings, readers, model.stream, encoder);
  }

  /** Throws if the encoded frames do not match the part. @param onPacket Called in decoding order. */
  async stretch(
    { jobs, pts }: Extract<Part, { kind: 'rendered' }>,
    onPacket: (data: Uint8Array) => Promise<void>,
  ): Promise<void> {
    await this.#renew();
    const waiting: { data: Uint8Array; pts: number }[] = [];
    let [came, left] = [0, 0];
    const leave = async () => {
      for (const packet of waiting.splice(0)) {
        if (packet.pts !== pts[left]) throw new Error('the encoded frames differ from the plan');
        left += 1;
        await onPacket(packet.data);
      }
    };
    const take = (frame: Frame) => {
      this.#encoder.send(frame, came === 0, (data, time) => waiting.push({ data, pts: time }));
      came += 1;
      return leave();
    };
    for (const job of jobs) {
      if (job.kind === 'drawn') await draw(job.piece, this.#readers, this.#format, take);
      else await this.#decode(job, take);
    }
    if (!this.#settings.immediate) {
      this.#encoder.send(null, false, (data, time) => waiting.push({ data, pts: time }));
      await leave();
    }
    if (left !== pts.length) throw new Error('encoded frames are missing');
  }

  close(): void {
    this.#encoder.close();
    for (const decoder of this.#decoders.values()) decoder.close();
  }

  /** An encoder with a delay was flushed at the end of the previous stretch and cannot be reused. */
  async #renew(): Promise<void> {
    if (!this.#fresh && !this.#settings.immediate) {
      this.#encoder.close();
      this.#encoder = await Encoder.open(this.#settings, this.#like);
      if (Buffer.compare(this.#encoder.extradata, this.extradata) !== 0) {
        throw new Error('the encoder changed its parameter sets between two stretches');
      }
    }
    this.#fresh = false;
  }

  /** The encoder's pixel format, as ffmpeg names it. */
  get #format(): string {
    const format = this.#like.codecpar.format as AVPixelFormat;
    return avGetPixFmtName(format) ?? `${format}`;
  }

  async #decode({ input, run, frames }: RunJob, onFrame: (frame: Frame) => Promise<void>): Promise<void> {
    const reader = this.#readers[input];
    if (!reader) throw new Error('a piece reads an input that does not exist');
    const decoder = this.#decoders.get(input) ?? (await Decoder.open(reader.stream));
    this.#decoders.set(input, decoder);
    decoder.flush();
    const graphs = new Map<string, FrameGraph>();
    const entrance = this.#coded.entered();
    const leave = async (frame: Frame) => {
      const out = frames.get(Number(frame.pts));
      if (out === undefined) return;
      frame.pts = BigInt(out.pts);
      await onFrame(out.filters === null ? frame : await this.#graph(graphs, out.filters).filtered(frame));
    };
    try {
      let packet = await reader.find(run.seek, run.entry);
      for (let count = 1; ; count++) {
        const pts = Number(packet.pts);
        decoder.spare(!frames.has(pts));
        if (enter(packet, entrance, pts < run.entry)) await decoder.send(packet, leave);
        if (count === run.packets) break;
        const next = await reader.next();
        if (!next) throw new Error('the source ends before the range');
        packet = next;
      }
      await decoder.send(null, leave);
    } finally {
      for (const graph of graphs.values()) graph.close();
    }
  }

  #graph(graphs: Map<string, FrameGraph>, filters: string): FrameGraph {
    const { num, den } = this.#like.timeBase;
    const chain = `${filters},format=pix_fmts=${this.#format}`;
    const graph = graphs.get(filters) ?? new FrameGraph(chain, `${num}/${den}`);
    graphs.set(filters, graph);
    return graph;
  }
}
