import {
  AV_FRAME_FLAG_INTERLACED,
  AV_FRAME_FLAG_TOP_FIELD_FIRST,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, type Frame } from 'node-av/lib';
import type { Coded, EncoderTarget } from '../../../bitstream/codec.ts';
import { corrected, raised, within } from '../../../bitstream/quantiser.ts';
import type { FieldOrder } from '../../../model/splice.ts';
import { Decoder, Encoder } from './av.ts';
import { draw } from './draw-frames.ts';
import { FrameGraph } from './frame-graph.ts';
import type { Place } from './lane-inputs.ts';
import type { Part, RunJob } from './output-timeline.ts';
import { enter } from './read/enter.ts';
import type { Spent } from './source-spending.ts';

/** Size of the first picture of a stretch, compared with the source's largest. */
const LARGEST = 1.25;

export type RenderedPart = Extract<Part, { kind: 'rendered' }>;

/** Frames to be encoded one after another, from a keyframe on. */
export interface RenderedStretch extends Pick<RenderedPart, 'jobs' | 'pts'> {
  target: EncoderTarget;
  spent: Spent;
}

/** Whether pictures are mixed in a transition: sizes of those in the source then say nothing about its own. */
export const isDrawn = (jobs: RenderedPart['jobs']) => jobs.some(({ kind }) => kind === 'drawn');

/** Re-encodes stretches one after another, about as well as their source is encoded. */
export class Lane {
  readonly #coded: Coded;
  readonly #place: Place;
  readonly #decoders = new Map<number, Decoder>();
  #encoder: Encoder;
  #target: EncoderTarget;
  /** Of the quantiser, after the stretches so far. */
  #correction = 0;
  #fresh = true;
  readonly extradata: Uint8Array;

  private constructor(coded: Coded, place: Place, encoder: Encoder, target: EncoderTarget) {
    this.#coded = coded;
    this.#place = place;
    this.#encoder = encoder;
    this.#target = target;
    this.extradata = encoder.extradata;
  }

  /** @param target Of the first stretch. */
  static async open(coded: Coded, place: Place, target: EncoderTarget): Promise<Lane> {
    const encoder = await Encoder.open(coded.encoder(target), place.like, place.sharing);
    return new Lane(coded, place, encoder, target);
  }

  /** Throws if the encoded frames do not match the plan. @param onPacket Called in decoding order. */
  async encode(
    { jobs, pts, target, spent }: RenderedStretch,
    onPacket: (data: Uint8Array) => Promise<void>,
  ): Promise<void> {
    await this.#place.inputs.keep(new Set(jobs.flatMap(inputsOf)));
    const drawn = isDrawn(jobs);
    await this.#renew(drawn ? target : this.#adjusted(target));
    const waiting: { data: Uint8Array; pts: number }[] = [];
    let [came, left, bytes] = [0, 0, 0];
    const leave = async () => {
      for (const packet of waiting.splice(0)) {
        if (packet.pts !== pts[left]) throw new Error('the encoded frames differ from the plan');
        left += 1;
        bytes += packet.data.length;
        await onPacket(packet.data);
      }
    };
    const send = async (frame: Frame | null, key: boolean) => {
      if (frame && this.#target.fields) orderFields(frame, this.#target.fields);
      await this.#encoder.send(frame, key, (data, time) => waiting.push({ data, pts: time }));
    };
    const take = async (frame: Frame) => {
      await send(frame, came === 0);
      const size = waiting[0]?.data.length ?? 0;
      if (came === 0 && !drawn && (await this.#coarsened(size, spent.largest))) {
        waiting.length = 0;
        await send(frame, true);
      }
      came += 1;
      await leave();
    };
    for (const job of jobs) {
      if (job.kind === 'drawn') await draw(job.piece, this.#place, this.#format, take);
      else await this.#decode(job, take);
    }
    if (!this.#immediate) {
      await send(null, false);
      await leave();
    }
    if (left !== pts.length) throw new Error('encoded frames are missing');
    // Their pictures would take memory until the lane's next turn.
    this.#closeDecoders();
    if (!drawn) this.#correction = corrected(this.#correction, bytes, spent.bytes);
  }

  async close(): Promise<void> {
    this.#encoder.close();
    this.#closeDecoders();
    await this.#place.inputs.keep(new Set());
  }

  #closeDecoders(): void {
    for (const decoder of this.#decoders.values()) decoder.close();
    this.#decoders.clear();
  }

  /** An encoder with a delay was flushed at the end of the previous stretch and cannot be reused. */
  async #renew(target: EncoderTarget): Promise<void> {
    const { quantiser, maxKbps } = this.#target;
    const same = quantiser === target.quantiser && maxKbps === null && target.maxKbps === null;
    if (!this.#fresh && !(same && this.#immediate)) await this.#open(target);
    this.#fresh = false;
  }

  #adjusted(target: EncoderTarget): EncoderTarget {
    const { scale } = this.#coded;
    if (scale === null || target.quantiser === null) return target;
    return { ...target, quantiser: within(scale, target.quantiser + this.#correction) };
  }

  /** Opens a coarser encoder if the first picture of a stretch is much larger than any of the source. */
  async #coarsened(size: number, largest: number): Promise<boolean> {
    const [{ scale }, { quantiser }] = [this.#coded, this.#target];
    if (scale === null || quantiser === null) return false;
    const other = raised(quantiser, size, LARGEST * largest, scale);
    if (other === null) return false;
    await this.#open({ ...this.#target, quantiser: other });
    return true;
  }

  async #open(target: EncoderTarget): Promise<void> {
    this.#encoder.close();
    this.#target = target;
    const { like, sharing } = this.#place;
    this.#encoder = await Encoder.open(this.#coded.encoder(target), like, sharing);
    if (Buffer.compare(this.#encoder.extradata, this.extradata) !== 0) {
      throw new Error('the encoder changed its parameter sets between two stretches');
    }
  }

  get #immediate(): boolean {
    return this.#coded.encoder(this.#target).immediate;
  }

  /** The encoder's pixel format, as ffmpeg names it. */
  get #format(): string {
    const format = this.#place.like.codecpar.format as AVPixelFormat;
    return avGetPixFmtName(format) ?? `${format}`;
  }

  async #decode({ input, run, frames }: RunJob, onFrame: (frame: Frame) => Promise<void>): Promise<void> {
    const { inputs, sharing } = this.#place;
    const reader = await inputs.runsOf(input);
    const decoder = this.#decoders.get(input) ?? (await Decoder.open(reader.stream, { sharing }));
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
    const { num, den } = this.#place.like.timeBase;
    const chain = `${filters},format=pix_fmts=${this.#format}`;
    const graph = graphs.get(filters) ?? new FrameGraph(chain, `${num}/${den}`);
    graphs.set(filters, graph);
    return graph;
  }
}

function inputsOf(job: RenderedPart['jobs'][number]): number[] {
  return job.kind === 'run' ? [job.input] : job.piece.feeds.map(({ input }) => input);
}

/** The encoder takes the order of the fields from each frame; frames that are not interlaced state none. */
function orderFields(frame: Frame, order: FieldOrder): void {
  if (frame.flags & AV_FRAME_FLAG_INTERLACED) return;
  frame.clearFlags(AV_FRAME_FLAG_TOP_FIELD_FIRST);
  frame.setFlags(AV_FRAME_FLAG_INTERLACED, ...(order === 'top' ? [AV_FRAME_FLAG_TOP_FIELD_FIRST] : []));
}
