import { type FormatContext, type IRational, Packet, type Stream } from 'node-av/lib';
import type { Sound } from './audio/copy.ts';
import { checked } from './av.ts';
import type { Timeline } from './output-timeline.ts';
import type { TextTrack } from './text-track.ts';

interface Writing {
  /** The stream whose timebase the timeline uses. */
  model: Stream;
  timeline: Timeline;
  sound: Sound | null;
  text: TextTrack | null;
  onProgress: (fraction: number) => void;
}

/** Writes video packets at their output times, interleaved with audio and captions. */
export class Writer {
  readonly #output: FormatContext;
  /** Of the output's streams. */
  readonly #timeBases: readonly IRational[];
  readonly #timeBase: IRational;
  #sound: Sound | null;
  #text: TextTrack | null;
  #timeline: Timeline;
  #onProgress: (fraction: number) => void;
  #next = 0;
  #lastKey: Uint8Array | null = null;
  #made = new Packet();

  constructor(output: FormatContext, { model, timeline, sound, text, onProgress }: Writing) {
    this.#output = output;
    this.#timeBases = output.streams.map(({ timeBase }) => timeBase);
    this.#timeBase = model.timeBase;
    this.#timeline = timeline;
    this.#sound = sound;
    this.#text = text;
    this.#onProgress = onProgress;
    this.#made.alloc();
  }

  /** The last packet written, if it is a keyframe. */
  get lastKey(): Uint8Array | null {
    return this.#lastKey;
  }

  /** Writes the next frame from encoded bytes. */
  async bytes(data: Uint8Array, key: boolean): Promise<void> {
    this.#made.unref();
    this.#made.data = Buffer.from(data.buffer, data.byteOffset, data.length);
    this.#made.isKeyframe = key;
    await this.packet(this.#made);
  }

  /** Writes the next frame from an input's packet. */
  async packet(packet: Packet): Promise<void> {
    const { pts, dts, durations } = this.#timeline;
    const at = this.#next;
    if (at >= pts.length) throw new Error('more frames than planned');
    packet.pts = BigInt(pts[at] ?? 0);
    packet.dts = BigInt(dts[at] ?? 0);
    packet.duration = BigInt(durations[at] ?? 0);
    const { num, den } = this.#timeBase;
    await this.#othersUpTo(((dts[at] ?? 0) * num) / den);
    this.#lastKey = packet.isKeyframe ? new Uint8Array(packet.data ?? []) : null;
    this.#write(packet, 0, this.#timeBase);
    this.#next += 1;
    this.#onProgress(this.#next / pts.length);
  }

  /** Writes the rest of the audio and captions. Throws if frames are missing. */
  async finish(): Promise<void> {
    if (this.#next !== this.#timeline.pts.length) throw new Error('frames are missing');
    await this.#othersUpTo(Number.POSITIVE_INFINITY);
    this.#made.free();
  }

  async #othersUpTo(seconds: number): Promise<void> {
    for (let packet = this.#text?.before(seconds); packet; packet = this.#text?.before(seconds)) {
      await this.#soundUpTo((Number(packet.dts) * packet.timeBase.num) / packet.timeBase.den);
      this.#write(packet, this.#sound ? 2 : 1, packet.timeBase);
      this.#text?.taken();
    }
    await this.#soundUpTo(seconds);
  }

  async #soundUpTo(seconds: number): Promise<void> {
    for (;;) {
      const packet = await this.#sound?.before(seconds);
      if (!packet || !this.#sound) return;
      this.#write(packet, 1, this.#sound.timeBase);
      this.#sound.taken();
    }
  }

  #write(packet: Packet, to: 0 | 1 | 2, from: IRational): void {
    packet.streamIndex = to;
    const own = this.#timeBases[to];
    if (!own) throw new Error(`the output has no stream ${to}`);
    packet.rescaleTs(from, own);
    checked(this.#output.writeFrameSync(packet), 'write');
  }
}
