import { timeOf } from '../../schema/task/ids.ts';

/**
 * The current time (epoch ms) for a task record. Never before the task's creation, so that a clock set back does not shorten
 * retention.
 */
export const recordTime = (taskId: string, now: number) => Math.max(now, timeOf(taskId));
