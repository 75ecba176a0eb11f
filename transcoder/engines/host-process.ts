import { constants } from 'node:os';
import { type ChildProcess, endModule, forkModule, type ModuleConfinement } from '../ffmpeg/fork.ts';
import { Patience } from '../ffmpeg/idle-timeout.ts';
import { diskFailureIn } from '../model/disk-failure.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { type HostReply, hostReply } from './hosts/protocol.ts';

/** Loading a library takes a fraction of a second; this allows for a busy machine. */
const READY_MS = 60_000;
/** Running a network blocks the event loop of its process, which then sends no beats: half a minute of sound can take minutes on a busy machine. */
const SILENT_MS = 600_000;
const STDERR_TAIL = 2000;

export interface HostOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
}

/** The model does not load, so further requests of this kind would fail too. */
export class ModelFailure extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'ModelFailure';
  }
}

/** The parent's side of one host process. It keeps the parent alive only while a request is running. */
export class HostProcess {
  #child: ChildProcess;
  #stderr = '';
  #ended: { signal: NodeJS.Signals | null; how: string } | null = null;
  #notify: (() => void) | null = null;
  #waiting: HostReply[] = [];

  constructor(path: string, confinement: ModuleConfinement | null) {
    this.#child = forkModule(path, { confinement });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    });
    this.#child.on('message', (message) => {
      const parsed = hostReply.safeParse(message);
      this.#waiting.push(parsed.data ?? { type: 'failed', detail: 'an answer of another form' });
      this.#notify?.();
    });
    const end = (signal: NodeJS.Signals | null, how: string) => {
      this.#ended ??= { signal, how };
      this.#notify?.();
    };
    this.#child.once('exit', (code, signal) => end(signal, signal ?? `code ${code}`));
    // A process can emit more than one error, and an unhandled 'error' event would end the parent.
    this.#child.on('error', (error) => end(null, error.message));
    this.#child.stderr?.on('error', () => {});
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get ended(): boolean {
    return this.#ended !== null;
  }

  /** Throws ModelFailure if the library cannot be loaded. */
  async ready(): Promise<void> {
    await this.#until(READY_MS, (reply) => {
      if (reply.type === 'failed') throw new ModelFailure(reply.detail);
      return reply.type === 'ready';
    });
  }

  /**
   * Throws ModelFailure if the process ends or fails before its model is in memory; TaskFailure `out_of_memory` if the
   * system killed it, otherwise `engine_failed`.
   */
  async ask(request: object, { onProgress }: HostOptions): Promise<unknown> {
    this.#child.send(request, () => {});
    let loaded = false;
    let value: unknown;
    const failed = (detail: string) =>
      loaded
        ? new TaskFailure('engine_failed', 'The engine could not process the audio or picture.', {
            cause: new Error(detail),
          })
        : new ModelFailure(detail);
    await this.#until(
      SILENT_MS,
      (reply) => {
        if (reply.type === 'failed') throw diskFailureIn(reply.detail) ?? failed(reply.detail);
        if (reply.type === 'loaded') loaded = true;
        if (reply.type === 'progress') onProgress?.(reply.fraction);
        if (reply.type === 'done') value = reply.value;
        return reply.type === 'done';
      },
      failed,
    );
    return value;
  }

  kill(): void {
    endModule(this.#child);
  }

  /** Consumes replies until `decides` returns true. */
  async #until(
    silentMs: number,
    decides: (reply: HostReply) => boolean,
    failed: (detail: string) => Error = (detail) => new ModelFailure(detail),
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const patience = new Patience(silentMs, () => reject(failed(`no word for ${silentMs} ms`)));
    this.#hold(true);
    this.#notify = () => {
      patience.heard();
      try {
        for (let reply = this.#waiting.shift(); reply; reply = this.#waiting.shift()) {
          if (decides(reply)) return resolve();
        }
        if (this.#ended) throw this.#endOf(failed);
      } catch (error) {
        reject(error);
      }
    };
    this.#notify();
    try {
      await promise;
    } finally {
      patience.end();
      this.#notify = null;
      this.#hold(false);
    }
  }

  #endOf(failed: (detail: string) => Error): Error {
    const { signal, how } = this.#ended ?? { signal: null, how: '' };
    const detail = `the process ended: ${how} ${this.#stderr}`.trim();
    // A sandbox around the process ends with 128 and the number of the signal.
    if (signal !== 'SIGKILL' && how !== `code ${128 + constants.signals.SIGKILL}`) return failed(detail);
    return new TaskFailure('out_of_memory', 'The engine ran out of memory.', {
      cause: new Error(detail),
    });
  }

  #hold(busy: boolean): void {
    const pipe = this.#child.stderr as { ref?: () => void; unref?: () => void } | null;
    for (const handle of [this.#child, this.#child.channel, pipe]) {
      if (busy) handle?.ref?.();
      else handle?.unref?.();
    }
  }
}
