import { errorText, log } from '../lib/log.ts';

/** Keeps the writes about one task in their order, so that its end is written after its beginning; tasks do not wait for one another. */
export class WriteOrder {
  private readonly newest = new Map<string, Promise<void>>();

  /** Runs `work` after what was added before it for this task; a failure is logged, for the next write says more. */
  add(taskId: string, work: () => Promise<void>): Promise<void> {
    const chained = this.settled(taskId)
      .then(work)
      .catch((error: unknown) => {
        log('error', 'task_write_failed', { task_id: taskId, error: errorText(error) });
      })
      .finally(() => {
        if (this.newest.get(taskId) === chained) this.newest.delete(taskId);
      });
    this.newest.set(taskId, chained);
    return chained;
  }

  /** Resolves when nothing that was added for this task is under way. */
  async settled(taskId: string): Promise<void> {
    await this.newest.get(taskId);
  }
}
