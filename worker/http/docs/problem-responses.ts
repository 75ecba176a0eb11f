import { errorEntry, type ResponseCode } from '../../../schema/api/errors.ts';
import type { FieldError } from '../../../schema/api/problem.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { submissionErrors } from '../../../schema/operations/operation.ts';
import { Problem, problemBody } from '../../lib/problem.ts';
import { sharePageProblem } from '../../lib/share-page.ts';
import { unknownField } from '../../lib/text/plain-issue.ts';
import { schemaRef } from './component-schemas.ts';
import { EXAMPLE_ORIGIN, EXAMPLE_REQUEST_ID, EXAMPLE_TASK_ID } from './example-tasks.ts';
import { commonHeaders, headerRefs } from './response-headers.ts';
import { pascal } from './shared-schemas.ts';

/** Of codes whose responses name fields, an error of one. */
const exampleErrors: Partial<Record<ResponseCode, FieldError>> = {
  validation_failed: {
    pointer: '/duraton',
    code: 'unknown_field',
    detail: unknownField(['duraton'], ['duration']),
  },
  source_is_page: {
    pointer: '/video_url',
    code: 'source_is_page',
    detail: `/video_url: ${sharePageProblem('https://drive.google.com/file/d/1a2b3c/view')}`,
  },
};

/** Response headers in addition to the common ones, by the codes that send them. */
const headerCodes: Record<'Retry-After' | 'WWW-Authenticate', readonly ResponseCode[]> = {
  'Retry-After': ['rate_limited', 'queue_full', 'unavailable', 'task_not_completed', 'idempotency_in_flight'],
  'WWW-Authenticate': ['missing_api_key', 'invalid_api_key'],
};

/** The error responses of a route, one per status, each with its codes and one example per code, by component name. */
export function problemResponses(codes: readonly ResponseCode[], { keyed }: { keyed: boolean }) {
  const byStatus = Map.groupBy(codes, (code) => errorEntry(code).status ?? 500);
  return [...byStatus].map(([status, list]) => ({
    status,
    name: nameOf(status, list, keyed),
    response: {
      description: list.map((code) => `\`${code}\`: ${errorEntry(code).title}.`).join(' '),
      headers: { ...commonHeaders({ keyed, status }), ...headersOf(list) },
      content: {
        'application/problem+json': {
          schema: {
            allOf: [
              schemaRef('Problem'),
              {
                type: 'object' as const,
                properties: { status: { const: status }, code: { enum: [...list] } },
              },
            ],
          },
          examples: Object.fromEntries(
            list.map((code) => [code, { summary: errorEntry(code).title, value: problemExample(code) }]),
          ),
        },
      },
    },
  }));
}

/**
 * `TaskNotFound`, `RateLimitedOrQueueFull`; three or more codes of one status become `Refused422`, and `UploadRefused422` if an
 * operation does not have them all.
 */
function nameOf(status: number, codes: readonly ResponseCode[], keyed: boolean): string {
  const ofOperation = codes.every((code) => (submissionErrors as readonly string[]).includes(code));
  const subject = ofOperation ? '' : pascal(codes.at(-1)?.split('_')[0] ?? '');
  const title = codes.length > 2 ? `${subject}Refused${status}` : codes.map(pascal).join('Or');
  return keyed ? title : `${title}WithoutKey`;
}

function headersOf(codes: readonly ResponseCode[]) {
  const names = Object.keys(headerCodes) as (keyof typeof headerCodes)[];
  return headerRefs(names.filter((name) => codes.some((code) => headerCodes[name].includes(code))));
}

/** The response to a request that this code refuses. */
export function problemExample(code: ResponseCode) {
  const error = exampleErrors[code];
  const problem = error ? new Problem(code, error.detail, { errors: [error] }) : new Problem(code);
  const path = pathOf(code);
  return problemBody(problem, { publicUrl: EXAMPLE_ORIGIN, path, requestId: EXAMPLE_REQUEST_ID });
}

/** A path whose requests are refused with this code. */
function pathOf(code: ResponseCode): string {
  const like = (prefix: string) => EXAMPLE_TASK_ID.replace('task_', prefix);
  if (submissionErrors.some((known) => known === code)) return operations[operationNames[0]].path;
  if (code === 'origin_forbidden') return '/mcp';
  if (code === 'upload_storage_full' || code === 'uploads_unavailable') return '/uploads';
  if (code.startsWith('upload_')) return `/uploads/${like('upl_')}`;
  if (code === 'webhook_endpoint_not_found') return `/webhooks/endpoints/${like('whe_')}`;
  if (code === 'webhook_delivery_not_found') return `/webhooks/deliveries/${like('whd_')}`;
  return `/task/${EXAMPLE_TASK_ID}`;
}
