import type { z } from 'zod';
import { errorEntry, type ResponseCode } from '../../schema/api/errors.ts';
import type { FieldError, Problem as ProblemBody } from '../../schema/api/problem.ts';
import { fieldErrors, ownMessages, pointer } from './text/plain-issue.ts';

/** Ends a request with an error of schema/api/errors.ts. `detail` is shown to the caller. */
export class Problem extends Error {
  readonly code: ResponseCode;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ResponseCode,
    detail?: string,
    options: { errors?: FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail ?? `${errorEntry(code).title}. ${errorEntry(code).hint}`, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

/**
 * A problem with fields of the request, which are named in the same way wherever the mistake was found: each `detail` is a sentence
 * that its JSON pointer is put before.
 */
export function fieldProblem(code: ResponseCode, fields: readonly FieldError[]): Problem {
  const errors = fields.map(({ detail, ...field }) => ({ ...field, detail: `${field.pointer}: ${detail}` }));
  return new Problem(code, summaryOf(errors), { errors });
}

/** A header that cannot be used, named as a field is. */
export function headerProblem(header: string, detail: string): Problem {
  return fieldProblem('validation_failed', [{ pointer: `/${header}`, code: 'invalid_header', detail }]);
}

/** What is wrong with a field, for a page that shows it at the field. */
export function detailAtField({ pointer, detail }: FieldError): string {
  return detail.startsWith(`${pointer}: `) ? detail.slice(pointer.length + 2) : detail;
}

/** What the response says first of several wrong fields. */
function summaryOf(errors: readonly FieldError[]): string {
  // A misspelt field explains why another one is missing, so it comes first.
  const first = errors.find(({ detail }) => detail.includes('Did you mean')) ?? errors[0];
  const detail = first?.detail ?? 'The request is not valid.';
  return errors.length > 1 ? `${detail} (${errors.length - 1} more in \`errors\`)` : detail;
}

export function problemBody(
  problem: Problem,
  request: { publicUrl: string; path: string; requestId: string },
): ProblemBody {
  const entry = errorEntry(problem.code);
  return {
    type: `${request.publicUrl}/docs/errors#${problem.code}`,
    title: entry.title,
    status: entry.status ?? 500,
    detail: problem.message,
    instance: request.path,
    code: problem.code,
    request_id: request.requestId,
    retryable: entry.retryable,
    ...(problem.errors ? { errors: problem.errors } : {}),
  };
}

export function problemResponse(
  problem: Problem,
  request: { publicUrl: string; path: string; requestId: string },
): Response {
  const body = problemBody(problem, request);
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: {
      'content-type': 'application/problem+json',
      // RFC 9110, 15.5.2: a 401 must name the scheme.
      ...(body.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...problem.headers,
    },
  });
}

interface Held {
  value: unknown;
  key: string;
  in: Held | null;
}

function pathOf(field: Held): string[] {
  const path: string[] = [];
  for (let held = field; held.in; held = held.in) path.push(held.key);
  return path.reverse();
}

/** Finds the first `__proto__` in a body, which zod would drop silently. */
function lostFields(value: unknown): FieldError[] {
  const left: Held[] = [{ value, key: '', in: null }];
  for (let held = left.pop(); held; held = left.pop()) {
    if (typeof held.value !== 'object' || held.value === null) continue;
    for (const [key, inner] of Object.entries(held.value)) {
      const field = { value: inner, key, in: held };
      if (key !== '__proto__') left.push(field);
      else {
        const at = pointer(pathOf(field));
        return [
          {
            pointer: at,
            code: 'unknown_field',
            detail: `${at} is not allowed: rename or remove this field.`,
          },
        ];
      }
    }
  }
  return [];
}

/** Maximum number of wrong fields in one response; a body can have thousands. */
export const MOST_ERRORS = 100;

/** A problem with fields whose `detail` already names them. */
export const invalidFields = (errors: FieldError[]) =>
  new Problem('validation_failed', summaryOf(errors), { errors });

/** Parses input of a caller. Throws `validation_failed` with a pointer to each invalid field. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, ownMessages);
  const errors = result.success
    ? lostFields(value)
    : fieldErrors(schema, value, result.error.issues, MOST_ERRORS);
  if (result.success && errors.length === 0) return result.data;
  throw invalidFields(errors);
}
