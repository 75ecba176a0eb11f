import { getTableColumns } from 'drizzle-orm';
import { tasks } from '../../drizzle/tables.ts';

export type TaskRow = typeof tasks.$inferSelect;

export const taskColumns = getTableColumns(tasks);

/** A task with its position in the account's line, starting at 1; null once it runs. */
export type TaskView = TaskRow & { queuePosition: number | null };
