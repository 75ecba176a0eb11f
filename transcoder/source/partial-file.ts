import { type FileHandle, open } from 'node:fs/promises';
import { type Span, Spans } from '../model/source/byte-ranges.ts';
import { TaskFailure } from '../model/task-failure.ts';

/** A partially written file on disk, and which parts of it are written. */
export class PartialFile {
  readonly path: string;
  readonly spans = new Spans();
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<PartialFile> {
    return new PartialFile(path, await open(path, 'wx+', 0o600));
  }

  /**
   * Writes bytes at a position. An origin without ranges may send bytes again, which must equal those that were already
   * read. @returns the number of new bytes. Throws `source_changed`.
   */
  async put(bytes: Buffer, from: number): Promise<number> {
    const span: Span = [from, from + bytes.length];
    const missing = this.spans.missing(span);
    const fresh = missing.reduce((sum, [low, high]) => sum + high - low, 0);
    if (fresh < bytes.length) await this.#compare(bytes, from, missing);
    for (const [low, high] of missing) await this.#write(bytes.subarray(low - from, high - from), low);
    this.spans.add(span);
    return fresh;
  }

  async read([from, to]: Span): Promise<Buffer> {
    const buffer = Buffer.alloc(to - from);
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, from);
    return buffer.subarray(0, bytesRead);
  }

  async truncate(bytes: number): Promise<void> {
    await this.#file.truncate(bytes);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #compare(bytes: Buffer, from: number, missing: readonly Span[]): Promise<void> {
    const before = Buffer.alloc(bytes.length);
    (await this.read([from, from + bytes.length])).copy(before);
    for (const [low, high] of missing) bytes.copy(before, low - from, low - from, high - from);
    if (!before.equals(bytes)) throw changed();
  }

  async #write(bytes: Buffer, at: number): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      written += (await this.#file.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
    }
  }
}

export function changed(): TaskFailure {
  return new TaskFailure(
    'source_changed',
    'The file changed between two requests. Do not modify it while the task runs.',
  );
}
