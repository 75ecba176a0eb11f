import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A request to a host, made with the paths at which the host finds the files of a job. */
export type Asked = (at: (file: string) => string) => object;

/**
 * The one directory that a host may write in. Files of a job are linked into it for as long as a request lasts, so that
 * a process that serves one job after another never sees more than the files of the request it answers.
 */
export class Exchange {
  readonly #directory: string;

  /** `directory` is on the file system of the jobs. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Has to be there before a process is started that sees it. */
  async make(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
  }

  /** Runs `work` with the request; files that the host has made are then where they were asked for. */
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

/** @returns whether there was such a file. */
async function unlessMissing(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}
