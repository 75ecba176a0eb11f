import { type FileHandle, open } from 'node:fs/promises';
import { TaskFailure } from '../../model/task-failure.ts';

const BUFFER = 256 * 1024;
/** Limit on pieces per file; real pictures have a few thousand at most. */
const MOST_PIECES = 250_000;

/** Copies a file piece by piece, leaving out what is not kept. */
export class Rewrite {
  readonly #from: FileHandle;
  readonly #to: FileHandle;
  #buffer = Buffer.alloc(0);
  #read = 0;
  #ended = false;
  #out: Buffer[] = [];
  #held = 0;
  #pieces = 0;
  written = 0;

  private constructor(from: FileHandle, to: FileHandle) {
    this.#from = from;
    this.#to = to;
  }

  static async run(from: string, to: string, work: (file: Rewrite) => Promise<void>): Promise<number> {
    await using source = await open(from);
    await using target = await open(to, 'wx', 0o600);
    const file = new Rewrite(source, target);
    await work(file);
    await file.#flush();
    return file.written;
  }

  /** The next `count` bytes (fewer at the end of the file), without advancing. */
  async peek(count: number): Promise<Buffer> {
    if (this.#buffer.length < count && !this.#ended) await this.#fill(count);
    return this.#buffer.subarray(0, count);
  }

  /** Like `peek`; call once for each piece of the file. Throws `source_too_large` if there are too many. */
  async piece(count: number): Promise<Buffer> {
    this.#pieces += 1;
    if (this.#pieces > MOST_PIECES) {
      throw new TaskFailure('source_too_large', `The picture consists of more than ${MOST_PIECES} parts.`);
    }
    return this.peek(count);
  }

  /** Copies the next `count` bytes, or as many as there are. */
  async keep(count: number): Promise<void> {
    await this.#move(count, true);
  }

  async drop(count: number): Promise<void> {
    await this.#move(count, false);
  }

  /** Overwrites bytes that were already copied. */
  async patch(at: number, bytes: Buffer): Promise<void> {
    await this.#flush();
    await this.#to.write(bytes, 0, bytes.length, at);
  }

  /** Writes bytes that the file does not have. */
  add(bytes: Buffer): void {
    this.#out.push(bytes);
    this.#held += bytes.length;
    this.written += bytes.length;
  }

  /** Removes from the copy what follows its first `count` bytes. */
  async endAt(count: number): Promise<void> {
    await this.#flush();
    await this.#to.truncate(count);
    this.written = count;
  }

  async #move(count: number, kept: boolean): Promise<void> {
    for (let left = count; left > 0; ) {
      if (this.#buffer.length === 0) await this.#fill(1);
      const part = this.#buffer.subarray(0, left);
      if (part.length === 0) return;
      this.#buffer = this.#buffer.subarray(part.length);
      left -= part.length;
      if (!kept) continue;
      this.add(part);
      if (this.#held >= BUFFER) await this.#flush();
    }
  }

  async #fill(count: number): Promise<void> {
    while (this.#buffer.length < count) {
      const next = Buffer.alloc(BUFFER);
      const { bytesRead } = await this.#from.read(next, 0, BUFFER, this.#read);
      if (bytesRead === 0) {
        this.#ended = true;
        return;
      }
      this.#read += bytesRead;
      this.#buffer = Buffer.concat([this.#buffer, next.subarray(0, bytesRead)]);
    }
  }

  async #flush(): Promise<void> {
    if (this.#held === 0) return;
    const bytes = Buffer.concat(this.#out);
    this.#out = [];
    this.#held = 0;
    await this.#to.appendFile(bytes);
  }
}
