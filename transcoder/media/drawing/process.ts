import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ChildProcess, endModule, forkModule } from '../../ffmpeg/fork.ts';
import type { Sandbox } from '../../ffmpeg/sandbox.ts';
import type { Drawing } from '../../model/drawing.ts';
import { TaskFailure } from '../../model/task-failure.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const STDERR_TAIL = 2000;
/** The reader has ended and the next write fails: a process still running after this long has hung. */
const END_MS = 10_000;

/** A child process that draws frames for another process to read. */
export class DrawingProcess {
  readonly frames: Readable;
  readonly #child: ChildProcess;
  readonly #order: { drawing: Drawing; directory: string };
  readonly #ended: Promise<string | null>;
  #stderr = '';

  /** @param directory The job's directory. */
  constructor(drawing: Drawing, directory: string, sandbox: Sandbox | undefined) {
    const confinement = sandbox ? { sandbox, reads: [directory] } : null;
    this.#order = { drawing, directory };
    this.#child = forkModule(MAIN, { confinement, stdout: 'pipe' });
    const { stdout } = this.#child;
    if (!stdout) throw new Error('the drawing process has no stdout');
    this.frames = stdout;
    for (const stream of [stdout, this.#child.stderr]) stream?.on('error', () => {});
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', (error) => resolve(error.message));
      this.#child.once('exit', (code, signal) => resolve(code === 0 ? null : (signal ?? `code ${code}`)));
    });
  }

  /** Starts drawing, once the reader has received `frames`. */
  begin(): void {
    // If this process kept its end open, the writer would not notice that the reader died.
    this.frames.destroy();
    // If the child has died meanwhile, `end` reports it.
    this.#child.send(this.#order, () => {});
  }

  /** Waits for the process to exit, after its reader has. Throws `render_failed` if it did not draw everything. */
  async end(): Promise<void> {
    const timer = setTimeout(() => endModule(this.#child), END_MS);
    const how = await this.#ended;
    clearTimeout(timer);
    if (how === null) return;
    const cause = new Error(`the drawing process ended: ${how} ${this.#stderr}`.trim());
    throw new TaskFailure('render_failed', 'The pictures could not be drawn.', { cause });
  }
}
