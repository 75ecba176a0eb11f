import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Builds a request to a host. `at` maps a job's file to the path at which the host sees it. */
export type Asked = (at: (file: string) => string) => object;

/**
 * The only directory that a host may write in. A job's files are linked into it for the duration of one request: a host
 * serves many jobs in turn and must see only the files of the current one.
 */
export class Exchange {
  readonly #directory: string;

  /** @param directory Must be on the same file system as the jobs, for hard links. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Call before starting a process that mounts the directory. */
  async make(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
  }

  /** Runs `work` with the request, then moves the files that the host created to the paths that were asked for. */
  async lend<T>(asked: Asked, work: (request: object) => Promise<T>): Promise<T> {
    const lent = new Map<string, string>();
    const request = asked((file) => {
      const inside = lent.get(file) ?? join(this.#directory, `${lent.size}-${basename(file)}`);
      lent.set(file, inside);
      return inside;
    });
    const wanted: [inside: string, file: string][] = [];
    try {
      for (const [file, inside] of lent) if (!(await isLinked(file, inside))) wanted.push([inside, file]);
      const value = await work(request);
      for (const [inside, file] of wanted) await moveIfMade(inside, file);
      return value;
    } finally {
      for (const name of await readdir(this.#directory)) {
        await rm(join(this.#directory, name), { recursive: true, force: true });
      }
    }
  }
}

async function isLinked(file: string, inside: string): Promise<boolean> {
  return unlessMissing(link(file, inside));
}

async function moveIfMade(inside: string, file: string): Promise<void> {
  await unlessMissing(rename(inside, file));
}

/** @returns whether the file existed. */
async function unlessMissing(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}
