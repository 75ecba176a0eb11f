import { z } from 'zod';
import { operationNames } from '../operations/index.ts';
import { statuses, task } from './task.ts';

/** Of a parameter that is not such a time. */
export const wrongMoment = 'must be an ISO 8601 time with a time zone, such as 2026-11-20T10:00:00Z';

const moment = (what: string) =>
  z.iso
    .datetime({
      offset: true,
      error: wrongMoment,
    })
    .optional()
    .meta({ description: `Only tasks created ${what} this time (ISO 8601 with a time zone).` });

/** Parameters of `GET /tasks` and of the tool `list_tasks`. */
export const taskListQuery = z.strictObject({
  status: z.enum(statuses).optional().meta({ description: 'Only tasks with this status.' }),
  operation: z.enum(operationNames).optional().meta({ description: 'Only tasks of this operation.' }),
  created_after: moment('after'),
  created_before: moment('before'),
  limit: z.number().int().min(1).max(100).default(20).meta({ description: 'Number of tasks per page.' }),
  cursor: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: '`next_cursor` of the previous page. Leave out for the first page.' }),
});
export type TaskListQuery = z.output<typeof taskListQuery>;

export const taskList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(task).meta({ description: 'The tasks, newest first.' }),
    has_more: z.boolean().meta({ description: 'Whether there is another page with older tasks.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Value of `cursor` for the next page; null on the last page.' }),
  })
  .meta({ id: 'TaskList' });
export type TaskList = z.output<typeof taskList>;
