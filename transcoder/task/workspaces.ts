import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ModuleConfinement } from '../ffmpeg/fork.ts';
import type { Sandbox } from '../ffmpeg/sandbox.ts';
import type { Log } from '../log.ts';
import { Engine } from '../media/libav/pool.ts';
import { makeStandby } from './standby.ts';
import { newWorkspacePath, removeWorkspace } from './work-directories.ts';

/** What one attempt works in. */
export interface Workspace {
  /** Its own, mode 0700. */
  directory: string;
  /** Processes that see this directory and have served no other attempt; null where libav cannot be loaded. */
  engine: Engine | null;
  /** Ends the processes and removes the directory. */
  close(): Promise<void>;
}

interface Options {
  workDir: string;
  sandbox: Sandbox;
  /** How many workspaces wait for attempts. */
  waiting: number;
  log: Log;
}

/** An empty directory, and the process that was started for it. */
interface Prepared {
  /** Where the directory is now. */
  from: string;
  /** Where processes find it, and where it is moved to once it is taken. */
  at: string;
  engine: Engine | null;
}

/**
 * Workspaces made ahead of the attempts that get them: what a sandbox shows is fixed when its process starts, and loading
 * libav takes longer than many tasks.
 */
export class Workspaces {
  readonly #options: Options;
  /** Directory of this process, outside those of the jobs and on their file system. */
  readonly standby: string;
  readonly #codeCache: string | undefined;
  /** Whether libav can be loaded on this platform. */
  readonly hasEngine: boolean;
  readonly #waiting: Promise<Prepared>[] = [];
  readonly #engines = new Set<Engine>();
  #closed = false;

  private constructor(options: Options, standby: string, codeCache: string | undefined, hasEngine: boolean) {
    this.#options = options;
    this.standby = standby;
    this.#codeCache = codeCache;
    this.hasEngine = hasEngine;
  }

  static async open(options: Options): Promise<Workspaces> {
    const { log, sandbox, workDir } = options;
    const standby = await makeStandby(workDir);
    // At the other levels a decoder that was taken over could write code for those after it.
    const codeCache = sandbox.level === 'bwrap' ? join(standby, 'code') : undefined;
    if (codeCache) await mkdir(codeCache);
    const trial = await Engine.start(log, 1, { sandbox, writes: codeCache ? [codeCache] : [], codeCache });
    await trial?.leave();
    const workspaces = new Workspaces(options, standby, codeCache, trial !== null);
    workspaces.#fill();
    await Promise.all(workspaces.#waiting.map(async (each) => (await each).engine?.settled()));
    return workspaces;
  }

  /** Throws where no directory can be made. */
  async take(): Promise<Workspace> {
    const waiting = this.#waiting.shift() ?? this.#prepare();
    // Starting a process takes milliseconds, and this attempt has sources to connect to first.
    setImmediate(() => this.#fill());
    const prepared = await waiting.catch(() => this.#prepare());
    // bwrap looks for the directory while the process starts.
    await prepared.engine?.settled();
    try {
      await rename(prepared.from, prepared.at);
      prepared.from = prepared.at;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await this.#renew(prepared);
    }
    const { at, engine } = prepared;
    return {
      directory: at,
      engine,
      close: async () => {
        await Promise.all([this.#end(engine), removeWorkspace(at)]);
      },
    };
  }

  /** Ends every process at once, before the promise resolves; then removes what waited. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#engines].map((engine) => this.#end(engine)));
    await Promise.allSettled(this.#waiting);
    await rm(this.standby, { recursive: true, force: true, maxRetries: 3 });
  }

  #fill(): void {
    while (!this.#closed && this.#waiting.length < this.#options.waiting) {
      const prepared = this.#prepare();
      // Whoever takes it is told.
      prepared.catch(() => {});
      this.#waiting.push(prepared);
    }
  }

  async #prepare(): Promise<Prepared> {
    const at = newWorkspacePath(this.#options.workDir);
    const from = join(this.standby, basename(at));
    await mkdir(from, { mode: 0o700, recursive: true });
    const prepared: Prepared = { from, at, engine: null };
    prepared.engine = this.#engineFor(prepared);
    return prepared;
  }

  /** Some systems tidy up their temporary directory: what waited there for days may be gone. */
  async #renew(prepared: Prepared): Promise<void> {
    await this.#end(prepared.engine);
    await mkdir(prepared.at, { mode: 0o700 });
    prepared.from = prepared.at;
    prepared.engine = this.#engineFor(prepared);
  }

  #engineFor(prepared: Prepared): Engine | null {
    if (!this.hasEngine || this.#closed) return null;
    const { sandbox, log } = this.#options;
    const codeCache = this.#codeCache;
    const engine = Engine.begin(
      log,
      (): ModuleConfinement => ({
        ...{ sandbox, codeCache },
        writes: [{ from: prepared.from, at: prepared.at }],
      }),
    );
    this.#engines.add(engine);
    return engine;
  }

  async #end(engine: Engine | null): Promise<void> {
    if (!engine) return;
    this.#engines.delete(engine);
    await engine.close();
  }
}
