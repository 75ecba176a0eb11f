import { ATTEMPT_DELAYS } from '../../../../schema/api/webhook.ts';
import { completedEvent } from '../example-event.ts';
import { code, heading, markdown, table } from '../print/block.ts';
import type { DocPage } from './doc-page.ts';
import { endpointBlocks } from './endpoint-blocks.ts';

function delayText(seconds: number): string {
  if (seconds === 0) return 'at once';
  if (seconds < 60) return `${seconds} seconds later`;
  return seconds < 3600 ? `${seconds / 60} minutes later` : `${seconds / 3600} hours later`;
}

export const webhooks: DocPage = {
  path: '/docs/webhooks',
  title: 'Webhooks',
  summary: 'A signed request to your server when a task has ended, retried for more than a day.',
  body: (site) => [
    markdown(`Give a \`callback_url\` with a task, or register endpoints that get the events of all tasks of the account. Both can be used together. Receivers are public \`https://\` URLs.

The body is an event whose \`data.object\` is the task, as \`GET /task/{id}\` returns it:`),
    code('json', 'task.completed', JSON.stringify(completedEvent(), null, 2)),
    markdown(`## Answer and retry schedule

Return any 2xx within 15 seconds, or less where the operator of the service has set a shorter limit, and do longer work afterwards. Redirects are not followed. \`410\` ends the attempts, and disables the endpoint. After any other answer, or none, the event is sent again with the same \`webhook-id\`:`),
    table(
      ['Attempt', 'When'],
      ATTEMPT_DELAYS.map((delay, index) => [String(index + 1), delayText(delay)]),
    ),
    markdown(`A test event is only sent twice, five seconds apart. An event can arrive twice, if your answer got lost. Keep the \`webhook-id\` of what you have handled. The order of events is not guaranteed.

[The dashboard](/app) lists every delivery with the status of the answer, and sends one again at a click; so does the API below.

## Verify

Requests are signed using [Standard Webhooks](https://www.standardwebhooks.com): \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. \`GET /webhooks/secret\` returns the secret of your account. The libraries of Standard Webhooks verify a request in one call; [here are four languages without a library](/docs/guides/verify-a-webhook).

During a rotation of the secret, requests are signed with both secrets for a day.`),
    heading(2, 'endpoints', 'Endpoints'),
    ...endpointBlocks(site, 'webhooks'),
  ],
};
