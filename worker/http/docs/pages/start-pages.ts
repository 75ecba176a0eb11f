import { operationNames, operations } from '../../../../schema/operations/index.ts';
import { commonFields } from '../../../../schema/operations/operation.ts';
import { curlPost } from '../../../lib/request-snippets.ts';
import { inputName } from '../component-schemas.ts';
import { fieldRows } from '../field-rows.ts';
import { code, heading, markdown } from '../print/block.ts';
import { fieldList } from '../print/field-list.ts';
import { taskSteps } from '../recipes.ts';
import type { DocPage } from './doc-page.ts';

export const quickstart: DocPage = {
  path: '/docs/quickstart',
  title: 'Quickstart',
  summary: 'From a key to the first downloaded result, in three commands.',
  body: ({ url }) => [
    markdown(
      'Send JSON with the URL of your media. The response is a task. Poll the task until it is `completed`, then download the file. A file on your disk can be [uploaded](/docs/guides/upload-a-file) first.\n\nCreate a key in the [dashboard](/app), and set it once in your terminal:',
    ),
    code('sh', 'Your key', 'export SPOOL_API_KEY=spool_live_…'),
    ...taskSteps(url, operationNames[0]).map(({ title, text }) => code('sh', title, text)),
    markdown(`## What next

- [Requests](/docs/requests): times, sources, safe retries, dry runs
- [Tasks](/docs/tasks): status, result, links, events
- [Webhooks](/docs/webhooks): be called when a task ends, without polling
- [MCP](/docs/mcp): the same operations as tools for an agent`),
  ],
};

export const keys: DocPage = {
  path: '/docs/keys',
  title: 'Keys',
  summary: 'How a request says which account it belongs to.',
  body: ({ url }) => [
    markdown(`Send the key of your account as \`X-API-Key: <key>\` or \`Authorization: Bearer <key>\`, never in a URL. The base URL is \`${url}\`.

Keys are created and revoked in the [dashboard](/app). A key is shown once; the service keeps only a keyed hash of it, so it cannot be shown again. A revoked key stops working at once.

Keep keys on servers. Requests from browser pages of other sites are refused, because a key in a page is readable by everyone. Give each application a key of its own: then one can be revoked without touching the others.`),
  ],
};

export const requests: DocPage = {
  path: '/docs/requests',
  title: 'Requests',
  summary: 'Times, sources, names, safe retries and dry runs: what all operations have in common.',
  body: ({ schemas, url }) => {
    const [first] = operationNames;
    const rows = fieldRows(schemas[inputName(first)] ?? {}).filter(({ name }) => name in commonFields);
    const { path, examples } = operations[first];
    return [
      markdown(`- The body is one JSON object. Unknown fields are rejected (422), never ignored.
- Times are seconds, as numbers (\`70.5\`) or as \`"HH:MM:SS.mmm"\`. Sizes of pictures are pixels. Other units are part of the field name: \`_kbps\`, \`_db\`, \`_lufs\`, \`_ms\`, \`_percent\`.
- Every response contains \`X-Request-Id\`. Quote it when you contact support.

## Sources

Sources are public \`https://\` URLs, read by byte range where the host allows it. Other kinds exist:

- \`task:<task_id>\` is the main file of one of your tasks, so operations can be chained without downloading anything. If that task has not ended, the new one waits in line for it, without taking a slot; if it fails, the new one fails with [source_task_failed](/docs/errors/source_task_failed), which names its error.
- \`upload:<upload_id>\` is [a file that you uploaded](/docs/guides/upload-a-file).
- A signed URL of your own storage works if it stays valid until the task has ended: a source is read in parts, while the task runs.

Links to pages of YouTube, Google Drive or Dropbox are recognized and refused with a hint on how to get the file itself. The [formats page](/docs/formats) lists what is read.

## Safe retries

If a connection breaks, you cannot know whether the task was created. Send an \`Idempotency-Key\` header with a value that is unique to the request. For 24 hours, the same key with the same body returns the first response, marked \`Idempotent-Replayed: true\`, and creates no new task. The same key with another body is refused with [idempotency_conflict](/docs/errors/idempotency_conflict).`),
      code(
        'sh',
        'The same request twice creates one task',
        curlPost(url, path, examples[0]?.input).replace(
          ' \\\n  -d',
          ' \\\n  -H "Idempotency-Key: order-1042" \\\n  -d',
        ),
      ),
      markdown(`## Dry runs

With \`dry_run: true\`, the sources are read and the work is planned, but no file is produced. The completed task describes the output in \`plan\`: use it to check a request before you spend time on it.`),
      heading(2, 'common-fields', 'Fields of every operation'),
      fieldList(rows),
    ];
  },
};
