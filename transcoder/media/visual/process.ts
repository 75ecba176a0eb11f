import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { TaskFailure } from '../../failure.ts';
import { type ChildProcess, endModule, forkModule, type ModuleConfinement } from '../../ffmpeg/fork.ts';
import type { Drawing } from './scene.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const STDERR_TAIL = 2000;
/** Its reader has ended: what it does after that is in vain. */
const END_MS = 1000;

/** A process that draws frames, one byte a pixel, for another process to read. */
export class DrawingProcess {
  readonly frames: Readable;
  readonly #child: ChildProcess;
  readonly #drawing: Drawing;
  readonly #ended: Promise<string | null>;
  #stderr = '';

  constructor(drawing: Drawing, confinement: ModuleConfinement | null) {
    this.#drawing = drawing;
    this.#child = forkModule(MAIN, { confinement, stdout: 'pipe' });
    const { stdout } = this.#child;
    if (!stdout) throw new Error('a process that draws has no stdout');
    this.frames = stdout;
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message));
      this.#child.once('exit', (code, signal) => resolve(code === 0 ? null : (signal ?? `code ${code}`)));
    });
  }

  /** Draws, once the reader has been given `frames`. */
  begin(): void {
    // Held here too, the pipe would stay open for the writer when its reader has died.
    this.frames.destroy();
    this.#child.send(this.#drawing);
  }

  /** Waits for its end after that of its reader. Throws `render_failed` where it could not draw everything. */
  async end(): Promise<void> {
    const timer = setTimeout(() => endModule(this.#child), END_MS);
    const how = await this.#ended;
    clearTimeout(timer);
    if (how === null) return;
    const cause = new Error(`the process that draws ended: ${how} ${this.#stderr}`.trim());
    throw new TaskFailure('render_failed', 'The visualizer could not be drawn.', { cause });
  }
}
