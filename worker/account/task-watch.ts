import { RpcTarget } from 'cloudflare:workers';
import type { Status } from '../../schema/task/task.ts';
import type { LiveTask } from './live-state.ts';
import { type Grain, statusOf, type Watches } from './watches.ts';

/** What a watch needs from its account. */
interface Watched {
  watches: Watches;
  /** The live task; undefined once it has ended. */
  live(): LiveTask | undefined;
  /** Resolves when all pending writes about the task are done. */
  settled(): Promise<void>;
}

/** One caller's wait for changes of one task. The runtime disposes of it when the caller disconnects. */
export class TaskWatch extends RpcTarget {
  readonly #watched: Watched;
  readonly #taskId: string;
  #cancel = () => {};
  #disposed = false;

  constructor(watched: Watched, taskId: string) {
    super();
    this.#watched = watched;
    this.#taskId = taskId;
    watched.watches.open += 1;
  }

  /**
   * Resolves when the task has changed (immediately if its status differs from `seen`) or when the time is up.
   * @returns whether there is something new to read
   */
  async next(seen: Status, ms: number, grain: Grain): Promise<boolean> {
    const { watches, live, settled } = this.#watched;
    let end = Date.now() + ms;
    while (!this.#disposed) {
      // The clock may be set back during the wait.
      end = Math.min(end, Date.now() + ms);
      const task = live();
      const status = task ? statusOf(task) : undefined;
      if (status !== null && status !== seen) {
        await settled();
        return true;
      }
      const { change, cancel } = watches.changed(this.#taskId, Math.max(0, end - Date.now()));
      this.#cancel = cancel;
      if (!(await change)) return false;
      if (grain === 'progress') return true;
    }
    return false;
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#watched.watches.open -= 1;
    this.#cancel();
  }
}
