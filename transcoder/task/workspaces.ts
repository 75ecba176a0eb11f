import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ModuleConfinement } from '../ffmpeg/fork.ts';
import type { Sandbox } from '../ffmpeg/sandbox.ts';
import type { Log } from '../log.ts';
import { LibavPool } from '../media/libav/pool.ts';
import { makeStandby } from './standby.ts';
import { newWorkspacePath, removeWorkspace } from './work-directories.ts';

/** The directory and processes of one attempt. */
export interface Workspace {
  /** Exclusive to the attempt, mode 0700. */
  directory: string;
  /** Processes that see this directory and have served no other attempt; null if libav cannot be loaded. */
  libav: LibavPool | null;
  /** Ends the processes ahead of time, for the memory that they hold. */
  endProcesses(): Promise<void>;
  /** Ends the processes and removes the directory. */
  close(): Promise<void>;
}

interface Options {
  workDir: string;
  sandbox: Sandbox;
  /** Most attempts at the same time. */
  slots: number;
  log: Log;
}

/** An empty directory and the processes started for it. */
interface Prepared {
  /** Current path of the directory. */
  from: string;
  /** Path that processes see, to which the directory is moved when it is taken. */
  at: string;
  libav: LibavPool | null;
}

/**
 * Prepares workspaces ahead of attempts, because loading libav takes longer than many tasks: one for each free slot, and one for the
 * next attempt if none is free. Each needs its own directory in advance: what a sandbox shows is fixed when its process starts.
 */
export class Workspaces {
  readonly #options: Options;
  /** Directory of this process, outside the jobs' directories but on the same file system. */
  readonly standby: string;
  readonly #codeCache: string | undefined;
  /** Whether libav can be loaded on this platform. */
  readonly hasLibav: boolean;
  readonly #waiting: Promise<Prepared>[] = [];
  readonly #pools = new Set<LibavPool>();
  /** Workspaces in use. */
  #taken = 0;
  #closed = false;

  private constructor(options: Options, standby: string, codeCache: string | undefined, hasLibav: boolean) {
    this.#options = options;
    this.standby = standby;
    this.#codeCache = codeCache;
    this.hasLibav = hasLibav;
  }

  static async open(options: Options): Promise<Workspaces> {
    const { log, sandbox, workDir } = options;
    const standby = await makeStandby(workDir);
    // Without bwrap a compromised decoder could write code to the cache that later processes execute.
    const codeCache = sandbox.level === 'bwrap' ? join(standby, 'code') : undefined;
    if (codeCache) await mkdir(codeCache);
    const trial = await LibavPool.start(log, 1, { sandbox, writes: codeCache ? [codeCache] : [], codeCache });
    await trial?.leave();
    const workspaces = new Workspaces(options, standby, codeCache, trial !== null);
    workspaces.#fill();
    await Promise.all(workspaces.#waiting.map(async (each) => (await each).libav?.settled()));
    return workspaces;
  }

  /** Throws if no directory can be created. */
  async take(): Promise<Workspace> {
    this.#taken += 1;
    try {
      return await this.#take();
    } catch (error) {
      this.#taken -= 1;
      throw error;
    }
  }

  async #take(): Promise<Workspace> {
    const waiting = this.#waiting.shift() ?? this.#prepare();
    // Deferred, because starting a process takes milliseconds and this attempt should connect to its sources first.
    setImmediate(() => this.#fill());
    const prepared = await waiting.catch(() => this.#prepare());
    try {
      await this.#move(prepared);
    } catch (error) {
      await Promise.allSettled([this.#end(prepared.libav), removeWorkspace(prepared.from)]);
      throw error;
    }
    const { at, libav } = prepared;
    return {
      directory: at,
      libav,
      endProcesses: () => this.#end(libav),
      close: async () => {
        try {
          await Promise.all([this.#end(libav), removeWorkspace(at)]);
        } finally {
          this.#taken -= 1;
          this.#fill();
        }
      },
    };
  }

  /** Kills every process, then removes the workspaces that were not used. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#pools].map((libav) => this.#end(libav)));
    await Promise.allSettled(this.#waiting);
    await rm(this.standby, { recursive: true, force: true, maxRetries: 3 });
  }

  #fill(): void {
    const wanted = Math.max(1, this.#options.slots - this.#taken);
    while (!this.#closed && this.#waiting.length < wanted) {
      const prepared = this.#prepare();
      // A failure is thrown again to the caller that takes this workspace.
      prepared.catch(() => {});
      this.#waiting.push(prepared);
    }
  }

  async #prepare(): Promise<Prepared> {
    const at = newWorkspacePath(this.#options.workDir);
    const from = join(this.standby, basename(at));
    await mkdir(from, { mode: 0o700, recursive: true });
    const prepared: Prepared = { from, at, libav: null };
    prepared.libav = this.#poolFor(prepared);
    return prepared;
  }

  async #move(prepared: Prepared): Promise<void> {
    // bwrap looks for the directory while the process starts.
    await prepared.libav?.settled();
    try {
      await rename(prepared.from, prepared.at);
      prepared.from = prepared.at;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await this.#renew(prepared);
    }
  }

  /** Some systems clean their temporary directory, which may delete a workspace that waited for days. */
  async #renew(prepared: Prepared): Promise<void> {
    await this.#end(prepared.libav);
    await mkdir(prepared.at, { mode: 0o700 });
    prepared.from = prepared.at;
    prepared.libav = this.#poolFor(prepared);
  }

  #poolFor(prepared: Prepared): LibavPool | null {
    if (!this.hasLibav || this.#closed) return null;
    const { sandbox, log } = this.#options;
    const codeCache = this.#codeCache;
    const libav = LibavPool.begin(
      log,
      (): ModuleConfinement => ({
        ...{ sandbox, codeCache },
        writes: [{ from: prepared.from, at: prepared.at }],
      }),
    );
    this.#pools.add(libav);
    return libav;
  }

  async #end(libav: LibavPool | null): Promise<void> {
    if (!libav) return;
    this.#pools.delete(libav);
    await libav.close();
  }
}
