import type { z } from 'zod';
import { errorEntry, type ResponseCode } from '../../schema/api/errors.ts';
import type { FieldError, Problem as ProblemBody } from '../../schema/api/problem.ts';

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
    super(detail ?? errorEntry(code).hint, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
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
      // RFC 9110, 15.5.2: a 401 names the scheme.
      ...(body.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...problem.headers,
    },
  });
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: pointer([...issue.path, key]),
      code: 'unknown_field',
      detail: 'This field does not exist here',
    }));
  }
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return [
    {
      pointer: pointer(issue.path),
      code: missing ? 'required' : issue.code,
      detail: missing ? 'This field is required' : issue.message,
    },
  ];
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

/** The first field that zod leaves out without a word, since JavaScript has another use for its name. */
function lostFields(value: unknown): FieldError[] {
  const left: Held[] = [{ value, key: '', in: null }];
  for (let held = left.pop(); held; held = left.pop()) {
    if (typeof held.value !== 'object' || held.value === null) continue;
    for (const [key, inner] of Object.entries(held.value)) {
      const field = { value: inner, key, in: held };
      if (key !== '__proto__') left.push(field);
      else
        return [
          { pointer: pointer(pathOf(field)), code: 'unknown_field', detail: 'No field can have this name' },
        ];
    }
  }
  return [];
}

/** Parses what a caller sent, or throws `validation_failed` with a pointer to each field that is wrong. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  const errors = result.success ? lostFields(value) : result.error.issues.flatMap(fieldErrors);
  if (result.success && errors.length === 0) return result.data;
  const [first] = errors;
  const where = first?.pointer ? `${first.pointer}: ` : '';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new Problem('validation_failed', `${where}${first?.detail ?? 'not valid'}${more}`, { errors });
}
