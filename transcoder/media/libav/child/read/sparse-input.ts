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

/** Bytes of a source, and the header of an element as long as they are. */
export interface Hidden {
  span: Span;
  header: Buffer;
}

const NONE = Buffer.alloc(0);

/** An input over a partly downloaded source that fetches missing bytes. Only asynchronous calls may read from it. */
export class SparseInput extends FormatContext {
  /** Whether reading continues, in which case more bytes may be fetched than requested. */
  goesOn = false;
  #bytes: SourceBytes;
  #io = new IOContext();
  #hidden: Hidden;
  #at = 0;

  /** @param hidden Bytes in place of which the demuxer sees an element that it skips. */
  constructor(source: SourceParts, hidden: Hidden = { span: [source.bytes, source.bytes], header: NONE }) {
    super();
    this.#bytes = new SourceBytes(source);
    this.#hidden = hidden;
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

  /** Returns the bytes that are available, possibly fewer than `size`. */
  #read(size: number): Buffer | number | Promise<Buffer | number> {
    const { span, header } = this.#hidden;
    const [from, to] = span;
    const [at, end] = [this.#at, this.#at + size];
    if (at >= from && at < to) {
      const seen = Buffer.alloc(Math.min(end, to) - at);
      header.copy(seen, 0, Math.min(at - from, header.length));
      return this.#advance(seen);
    }
    const read = this.#bytes.read([at, at < from ? Math.min(end, from) : end], this.goesOn);
    return read instanceof Promise ? read.then((bytes) => this.#advance(bytes)) : this.#advance(read);
  }

  #advance(bytes: Buffer): Buffer | number {
    this.#at += bytes.length;
    return bytes.length > 0 ? bytes : AVERROR_EOF;
  }

  #seek(offset: number, whence: number): number {
    const how = whence & ~AVSEEK_FORCE;
    if (how === AVSEEK_SIZE) return this.#bytes.size;
    if (how === AVSEEK_SET) this.#at = offset;
    else if (how === AVSEEK_CUR) this.#at += offset;
    else if (how === AVSEEK_END) this.#at = this.#bytes.size + offset;
    return this.#at;
  }
}
