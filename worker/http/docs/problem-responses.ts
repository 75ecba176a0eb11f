import type { RouteConfig } from '@hono/zod-openapi';
import { errorEntry, type ResponseCode } from '../../../schema/api/errors.ts';
import type { FieldError } from '../../../schema/api/problem.ts';
import { unknownField } from '../../lib/plain-issue.ts';
import { Problem, problemBody } from '../../lib/problem.ts';
import { schemaRef } from './component-schemas.ts';
import { EXAMPLE_ORIGIN, EXAMPLE_REQUEST_ID, EXAMPLE_TASK_ID } from './example-tasks.ts';

const exampleError: FieldError = {
  pointer: '/colour',
  code: 'unknown_field',
  detail: unknownField(['colour'], []),
};

/** The headers that an answer carries beside X-Request-Id, by the codes that send them. */
const headerCodes: Record<string, readonly ResponseCode[]> = {
  'Retry-After': ['rate_limited', 'queue_full', 'unavailable', 'task_not_completed', 'idempotency_in_flight'],
  'WWW-Authenticate': ['missing_api_key', 'invalid_api_key'],
};

/** The error responses of a route, one a status, each with its codes and an example a code. */
export function problemResponses(codes: readonly ResponseCode[], path: string): RouteConfig['responses'] {
  const byStatus = Map.groupBy(codes, (code) => errorEntry(code).status ?? 500);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.map((code) => `\`${code}\`: ${errorEntry(code).title}.`).join(' '),
        headers: headersOf(list),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                schemaRef('Problem'),
                { type: 'object', properties: { status: { const: status }, code: { enum: list } } },
              ],
            },
            examples: Object.fromEntries(
              list.map((code) => [
                code,
                { summary: errorEntry(code).title, value: exampleProblem(code, path) },
              ]),
            ),
          },
        },
      },
    ]),
  );
}

function headersOf(codes: readonly ResponseCode[]) {
  const names = Object.keys(headerCodes).filter((name) =>
    codes.some((code) => headerCodes[name]?.includes(code)),
  );
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function exampleProblem(code: ResponseCode, path: string) {
  const problem =
    code === 'validation_failed'
      ? new Problem(code, exampleError.detail, { errors: [exampleError] })
      : new Problem(code);
  const instance = path.replace('{id}', EXAMPLE_TASK_ID);
  return problemBody(problem, { publicUrl: EXAMPLE_ORIGIN, path: instance, requestId: EXAMPLE_REQUEST_ID });
}
