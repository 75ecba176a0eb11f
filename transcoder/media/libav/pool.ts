import type { ModuleConfinement } from '../../ffmpeg/fork.ts';
import type { Log } from '../../log.ts';
import { Slots } from '../../model/slots.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import { LibavFailure, WorkerProcess } from './child-process.ts';
import type { Answer, RangeWanted, Request } from './protocol.ts';

export { LibavFailure };

export interface AskOptions {
  /** Sources that the request reads. */
  sources?: readonly MediaSource[] | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
}

/** A task reads up to 100 sources at once; more processes than this would each load libav. */
const MOST_PROCESSES = 4;
/** Delay before a process that died while idle is replaced. */
const REPLACE_MS = 1000;

type ConfinementNow = () => ModuleConfinement | null;

/** A pool of warm libav processes, each handling one request at a time. */
export class LibavPool {
  #log: Log;
  #size: number;
  #confinement: ConfinementNow;
  #turns = new Slots(MOST_PROCESSES, Number.POSITIVE_INFINITY);
  #idle: WorkerProcess[] = [];
  #all = new Set<WorkerProcess>();
  #starting: Promise<void> = Promise.resolve();
  #closed = false;

  private constructor(log: Log, size: number, confinement: ConfinementNow) {
    this.#log = log;
    this.#size = size;
    this.#confinement = confinement;
  }

  /**
   * @param confinement Null if every file is trusted.
   * @returns null if libav cannot be loaded on this platform; the ffmpeg program is then used for everything.
   */
  static async start(
    log: Log,
    processes: number,
    confinement: ModuleConfinement | null = null,
  ): Promise<LibavPool | null> {
    const libav = new LibavPool(log, processes, () => confinement);
    try {
      libav.#idle.push(...(await Promise.all(Array.from({ length: processes }, () => libav.#fork()))));
      return libav;
    } catch (error) {
      log.warn('libav is unavailable: the ffmpeg program is used for everything', { error });
      void libav.close();
      return null;
    }
  }

  /** Starts one process without waiting for it. @param confinement Called again for each new process. */
  static begin(log: Log, confinement: ConfinementNow): LibavPool {
    const libav = new LibavPool(log, 1, confinement);
    libav.#starting = libav.#refill();
    return libav;
  }

  /** Resolves when no process is starting. A failed start is retried on the next request. */
  async settled(): Promise<void> {
    await this.#starting;
  }

  /** Throws LibavFailure, the reason of `signal`, or TaskFailure if a source cannot be read. */
  async ask<R extends Request>(request: R, options: AskOptions = {}): Promise<Answer<R['kind']>> {
    const { signal } = options;
    signal?.throwIfAborted();
    const turn = this.#turns.acquire();
    if (!turn) throw new Error('the unbounded line of libav is full');
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([turn.ready, aborted.promise]);
      return await this.#askOne(request, options);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      turn.release();
    }
  }

  /** Ids of all processes, idle or busy. */
  get pids(): number[] {
    return [...this.#all].flatMap(({ pid }) => pid ?? []);
  }

  /** Kills every process; resolves once all have exited. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((worker) => worker.end()));
  }

  /** Lets every process exit on its own, which writes its compile cache. */
  async leave(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((worker) => worker.leave()));
  }

  async #askOne<R extends Request>(
    request: R,
    { sources = [], signal, onProgress }: AskOptions,
  ): Promise<Answer<R['kind']>> {
    await this.settled();
    const worker = this.#living() ?? (await this.#fork());
    const onAbort = () => worker.kill();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      signal?.throwIfAborted();
      const bring = (range: RangeWanted) => sourceAt(range.path, sources).bring(range.wanted, range.on);
      const answer = await worker.ask(request, { onProgress: onProgress ?? (() => {}), bring });
      this.#idle.push(worker);
      return answer;
    } catch (error) {
      worker.kill();
      this.#starting = this.#refill();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #living(): WorkerProcess | undefined {
    this.#idle = this.#idle.filter((worker) => !worker.ended);
    return this.#idle.pop();
  }

  /** Throws LibavFailure. */
  async #fork(): Promise<WorkerProcess> {
    if (this.#closed) throw new LibavFailure('libav has been closed');
    const worker = new WorkerProcess(this.#confinement(), (ended) => this.#ended(ended));
    this.#all.add(worker);
    try {
      await worker.ready();
    } catch (error) {
      // It may still become ready, and nothing would ask it then.
      worker.kill();
      throw error;
    }
    return worker;
  }

  #ended(worker: WorkerProcess): void {
    this.#all.delete(worker);
    if (!this.#idle.includes(worker)) return;
    setTimeout(() => {
      if (!this.#idle.some(({ ended }) => !ended)) this.#starting = this.#refill();
    }, REPLACE_MS).unref();
  }

  async #refill(): Promise<void> {
    if (this.#closed || this.#all.size > this.#size) return;
    try {
      this.#idle.push(await this.#fork());
    } catch (error) {
      if (!this.#closed) this.#log.error('a worker process could not be started', { error });
    }
  }
}

function sourceAt(path: string, sources: readonly MediaSource[]): MediaSource {
  const source = sources.find((candidate) => candidate.parts().path === path);
  if (!source) throw new Error('a worker process reads a source that its request does not list');
  return source;
}

/**
 * The answer to a request about sources; null if libav is unavailable or fails at it.
 * @param what It then could not do, as the log says.
 */
export async function answerOrNull<R extends Request>(
  { libav, log }: { libav: Pick<LibavPool, 'ask'> | null; log: Log },
  request: R,
  options: AskOptions,
  what: string,
): Promise<Answer<R['kind']> | null> {
  try {
    return (await libav?.ask(request, options)) ?? null;
  } catch (error) {
    if (!(error instanceof LibavFailure)) throw error;
    log.warn(`libav could not ${what}`, { error });
    return null;
  }
}

/** What libav answers, from another process if the first one ends. Throws LibavFailure. */
export async function twice<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LibavFailure && error.died)) throw error;
    log.warn('a libav process ended, and another one is asked', { error });
    return work();
  }
}
