import { closeSync, openSync, readSync } from 'node:fs';
import {
  AVERROR_EOF,
  AVFMT_FLAG_CUSTOM_IO,
  AVSEEK_CUR,
  AVSEEK_END,
  AVSEEK_SET,
  AVSEEK_SIZE,
} from 'node-av/constants';
import { FormatContext, IOContext } from 'node-av/lib';
import type { SourceParts } from '../../media-source.ts';
import { type Span, Spans } from '../../spans.ts';
import { bring } from './ranges.ts';

const BUFFER_BYTES = 32 * 1024;
/** Not among the constants of node-av: a seek that is to be tried whatever it costs. */
const AVSEEK_FORCE = 0x20000;

/** An input that reads what is here of a source and has the rest brought. Only asynchronous calls may read from it. */
export class SparseInput extends FormatContext {
  /** Whether what is read next goes on, so that more may be brought than is asked for. */
  goesOn = false;
  #source: SourceParts;
  #file: number;
  #io = new IOContext();
  #here: Spans;
  #at = 0;

  constructor(source: SourceParts) {
    super();
    this.#source = source;
    this.#here = new Spans(source.present ?? [[0, source.bytes]]);
    this.#file = openSync(source.path, 'r');
    const read = (size: number) => this.#read(size);
    const seek = (offset: bigint, whence: number) => this.#seek(Number(offset), whence);
    this.#io.allocContextWithCallbacks(BUFFER_BYTES, 0, read, null, seek);
    this.allocContext();
    this.pb = this.#io;
    this.setFlags(AVFMT_FLAG_CUSTOM_IO);
  }

  override async closeInput(): Promise<void> {
    await super.closeInput();
    this.#io.freeContext();
    closeSync(this.#file);
  }

  /** As much as is here, which may be less than `size`. */
  #read(size: number): Buffer | number | Promise<Buffer | number> {
    if (this.#at >= this.#source.bytes) return AVERROR_EOF;
    const here = this.#here.around(this.#at);
    return here ? this.#take(size, here) : this.#brought(size);
  }

  async #brought(size: number): Promise<Buffer | number> {
    const wanted: Span = [this.#at, Math.min(this.#at + size, this.#source.bytes)];
    const span = await bring(this.#source.path, wanted, this.goesOn);
    this.#here.add(span);
    return this.#take(size, span);
  }

  #take(size: number, [, to]: Span): Buffer | number {
    const buffer = Buffer.alloc(Math.min(size, to - this.#at));
    const bytes = readSync(this.#file, buffer, 0, buffer.length, this.#at);
    this.#at += bytes;
    return bytes > 0 ? buffer.subarray(0, bytes) : AVERROR_EOF;
  }

  #seek(offset: number, whence: number): number {
    const how = whence & ~AVSEEK_FORCE;
    if (how === AVSEEK_SIZE) return this.#source.bytes;
    if (how === AVSEEK_SET) this.#at = offset;
    else if (how === AVSEEK_CUR) this.#at += offset;
    else if (how === AVSEEK_END) this.#at = this.#source.bytes + offset;
    return this.#at;
  }
}
