import { fileURLToPath } from 'node:url';
import { type ChildProcess, forkModule } from '../../ffmpeg/fork.ts';
import { type Reply, type Request, reply } from './protocol.ts';

/** The engine could not do it: its process died, or what it made is not right. The ffmpeg program does it instead. */
export class EngineFailure extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'EngineFailure';
  }
}

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
/** Loading the libraries takes a fraction of a second. */
const READY_MS = 20_000;
/** A process that says nothing for this long has hung. */
const SILENT_MS = 120_000;
const STDERR_TAIL = 2000;

/** One worker process, from its side of the parent. It keeps the parent alive only while it is asked something. */
export class WorkerProcess {
  #child: ChildProcess;
  #stderr = '';
  #ended = false;
  #waiting: ((message: Reply | EngineFailure) => void) | null = null;

  constructor(onEnd: (worker: WorkerProcess) => void) {
    this.#child = forkModule(MAIN);
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    });
    this.#child.on('message', (message) => {
      const parsed = reply.safeParse(message);
      this.#waiting?.(parsed.success ? parsed.data : new EngineFailure('an answer of another form'));
    });
    const end = (how: string) => {
      this.#ended = true;
      onEnd(this);
      this.#waiting?.(new EngineFailure(`the worker process ended: ${how} ${this.#stderr}`.trim()));
    };
    this.#child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
    this.#child.once('error', (error) => end(error.message));
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

  /** Throws EngineFailure. */
  async ask(request: Request, onProgress: (fraction: number) => void): Promise<Reply> {
    this.#child.send(request, (error) => {
      if (error) this.#waiting?.(new EngineFailure(error.message));
    });
    return this.#until(SILENT_MS, (message) => {
      if (message.type === 'failed') throw new EngineFailure(message.detail);
      if (message.type === 'progress') onProgress(message.fraction);
      return message.type !== 'progress';
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** The first message that `decides`. */
  async #until(silentMs: number, decides: (message: Reply) => boolean): Promise<Reply> {
    this.#hold(true);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Reply>((resolve, reject) => {
        const late = () => reject(new EngineFailure(`no word from the worker process for ${silentMs} ms`));
        timer = setTimeout(late, silentMs);
        this.#waiting = (message) => {
          timer?.refresh();
          if (message instanceof EngineFailure) return reject(message);
          try {
            if (decides(message)) resolve(message);
          } catch (error) {
            reject(error);
          }
        };
        if (this.#ended)
          this.#waiting(new EngineFailure(`the worker process has ended ${this.#stderr}`.trim()));
      });
    } finally {
      clearTimeout(timer);
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
