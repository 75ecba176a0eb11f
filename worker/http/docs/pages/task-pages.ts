import { planNames, planOf } from '../../../../schema/api/plans.ts';
import { LOG_DAYS } from '../../../../schema/api/webhook.ts';
import { resultRows } from '../field-rows.ts';
import { seconds } from '../plan-limits.ts';
import { heading, markdown, table } from '../print/block.ts';
import { fieldList } from '../print/field-list.ts';
import type { DocPage, Site } from './doc-page.ts';
import { endpointBlocks } from './endpoint-blocks.ts';

const fields = ({ schemas }: Site, name: string) => fieldList(resultRows(schemas[name] ?? {}));

export const tasks: DocPage = {
  path: '/docs/tasks',
  title: 'Tasks',
  summary: 'The life of a task, its fields, its files and how long they are kept.',
  body: (site) => [
    markdown(`Every operation returns \`202\` with a task, its \`status_url\` in \`Location\` and the seconds to wait in \`Retry-After\`.

| status | what happens | stages |
|---|---|---|
| \`queued\` | It waits for a free slot of your plan, or first for the tasks whose results it reads; \`queue_position\` says where. | \`waiting\` |
| \`processing\` | The sources are read, the work is done and its result is verified. | \`fetching\`, \`analyzing\`, \`rendering\` with the verification, \`uploading\` |
| \`completed\` | The files can be downloaded. | \`done\` |
| \`failed\` | \`error\` says why, whose fault it is and what to do. | the one in which it failed |

Every output is verified against its source before its task is completed: the frames at the edges and joints, the position of the sound, duration and format. If the machine of a task dies, the task is retried automatically.

## Wait for a result

- **Long polling**: \`GET /task/{id}?wait_seconds=55\` answers when the status changes or the time is up: repeat it, with a pause of a second, until the task has ended. Above your plan’s number of open connections it answers at once. This is the simplest and fastest way for a script.
- **Polling**: \`GET /task/{id}\` after the seconds in \`Retry-After\`.
- **Events**: \`GET /task/{id}/events\` streams progress as server-sent events.
- **Webhooks**: [a request to your server](/docs/webhooks) when the task has ended. This is the best way for many tasks.

## Download

\`output.file_url\` and the \`url\` of each entry of \`output.files\` are signed links. They need no key, work until \`expires_at\`, support byte ranges, and can be given to a browser or a colleague. \`GET /task/{id}/download\` does the same with your key, and \`?file=<role>\` selects another file. After \`expires_at\` the files are deleted; the record of the task stays longer:`),
    table(
      ['', ...planNames.map((name) => planOf(name).title)],
      [
        ['Files and links', ...planNames.map((name) => seconds(planOf(name).retention_seconds))],
        ['Records', ...planNames.map((name) => seconds(planOf(name).record_seconds))],
        ['Webhook deliveries', ...planNames.map(() => `${LOG_DAYS} days`)],
      ],
    ),
    heading(2, 'task', 'Task'),
    fields(site, 'Task'),
    heading(3, 'taskoutput', 'TaskOutput'),
    fields(site, 'TaskOutput'),
    heading(3, 'taskplan', 'TaskPlan'),
    fields(site, 'TaskPlan'),
    heading(3, 'taskerror', 'TaskError'),
    fields(site, 'TaskError'),
    heading(2, 'endpoints', 'Endpoints'),
    ...endpointBlocks(site, 'tasks'),
  ],
};
