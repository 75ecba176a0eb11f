import { type Gaps, infoFrame, infoFrameBytes } from '../sound/info-frame.ts';
import { type Mp3Frame, readMp3Frame } from '../sound/mp3-frame.ts';

/** Where the bytes of an MP3 go, in order; its head comes last, when it is known. */
export interface Sink {
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** @param head as long as `headBytes` was when the sink was made */
  finish(head: Uint8Array<ArrayBuffer>): Promise<Blob | null>;
}

const PART = 2 ** 20;

/** Puts frames, tags and the info frame together. */
export class Mp3File {
  frame: Mp3Frame | null = null;
  isConstant = true;
  readonly #tags: Uint8Array;
  readonly #openSink: (headBytes: number) => Promise<Sink>;
  readonly #positions: number[] = [];
  #header: Uint8Array = new Uint8Array();
  #sink: Promise<Sink> | null = null;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #bytes = 0;

  constructor(tags: Uint8Array, openSink: (headBytes: number) => Promise<Sink>) {
    this.#tags = tags;
    this.#openSink = openSink;
  }

  get frames(): number {
    return this.#positions.length;
  }

  get samples(): number {
    return this.frames * (this.frame?.samples ?? 0);
  }

  add(data: Uint8Array): void {
    const frame = readMp3Frame(data);
    if (!this.frame) {
      this.frame = frame;
      this.#header = data.slice(0, 4);
      this.#sink = this.#openSink(this.#tags.byteLength + infoFrameBytes(this.#header));
    } else if (frame?.bitrate !== this.frame.bitrate) this.isConstant = false;
    this.#positions.push(this.#bytes);
    this.#bytes += data.byteLength;
    this.#waiting.push(data);
    this.#waitingBytes += data.byteLength;
  }

  /** Hands a part on once there is enough of it. */
  async drain(least = PART): Promise<void> {
    if (this.#waitingBytes === 0 || this.#waitingBytes < least) return;
    const part = new Uint8Array(this.#waitingBytes);
    let at = 0;
    for (const data of this.#waiting) {
      part.set(data, at);
      at += data.byteLength;
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    await (await this.#sink)?.append(part);
  }

  async finish(gaps: Gaps | null): Promise<{ blob: Blob | null; bytes: number }> {
    await this.drain(1);
    const info = infoFrame({
      header: this.#header,
      positions: this.#positions,
      bytes: this.#bytes,
      gaps,
      isConstant: this.isConstant,
    });
    const head = new Uint8Array(this.#tags.byteLength + info.byteLength);
    head.set(this.#tags);
    head.set(info, this.#tags.byteLength);
    const sink = await this.#sink;
    return { blob: (await sink?.finish(head)) ?? null, bytes: head.byteLength + this.#bytes };
  }
}
