import type { Stage } from '../../schema/task/task.ts';
import { errorText, log } from '../lib/log.ts';

/** A write without an answer holds up later ones no longer than this. Should it be done after all, its own conditions make it harmless. */
const LONGEST_MS = 60_000;

/** Where an attempt is, and when the stages that are reported with it began, epoch ms. */
export interface Progress {
  stage: Stage;
  progressPercent: number;
  etaSeconds: number | null;
  leaseExpiresAt: number;
  since: Partial<Record<Stage, number>>;
}

/** Progress that is to be written. */
interface Waiting {
  attempt: number;
  progress: Progress;
}

/**
 * Keeps the writes about one task in order, so that its end is written after its start. Different tasks do not wait for each
 * other.
 */
export class WriteOrder {
  private readonly newest = new Map<string, Promise<void>>();
  /** The progress that is the newest write of its task and has not begun. */
  private readonly waiting = new Map<string, Waiting>();

  /** Runs `work` after all earlier work for this task, and returns its result. */
  next<T>(taskId: string, work: () => Promise<T>): Promise<T> {
    this.waiting.delete(taskId);
    const done = this.settled(taskId).then(work);
    const settled: Promise<void> = over(done).then(() => {
      if (this.newest.get(taskId) === settled) this.newest.delete(taskId);
    });
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

  /**
   * Writes progress, together with what is reported until its turn comes: reports may come faster than they can be written, and the end
   * of the task must not wait for all of them.
   */
  async addProgress(
    taskId: string,
    attempt: number,
    progress: Progress,
    write: (progress: Progress) => Promise<void>,
  ): Promise<void> {
    const waiting = this.waiting.get(taskId);
    if (waiting?.attempt === attempt) {
      waiting.progress = { ...progress, since: { ...progress.since, ...waiting.progress.since } };
      return;
    }
    const entry: Waiting = { attempt, progress };
    const done = this.add(taskId, () => {
      if (this.waiting.get(taskId) === entry) this.waiting.delete(taskId);
      return write(entry.progress);
    });
    this.waiting.set(taskId, entry);
    await done;
  }

  /** Resolves when no work for this task is pending. */
  async settled(taskId: string): Promise<void> {
    await this.newest.get(taskId);
  }
}

/** Resolves when the work is over, or has taken too long. */
function over(work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });
}
