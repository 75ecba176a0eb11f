import type { Status } from '../../schema/task/task.ts';
import type { LiveTask } from './live-state.ts';

/** Which changes end a wait: of the status alone, or of stage and progress too. */
export type Grain = 'status' | 'progress';

type Listener = () => void;

/** The open waits for task changes in this object; each lasts as long as its caller is connected. */
export class Watches {
  private readonly listeners = new Map<string, Set<Listener>>();
  /** How many callers have a watch open. */
  open = 0;

  /** Resolves at the next change of the task or when the time is up. @returns whether it changed */
  changed(taskId: string, ms: number): { change: Promise<boolean>; cancel: Listener } {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const listeners = this.listeners.get(taskId) ?? new Set();
    this.listeners.set(taskId, listeners);
    const end = (changed: boolean) => {
      clearTimeout(timer);
      listeners.delete(wake);
      if (listeners.size === 0) this.listeners.delete(taskId);
      resolve(changed);
    };
    const wake = () => end(true);
    const timer = setTimeout(() => end(false), ms);
    listeners.add(wake);
    return { change: promise, cancel: () => end(false) };
  }

  /** Reports that the database record of a task has changed. */
  wake(taskId: string): void {
    for (const listener of [...(this.listeners.get(taskId) ?? [])]) listener();
  }
}

/**
 * The status that the record of a live task has once its writes are done; null while its end (completed or failed) is being
 * written.
 */
export function statusOf({ phase }: LiveTask): Status | null {
  switch (phase) {
    case 'running':
      return 'processing';
    case 'ending':
      return null;
    case 'recording':
    case 'waiting':
    case 'dispatching':
    case 'sending':
    case 'accepted':
    case 'backoff':
      return 'queued';
  }
}
