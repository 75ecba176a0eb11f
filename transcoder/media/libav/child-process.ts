import { fileURLToPath } from 'node:url';
import { type ChildProcess, endModule, forkModule, type ModuleConfinement } from '../../ffmpeg/fork.ts';
import { Patience } from '../../ffmpeg/idle-timeout.ts';
import type { Span } from '../../model/byte-ranges.ts';
import { diskFailureIn } from '../../model/disk-failure.ts';
import { type Answer, type RangeWanted, type Reply, type Request, reply, requests } from './protocol.ts';

/** The engine could not do it: its process died, or what it made is not right. The ffmpeg program does it instead. */
export class EngineFailure extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'EngineFailure';
  }
}

const MAIN = fileURLToPath(new URL('child/main.ts', import.meta.url));
/** Loading the libraries takes a fraction of a second. */
const READY_MS = 20_000;
/** A process that says nothing for this long has hung. */
const SILENT_MS = 120_000;
const LEAVE_MS = 5000;
const STDERR_TAIL = 2000;

/** What a process that works has of its parent. */
interface Attendance {
  onProgress: (fraction: number) => void;
  /** Brings bytes of a source into its file. */
  bring: (wanted: RangeWanted) => Promise<Span>;
}

/** One worker process, from its side of the parent. It keeps the parent alive only while it is asked something. */
export class WorkerProcess {
  #child: ChildProcess;
  #stderr = '';
  #ended = false;
  #gone = Promise.withResolvers<void>();
  #waiting: ((message: Reply | EngineFailure) => void) | null = null;

  constructor(confinement: ModuleConfinement | null, onEnd: (worker: WorkerProcess) => void) {
    this.#child = forkModule(MAIN, { confinement });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    });
    this.#child.on('message', (message) => {
      const parsed = reply.safeParse(message);
      this.#waiting?.(parsed.success ? parsed.data : new EngineFailure('an answer of another form'));
    });
    const end = (how: string) => {
      this.#ended = true;
      this.#gone.resolve();
      onEnd(this);
      this.#waiting?.(new EngineFailure(`the worker process ended: ${how} ${this.#stderr}`.trim()));
    };
    this.#child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
    // More than one error may come of a process, and one that nobody hears ends this process.
    this.#child.on('error', (error) => end(error.message));
    this.#child.stderr?.on('error', () => {});
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Throws EngineFailure where the libraries cannot be loaded. */
  async ready(): Promise<void> {
    await this.#until(READY_MS, (message) => message.type === 'ready');
  }

  /** Throws EngineFailure, and whatever `bring` throws. */
  async ask<R extends Request>(request: R, { onProgress, bring }: Attendance): Promise<Answer<R['kind']>> {
    this.#send(request);
    const last = await this.#until(SILENT_MS, (message, meanwhile) => {
      if (message.type === 'failed') throw diskFailureIn(message.detail) ?? new EngineFailure(message.detail);
      if (message.type === 'progress') onProgress(message.fraction);
      if (message.type === 'range') {
        const { id } = message;
        meanwhile(bring(message).then((span) => this.#send({ type: 'granted', id, span })));
      }
      return message.type !== 'progress' && message.type !== 'range';
    });
    const answer = last.type === 'answered' ? requests[request.kind].answer.safeParse(last.value) : null;
    if (!answer?.success)
      throw new EngineFailure(`a request of kind ${request.kind} was answered in another form`);
    // The schema is that of the kind, which the type of a look-up cannot say.
    return answer.data as Answer<R['kind']>;
  }

  kill(): void {
    endModule(this.#child);
  }

  /** Kills the process and waits until it is gone. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.kill();
    this.#hold(true);
    await this.#gone.promise;
  }

  /** Lets the process end by itself; kills it where it does not. */
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
      if (error) this.#waiting?.(new EngineFailure(error.message));
    });
  }

  /** The first message that `decides`; the process may be silent while it waits for work of ours. */
  async #until(
    silentMs: number,
    decides: (message: Reply, meanwhile: (work: Promise<void>) => void) => boolean,
  ): Promise<Reply> {
    this.#hold(true);
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const late = () => reject(new EngineFailure(`no word from the worker process for ${silentMs} ms`));
    const patience = new Patience(silentMs, late);
    const meanwhile = (work: Promise<void>) => void patience.during(work).catch(reject);
    this.#waiting = (message) => {
      patience.heard();
      if (message instanceof EngineFailure) return reject(message);
      try {
        if (decides(message, meanwhile)) resolve(message);
      } catch (error) {
        reject(error);
      }
    };
    if (this.#ended) this.#waiting(new EngineFailure(`the worker process has ended ${this.#stderr}`.trim()));
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
