import { type ErrorCode, errorEntry, type ResponseCode } from '../../schema/errors.ts';
import { commonTaskErrors, submissionErrors } from '../../schema/operation.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { task } from '../../schema/task.ts';
import type { App } from '../app.ts';
import { readJson } from '../middleware/json-body.ts';
import { authenticate } from '../services/authenticate.ts';
import { rateHeaders, submit } from '../services/submit.ts';
import { taskView } from '../services/task-view.ts';
import { declare } from '../declare.ts';
import { rateHeaderDocs } from './rate-headers.ts';

/** POST of every operation in the registry. */
export function operationRoutes(app: App): void {
  for (const name of operationNames) {
    const operation = operations[name];
    declare(
      app,
      {
        method: 'post',
        path: operation.path,
        operationId: name,
        tags: [operation.group],
        summary: operation.summary,
        description: `${operation.description}\n\n${taskErrorText([...operation.errors, ...commonTaskErrors])}`,
        security: [{ ApiKey: [] }],
        request: {
          body: {
            required: true,
            content: {
              'application/json': {
                schema: operation.input,
                examples: Object.fromEntries(
                  operation.examples.map(({ title, input }, index) => [
                    `example_${index + 1}`,
                    { summary: title, value: input },
                  ]),
                ),
              },
            },
          },
        },
        responses: {
          202: {
            description: 'The task is accepted. Poll `status_url` until `status` is `completed` or `failed`.',
            headers: {
              Location: {
                description: 'The status_url of the task.',
                schema: { type: 'string', format: 'uri' },
              },
              'Retry-After': {
                description: 'Seconds to wait before the first poll.',
                schema: { type: 'integer' },
              },
              ...rateHeaderDocs,
            },
            content: { 'application/json': { schema: task } },
          },
        },
        errors: submissionErrors as readonly ResponseCode[],
      },
      async (c) => {
        const context = c.get('context');
        const principal = await authenticate(context, (header) => c.req.header(header));
        const body = await readJson(c.req.raw);
        const created = await submit(context, principal, name, body, c.get('requestId'));
        const view = await taskView(context.config, created.task);
        return c.json(view, 202, {
          location: view.status_url,
          'retry-after': '1',
          ...rateHeaders(principal.plan, created.rate),
        });
      },
    );
  }
}

function taskErrorText(codes: readonly ErrorCode[]): string {
  const list = codes.map((code) => `\`${code}\` (${errorEntry(code).fault})`);
  return `A task of this operation can fail with: ${list.join(', ')}.`;
}
