import { z } from 'zod';
import type { ResponseCode } from '../../../schema/api/errors.ts';
import {
  providerKey,
  speechApi,
  speechApiHeaders,
  speechApiModels,
} from '../../../schema/api/provider-keys.ts';
import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import { submissionErrors } from '../../../schema/operations/operation.ts';
import type { App } from '../../app-env.ts';
import { rateHeaders } from '../../services/account/rate-headers.ts';
import { keyHeaderOf, takesSpeechApi } from '../../services/tasks/provider-key.ts';
import { mostBytesOf } from '../../services/tasks/request-bytes.ts';
import { submit } from '../../services/tasks/submit.ts';
import { taskView } from '../../services/tasks/task-view.ts';
import { declare, keyed, sharedResponse } from '../declare.ts';
import { dataName, inputName, schemaRef, taskErrorsOf } from '../docs/component-schemas.ts';
import { queuedTask } from '../docs/example-tasks.ts';
import { commonHeaders } from '../docs/response-headers.ts';
import { readJson } from '../middleware/json-body.ts';
import { principalOf } from '../middleware/principal.ts';

const idempotencyHeader = {
  'idempotency-key': z.string().min(1).max(255).optional().meta({
    description:
      'Unique key for this request (printable ASCII). For 24 hours, a request with the same key and body returns the first response and creates no new task.',
  }),
};

const speechApiParameters = {
  [speechApiHeaders.url.toLowerCase()]: speechApi.shape.url.optional().meta({
    description:
      'https:// URL of your own OpenAI-compatible speech API, without `/v1`. It is stored encrypted until the task ends and then deleted.',
  }),
  [speechApiHeaders.key.toLowerCase()]: speechApi.shape.key.unwrap().optional().meta({
    description: 'Its key, sent to it as a bearer token. It is stored and deleted in the same way.',
  }),
  [speechApiHeaders.model.toLowerCase()]: speechApi.shape.model
    .unwrap()
    .optional()
    .meta({
      description: `Its model. Defaults to \`${speechApiModels.transcription}\` for captions and \`${speechApiModels.speech}\` for speech.`,
    }),
};

function headersOf(name: OperationName) {
  const header = keyHeaderOf(name);
  const key = providerKey.optional().meta({
    description:
      'Your own key for the provider. It is stored encrypted until the task ends and then deleted.',
  });
  return z.object({
    ...idempotencyHeader,
    ...(header ? { [header.toLowerCase()]: key } : {}),
    ...(takesSpeechApi(name) ? speechApiParameters : {}),
  });
}

function taskAccepted() {
  const [first] = operationNames;
  return {
    description: 'The task was created. Poll `status_url` until `status` is `completed` or `failed`.',
    headers: {
      ...commonHeaders({ keyed: true, status: 202 }),
      Location: {
        description: 'The `status_url` of the task.',
        schema: { type: 'string' as const, format: 'uri' },
      },
      'Retry-After': {
        description: 'Seconds to wait before the first poll.',
        schema: { type: 'integer' as const },
      },
      'Idempotent-Replayed': {
        description:
          '`true` if this is the repeated response to an earlier request with the same Idempotency-Key.',
        schema: { const: 'true' },
      },
    },
    content: {
      'application/json': {
        schema: schemaRef('Task'),
        examples: { queued: { summary: 'Queued task', value: queuedTask(first) } },
      },
    },
  };
}

/** POST of every operation in the registry. */
export function operationRoutes(app: App): void {
  for (const name of operationNames) {
    const operation = operations[name];
    declare(
      app,
      {
        method: 'post',
        counted: 'creations',
        path: operation.path,
        operationId: name,
        tags: [operation.group],
        summary: operation.summary,
        description: `${operation.description}\n\n\`output.data\` of the task is a \`${dataName(name)}\`. ${taskErrorText(name)}`,
        'x-output-data': schemaRef(dataName(name)),
        'x-task-errors': taskErrorsOf(name).map(({ code }) => code),
        security: keyed,
        request: {
          headers: headersOf(name),
          body: {
            required: true,
            content: {
              'application/json': {
                schema: schemaRef(inputName(name)),
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
          202: sharedResponse(app, 'TaskAccepted', taskAccepted()),
        },
        errors: submissionErrors as readonly ResponseCode[],
      },
      async (c) => {
        const context = c.get('context');
        const principal = await principalOf(c);
        const body = await readJson(c.req.raw, mostBytesOf(name));
        const created = await submit(context, principal, name, body, c.get('requestId'), c.req.raw.headers);
        const view = await taskView(context.config, created.task);
        return c.json(view, 202, {
          location: view.status_url,
          'retry-after': '1',
          ...(created.replayed ? { 'idempotent-replayed': 'true' } : {}),
          ...rateHeaders(principal.plan, created.rate),
        });
      },
    );
  }
}

function taskErrorText(name: OperationName): string {
  const list = taskErrorsOf(name).map(({ code, fault }) => `\`${code}\` (${fault})`);
  return `The task can fail with: ${list.join(', ')}.`;
}
