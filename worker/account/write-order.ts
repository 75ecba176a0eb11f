import { errorText, log } from '../lib/log.ts';

/**
 * Keeps the writes about one task in order, so that its end is written after its start. Different tasks do not wait for each
 * other.
 */
export class WriteOrder {
  private readonly newest = new Map<string, Promise<void>>();

  /** Runs `work` after all earlier work for this task, and returns its result. */
  next<T>(taskId: string, work: () => Promise<T>): Promise<T> {
    const done = this.settled(taskId).then(work);
    const over = () => {
      if (this.newest.get(taskId) === settled) this.newest.delete(taskId);
    };
    const settled: Promise<void> = done.then(over, over);
    this.newest.set(taskId, settled);
    return done;
  }

  /** Like `next`, but a failure is only logged, because the next write supersedes it. */
  async add(taskId: string, work: () => Promise<void>): Promise<void> {
    try {
      await this.next(taskId, work);
    } catch (error) {
      log('error', 'task_write_failed', { task_id: taskId, error: errorText(error) });
    }
  }

  /** Resolves when no work for this task is pending. */
  async settled(taskId: string): Promise<void> {
    await this.newest.get(taskId);
  }
}
