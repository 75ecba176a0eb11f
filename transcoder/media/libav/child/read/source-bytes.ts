import { closeSync, openSync, readSync } from 'node:fs';
import { type Span, Spans } from '../../../../model/source/byte-ranges.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { atWork } from '../at-work.ts';
import { bring } from './ranges.ts';

/** The bytes of a source; missing ones are fetched before they are read. */
export class SourceBytes {
  #source: SourceParts;
  #file: number;
  #here: Spans;

  constructor(source: SourceParts) {
    this.#source = source;
    this.#here = new Spans(source.present ?? [[0, source.bytes]]);
    this.#file = openSync(source.path, 'r');
  }

  get size(): number {
    return this.#source.bytes;
  }

  /** Bytes from `from` up to `to`, or just those available at the start of that span. Empty at the end of the file. */
  read([from, to]: Span, goesOn: boolean | null): Buffer | Promise<Buffer> {
    if (from >= this.size) return Buffer.alloc(0);
    atWork();
    const here = this.#here.around(from);
    return here ? this.#take([from, Math.min(to, here[1])]) : this.#bring([from, to], goesOn);
  }

  /** Reads bytes from `from` on into the whole of `target`. Throws at the end of the file. */
  fill(target: Buffer, from: number): void | Promise<void> {
    atWork();
    const here = this.#here.around(from);
    if (here && here[1] >= from + target.length) return this.#readInto(target, from);
    return this.all([from, from + target.length]).then((bytes) => {
      if (bytes.length < target.length) throw new Error('the source ends early');
      bytes.copy(target);
    });
  }

  /** All bytes from `from` up to `to`, or up to the end of the file. */
  async all([from, to]: Span, goesOn: boolean | null = true): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let at = from; at < to; ) {
      const part = await this.read([at, to], goesOn);
      if (part.length === 0) break;
      parts.push(part);
      at += part.length;
    }
    const [only] = parts;
    return only && parts.length === 1 ? only : Buffer.concat(parts);
  }

  close(): void {
    closeSync(this.#file);
  }

  async #bring([from, to]: Span, goesOn: boolean | null): Promise<Buffer> {
    const span = await bring(this.#source.path, [from, Math.min(to, this.size)], goesOn);
    this.#here.add(span);
    return this.#take([from, Math.min(to, span[1])]);
  }

  #readInto(target: Buffer, from: number): void {
    const read = readSync(this.#file, target, 0, target.length, from);
    if (read < target.length) throw new Error('the source ends early');
  }

  #take([from, to]: Span): Buffer {
    const buffer = Buffer.alloc(to - from);
    return buffer.subarray(0, readSync(this.#file, buffer, 0, buffer.length, from));
  }
}
