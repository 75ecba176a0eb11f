import { z } from 'zod';
import { operationNames } from '../operations/index.ts';
import { statuses, task } from './task.ts';

const moment = (what: string) =>
  z.iso
    .datetime({ offset: true, error: 'Expected an ISO 8601 time with a zone, such as 2026-11-20T10:00:00Z' })
    .optional()
    .meta({ description: `Only tasks created ${what} this moment, ISO 8601 with a zone.` });

/** What `GET /tasks` and the tool `list_tasks` take. */
export const taskListQuery = z.strictObject({
  status: z.enum(statuses).optional().meta({ description: 'Only tasks of this status.' }),
  operation: z.enum(operationNames).optional().meta({ description: 'Only tasks of this operation.' }),
  created_after: moment('after'),
  created_before: moment('before'),
  limit: z.number().int().min(1).max(100).default(20).meta({ description: 'Tasks on a page.' }),
  cursor: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: '`next_cursor` of the page before; the first page if left out.' }),
});
export type TaskListQuery = z.output<typeof taskListQuery>;

export const taskList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(task).meta({ description: 'Newest first.' }),
    has_more: z.boolean().meta({ description: 'Whether older tasks follow.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'The `cursor` of the next page; null on the last one.' }),
  })
  .meta({ id: 'TaskList' });
export type TaskList = z.output<typeof taskList>;
