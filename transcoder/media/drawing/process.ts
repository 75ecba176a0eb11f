import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ChildProcess, endModule, forkModule } from '../../ffmpeg/fork.ts';
import type { Sandbox } from '../../ffmpeg/sandbox.ts';
import type { Drawing } from '../../model/drawing.ts';
import { TaskFailure } from '../../model/task-failure.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const STDERR_TAIL = 2000;
/** Its reader has ended, so that its next frame cannot be written: only one that hangs is still there after so long. */
const END_MS = 10_000;

/** A process that draws frames for another process to read. */
export class DrawingProcess {
  readonly frames: Readable;
  readonly #child: ChildProcess;
  readonly #order: { drawing: Drawing; directory: string };
  readonly #ended: Promise<string | null>;
  #stderr = '';

  /** `directory` is the job's. */
  constructor(drawing: Drawing, directory: string, sandbox: Sandbox | undefined) {
    const confinement = sandbox ? { sandbox, reads: [directory] } : null;
    this.#order = { drawing, directory };
    this.#child = forkModule(MAIN, { confinement, stdout: 'pipe' });
    const { stdout } = this.#child;
    if (!stdout) throw new Error('a process that draws has no stdout');
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

  /** Draws, once the reader has been given `frames`. */
  begin(): void {
    // Held here too, the pipe would stay open for the writer when its reader has died.
    this.frames.destroy();
    // Where it has died meanwhile, `end` says so.
    this.#child.send(this.#order, () => {});
  }

  /** Waits for its end after that of its reader. Throws `render_failed` where it could not draw everything. */
  async end(): Promise<void> {
    const timer = setTimeout(() => endModule(this.#child), END_MS);
    const how = await this.#ended;
    clearTimeout(timer);
    if (how === null) return;
    const cause = new Error(`the process that draws ended: ${how} ${this.#stderr}`.trim());
    throw new TaskFailure('render_failed', 'The pictures could not be drawn.', { cause });
  }
}
