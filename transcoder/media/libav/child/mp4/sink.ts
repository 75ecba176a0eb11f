import { closeSync, openSync, writeSync } from 'node:fs';
import type { SourceBytes } from '../read/source-bytes.ts';

const BYTES = 1024 * 1024;

/** A file that is written from its beginning on, in large steps. */
export class Sink {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(BYTES);
  #filled = 0;
  #flushed: number;

  /** @param start Where writing begins; what is before is left for `put`. */
  constructor(path: string, start: number) {
    this.#file = openSync(path, 'w');
    this.#flushed = start;
  }

  /** Where the next byte is written. */
  get position(): number {
    return this.#flushed + this.#filled;
  }

  append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + this.#room());
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
    }
  }

  /** Appends bytes of a source. */
  async copy(source: SourceBytes, from: number, length: number): Promise<void> {
    for (let at = 0; at < length; ) {
      const part = this.#buffer.subarray(this.#filled, this.#filled + Math.min(this.#room(), length - at));
      const filling = source.fill(part, from + at);
      if (filling) await filling;
      this.#filled += part.length;
      at += part.length;
    }
  }

  /** Writes bytes where they belong, apart from the others. */
  put(bytes: Uint8Array, at: number): void {
    this.#write(bytes, at);
  }

  flush(): void {
    this.#write(this.#buffer.subarray(0, this.#filled), this.#flushed);
    this.#flushed += this.#filled;
    this.#filled = 0;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Bytes that the buffer can take; at least one. */
  #room(): number {
    if (this.#filled === BYTES) this.flush();
    return BYTES - this.#filled;
  }

  #write(bytes: Uint8Array, at: number): void {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, at + written);
    }
  }
}
