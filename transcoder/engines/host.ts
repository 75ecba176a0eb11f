import { fileURLToPath } from 'node:url';
import type { ModuleConfinement } from '../ffmpeg/fork.ts';
import { type Asked, Exchange } from './exchange.ts';
import { type HostOptions, HostProcess } from './host-process.ts';

export const hostKinds = ['sherpa', 'onnxruntime', 'signal'] as const;
export type HostKind = (typeof hostKinds)[number];

/** How long an idle process stays alive, with its model in memory. */
const WARM_MS = 5 * 60_000;

/**
 * Runs a native library, or work that would block our event loop, in a separate process that can crash without ending
 * ours. Started on first use, kept warm, one request at a time.
 */
export class EngineHost {
  #path: string;
  #warmMs: number;
  #confinement: ModuleConfinement | null;
  #exchange: Exchange | null;
  #process: HostProcess | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #cooling: NodeJS.Timeout | undefined;

  /**
   * @param confinement Null if every file is trusted.
   * @param exchange Where the process reads and writes the files of jobs; null if `confinement` shows it their
   * directories.
   */
  constructor(
    kind: HostKind,
    warmMs = WARM_MS,
    confinement: ModuleConfinement | null = null,
    exchange: string | null = null,
  ) {
    this.#path = fileURLToPath(new URL(`hosts/${kind}.ts`, import.meta.url));
    this.#warmMs = warmMs;
    this.#confinement = confinement && exchange ? { ...confinement, writes: [exchange] } : confinement;
    this.#exchange = exchange === null ? null : new Exchange(exchange);
  }

  /** Process id, while a process is running. */
  get pid(): number | undefined {
    return this.#process?.ended === false ? this.#process.pid : undefined;
  }

  /** Throws ModelFailure if the library cannot be loaded. */
  start(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#living();
    });
  }

  /**
   * Waits for its turn. If the running request is aborted, its process is killed. Throws the reason of `signal`, or
   * ModelFailure or TaskFailure as HostProcess.ask does.
   */
  async ask(asked: object | Asked, options: HostOptions = {}): Promise<unknown> {
    const { signal } = options;
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const answered = this.#inTurn(async () => {
      signal?.throwIfAborted();
      const process = await this.#living();
      const kill = () => this.#end(process);
      signal?.addEventListener('abort', kill, { once: true });
      try {
        // The process may have taken its time to start.
        signal?.throwIfAborted();
        return await this.#lent(asked, (request) => process.ask(request, options));
      } catch (error) {
        this.#end(process);
        throw error;
      } finally {
        signal?.removeEventListener('abort', kill);
      }
    });
    try {
      return await Promise.race([answered, aborted.promise]);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #lent<T>(asked: object | Asked, work: (request: object) => Promise<T>): Promise<T> {
    if (typeof asked !== 'function') return work(asked);
    return this.#exchange?.lend(asked as Asked, work) ?? work((asked as Asked)((file) => file));
  }

  close(): void {
    clearTimeout(this.#cooling);
    if (this.#process) this.#end(this.#process);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(async () => {
      clearTimeout(this.#cooling);
      try {
        return await work();
      } finally {
        this.#cooling = setTimeout(() => this.close(), this.#warmMs).unref();
      }
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  async #living(): Promise<HostProcess> {
    if (this.#process && !this.#process.ended) return this.#process;
    await this.#exchange?.make();
    const process = new HostProcess(this.#path, this.#confinement);
    this.#process = process;
    try {
      await process.ready();
    } catch (error) {
      this.#end(process);
      throw error;
    }
    return process;
  }

  #end(process: HostProcess): void {
    if (this.#process === process) this.#process = null;
    process.kill();
  }
}
