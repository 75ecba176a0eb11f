import {
  AVERROR_EOF,
  AVFMT_FLAG_CUSTOM_IO,
  AVSEEK_CUR,
  AVSEEK_END,
  AVSEEK_SET,
  AVSEEK_SIZE,
} from 'node-av/constants';
import { FormatContext, IOContext } from 'node-av/lib';
import type { Span } from '../../../../model/source/byte-ranges.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { SourceBytes } from './source-bytes.ts';

const BUFFER_BYTES = 32 * 1024;
/** Missing from node-av's constants: seeks even if that is expensive. */
const AVSEEK_FORCE = 0x20000;

/** An input over a partly downloaded source that fetches missing bytes. Only asynchronous calls may read from it. */
export class SparseInput extends FormatContext {
  /** Whether reading continues, in which case more bytes may be fetched than requested. */
  goesOn = false;
  #bytes: SourceBytes;
  #io = new IOContext();
  #omitted: Span;
  #at = 0;

  /** @param omitted Bytes to hide from the demuxer, which sees the bytes before and after them as contiguous. */
  constructor(source: SourceParts, omitted: Span = [source.bytes, source.bytes]) {
    super();
    this.#bytes = new SourceBytes(source);
    this.#omitted = omitted;
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
    this.#bytes.close();
  }

  get #size(): number {
    const [from, to] = this.#omitted;
    return this.#bytes.size - (to - from);
  }

  /** Returns the bytes that are available, possibly fewer than `size`. */
  #read(size: number): Buffer | number | Promise<Buffer | number> {
    const [from, to] = this.#omitted;
    const before = this.#at < from;
    const at = before ? this.#at : this.#at + (to - from);
    const end = before ? Math.min(at + size, from) : at + size;
    const read = this.#bytes.read([at, end], this.goesOn);
    return read instanceof Promise ? read.then((bytes) => this.#advance(bytes)) : this.#advance(read);
  }

  #advance(bytes: Buffer): Buffer | number {
    this.#at += bytes.length;
    return bytes.length > 0 ? bytes : AVERROR_EOF;
  }

  #seek(offset: number, whence: number): number {
    const how = whence & ~AVSEEK_FORCE;
    if (how === AVSEEK_SIZE) return this.#size;
    if (how === AVSEEK_SET) this.#at = offset;
    else if (how === AVSEEK_CUR) this.#at += offset;
    else if (how === AVSEEK_END) this.#at = this.#size + offset;
    return this.#at;
  }
}
