import { timeOf } from '../../schema/task/ids.ts';

/** Now (epoch ms) for the record of a task: never before the task was created, so that a clock set back shortens no retention. */
export const recordTime = (taskId: string, now: number) => Math.max(now, timeOf(taskId));
