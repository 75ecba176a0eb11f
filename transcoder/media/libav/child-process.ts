import { fileURLToPath } from 'node:url';
import { type ChildProcess, endModule, forkModule, type ModuleConfinement } from '../../ffmpeg/fork.ts';
import { Patience } from '../../ffmpeg/idle-timeout.ts';
import { diskFailureIn } from '../../model/disk-failure.ts';
import type { Span } from '../../model/source/byte-ranges.ts';
import { type Answer, type RangeWanted, type Reply, type Request, reply, requests } from './protocol.ts';

/** libav failed: its process died, or its result is invalid. The ffmpeg program takes over. */
export class LibavFailure extends Error {
  /** Whether the process ended, which may have nothing to do with its work. */
  readonly died: boolean;

  constructor(detail: string, { died = false } = {}) {
    super(detail);
    this.name = 'LibavFailure';
    this.died = died;
  }
}

const MAIN = fileURLToPath(new URL('child/main.ts', import.meta.url));
/** Loading the libraries takes a fraction of a second; this allows for a busy machine. A process that cannot load them ends by itself. */
const READY_MS = 60_000;
/** A process that sends no message for this long has hung. */
const SILENT_MS = 120_000;
const LEAVE_MS = 5000;
const STDERR_TAIL = 2000;

/** What the parent does for a process at work. */
interface Attendance {
  onProgress: (fraction: number) => void;
  /** Fetches bytes of a source into its file. */
  bring: (wanted: RangeWanted) => Promise<Span>;
}

/** The parent's handle of a worker process. It keeps the parent alive only during a request. */
export class WorkerProcess {
  #child: ChildProcess;
  #stderr = '';
  #ended = false;
  #gone = Promise.withResolvers<void>();
  #waiting: ((message: Reply | LibavFailure) => void) | null = null;

  constructor(confinement: ModuleConfinement | null, onEnd: (worker: WorkerProcess) => void) {
    this.#child = forkModule(MAIN, { confinement });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    });
    this.#child.on('message', (message) => {
      const parsed = reply.safeParse(message);
      this.#waiting?.(
        parsed.success ? parsed.data : new LibavFailure('the worker process sent a malformed message'),
      );
    });
    const end = (how: string) => {
      this.#ended = true;
      this.#gone.resolve();
      onEnd(this);
      this.#waiting?.(
        new LibavFailure(`the worker process ended: ${how} ${this.#stderr}`.trim(), { died: true }),
      );
    };
    this.#child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
    // A process can emit several errors, and an unhandled 'error' event would end the parent.
    this.#child.on('error', (error) => end(error.message));
    this.#child.stderr?.on('error', () => {});
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Throws LibavFailure if the libraries cannot be loaded. */
  async ready(): Promise<void> {
    await this.#until(READY_MS, (message) => message.type === 'ready');
  }

  /** Throws LibavFailure, and whatever `bring` throws. */
  async ask<R extends Request>(request: R, { onProgress, bring }: Attendance): Promise<Answer<R['kind']>> {
    this.#send(request);
    const last = await this.#until(SILENT_MS, (message, meanwhile) => {
      if (message.type === 'failed') throw diskFailureIn(message.detail) ?? new LibavFailure(message.detail);
      if (message.type === 'progress') onProgress(message.fraction);
      if (message.type === 'range') {
        const { id } = message;
        meanwhile(bring(message).then((span) => this.#send({ type: 'granted', id, span })));
      }
      return message.type === 'answered';
    });
    const answer = last.type === 'answered' ? requests[request.kind].answer.safeParse(last.value) : null;
    if (!answer?.success)
      throw new LibavFailure(`the answer to a request of kind ${request.kind} is malformed`);
    // The schema matches the kind, which an indexed access type cannot express.
    return answer.data as Answer<R['kind']>;
  }

  kill(): void {
    endModule(this.#child);
  }

  /** Kills the process and waits for it to exit. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.kill();
    this.#hold(true);
    await this.#gone.promise;
  }

  /** Lets the process exit on its own; kills it if it does not. */
  async leave(): Promise<void> {
    if (this.#ended) return;
    const timer = setTimeout(() => this.kill(), LEAVE_MS);
    this.#hold(true);
    this.#child.disconnect();
    await this.#gone.promise;
    clearTimeout(timer);
  }

  #send(message: object): void {
    this.#child.send(message, (error) => {
      if (error) this.#waiting?.(new LibavFailure(error.message, { died: true }));
    });
  }

  /** The first message that `decides` accepts. The timeout is paused while the process waits for the parent. */
  async #until(
    silentMs: number,
    decides: (message: Reply, meanwhile: (work: Promise<void>) => void) => boolean,
  ): Promise<Reply> {
    this.#hold(true);
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const late = () => reject(new LibavFailure(`the worker process sent no message for ${silentMs} ms`));
    const patience = new Patience(silentMs, late);
    const meanwhile = (work: Promise<void>) => void patience.during(work).catch(reject);
    this.#waiting = (message) => {
      patience.heard();
      if (message instanceof LibavFailure) return reject(message);
      try {
        if (decides(message, meanwhile)) resolve(message);
      } catch (error) {
        reject(error);
      }
    };
    if (this.#ended)
      this.#waiting(new LibavFailure(`the worker process has ended ${this.#stderr}`.trim(), { died: true }));
    try {
      return await promise;
    } finally {
      patience.end();
      this.#waiting = null;
      this.#hold(false);
    }
  }

  #hold(busy: boolean): void {
    const pipe = this.#child.stderr as { ref?: () => void; unref?: () => void } | null;
    for (const handle of [this.#child, this.#child.channel, pipe]) {
      if (busy) handle?.ref?.();
      else handle?.unref?.();
    }
  }
}
