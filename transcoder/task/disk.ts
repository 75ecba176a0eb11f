import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { TaskFailure } from '../model/task-failure.ts';

const EVERY_MS = 500;
/** `blocks` of a file's status, whatever the file system: https://man7.org/linux/man-pages/man3/stat.3type.html */
const BLOCK_BYTES = 512;
/** The disk is not filled to its last byte on purpose. */
const SPARE_BYTES = 16_000_000;

interface Options {
  directory: string;
  /** Bytes that the directory may take. */
  limitBytes: number;
  /** Called once where it takes more. */
  onOver: () => void;
  log: Log;
}

/** The disk of this machine, and what the tasks that share it are expected to write. */
export class Disk {
  readonly #claims = new Set<DiskClaim>();

  /** Watches the directory of a task until the claim is closed. */
  claim(options: Options): DiskClaim {
    const claim = new DiskClaim(options, this.#claims);
    this.#claims.add(claim);
    return claim;
  }
}

/** What one task takes of the disk. */
export class DiskClaim {
  readonly #options: Options;
  readonly #all: Set<DiskClaim>;
  readonly #timer: NodeJS.Timeout;
  #used = 0;
  #expected = 0;
  #looking = false;
  #over = false;

  constructor(options: Options, all: Set<DiskClaim>) {
    this.#options = options;
    this.#all = all;
    this.#timer = setInterval(() => void this.#look(), EVERY_MS).unref();
  }

  /** Bytes that are expected of it and not written yet. */
  get outstanding(): number {
    return Math.max(0, this.#expected - this.#used);
  }

  /** Makes sure that so many more bytes can be written, beside what the other tasks will write. Throws `out_of_disk`. */
  async expect(bytes: number): Promise<void> {
    const { directory } = this.#options;
    this.#used = await bytesIn(directory);
    this.#expected = this.#used + bytes;
    const { bavail, bsize } = await statfs(directory);
    const others = [...this.#all].filter((claim) => claim !== this);
    const taken = others.reduce((sum, { outstanding }) => sum + outstanding, 0);
    const free = bavail * bsize - taken - SPARE_BYTES;
    if (bytes <= free) return;
    const cause = new Error(`${bytes} bytes are to be written, ${free} are free`);
    throw new TaskFailure('out_of_disk', 'The machine does not have enough free disk space for this task.', {
      cause,
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#all.delete(this);
  }

  async #look(): Promise<void> {
    if (this.#looking || this.#over) return;
    this.#looking = true;
    const { directory, limitBytes, onOver, log } = this.#options;
    try {
      this.#used = await bytesIn(directory);
      if (this.#used > limitBytes) {
        this.#over = true;
        onOver();
      }
    } catch (error) {
      log.warn('the size of a workspace cannot be read', { error });
    } finally {
      this.#looking = false;
    }
  }
}

/** Bytes of disk that a directory takes; holes of files take none. */
async function bytesIn(directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory, { recursive: true })) {
    // It may be gone, or another one.
    const status = await lstat(join(directory, name)).catch(() => null);
    bytes += (status?.blocks ?? 0) * BLOCK_BYTES;
  }
  return bytes;
}
