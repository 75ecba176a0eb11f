import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { TaskFailure } from '../model/task-failure.ts';

const EVERY_MS = 500;
/** Unit of `blocks` in stat, on every file system: https://man7.org/linux/man-pages/man3/stat.3type.html */
const BLOCK_BYTES = 512;
/** Reserve that is never filled. */
const SPARE_BYTES = 16_000_000;

interface Options {
  directory: string;
  /** Most bytes that the directory may use. */
  limitBytes: number;
  /** Called once when it uses more. */
  onOver: () => void;
  log: Log;
}

/** The disk of this machine, and what its concurrent tasks are expected to write. */
export class Disk {
  readonly #claims = new Set<DiskClaim>();

  /** Monitors a task's directory until the claim is closed. */
  claim(options: Options): DiskClaim {
    const claim = new DiskClaim(options, this.#claims);
    this.#claims.add(claim);
    return claim;
  }
}

/** One task's share of the disk. */
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

  /** Expected bytes that have not been written yet. */
  get outstanding(): number {
    return Math.max(0, this.#expected - this.#used);
  }

  /** Bytes that the task may still write, as of the latest look. */
  get room(): number {
    return this.#options.limitBytes - this.#used;
  }

  /** Reserves space for this many more bytes, in addition to what other tasks will write. Throws `out_of_disk`. */
  async expect(bytes: number): Promise<void> {
    const { directory } = this.#options;
    this.#used = await bytesIn(directory);
    this.#expected = this.#used + bytes;
    const { bavail, bsize } = await statfs(directory);
    const others = [...this.#all].filter((claim) => claim !== this);
    const taken = others.reduce((sum, { outstanding }) => sum + outstanding, 0);
    const free = bavail * bsize - taken - SPARE_BYTES;
    if (bytes <= free) return;
    const cause = new Error(`needs ${bytes} bytes, but only ${free} are free`);
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
      log.warn('cannot read the size of a workspace', { error });
    } finally {
      this.#looking = false;
    }
  }
}

/** Disk usage of a directory; holes in sparse files do not count. */
async function bytesIn(directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory, { recursive: true })) {
    // The file may have been deleted or replaced.
    const status = await lstat(join(directory, name)).catch(() => null);
    bytes += (status?.blocks ?? 0) * BLOCK_BYTES;
  }
  return bytes;
}
