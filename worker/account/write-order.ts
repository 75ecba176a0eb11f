import { errorText, log } from '../lib/log.ts';

/** Keeps the writes about one task in their order, so that its end is written after its beginning; tasks do not wait for one another. */
export class WriteOrder {
  private readonly newest = new Map<string, Promise<void>>();

  /** Runs `work` after what was added before it for this task, and gives what it gives. */
  next<T>(taskId: string, work: () => Promise<T>): Promise<T> {
    const done = this.settled(taskId).then(work);
    const over = () => {
      if (this.newest.get(taskId) === settled) this.newest.delete(taskId);
    };
    const settled: Promise<void> = done.then(over, over);
    this.newest.set(taskId, settled);
    return done;
  }

  /** The same for a write that may fail: that is logged, for the next write says more. */
  async add(taskId: string, work: () => Promise<void>): Promise<void> {
    try {
      await this.next(taskId, work);
    } catch (error) {
      log('error', 'task_write_failed', { task_id: taskId, error: errorText(error) });
    }
  }

  /** Resolves when nothing that was added for this task is under way. */
  async settled(taskId: string): Promise<void> {
    await this.newest.get(taskId);
  }
}
