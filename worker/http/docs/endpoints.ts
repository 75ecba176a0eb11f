import type { ErrorCode } from '../../../schema/api/errors.ts';
import type { openApiDocument } from '../openapi.ts';
import type { JsonSchema } from './component-schemas.ts';
import { type FieldRow, typeText } from './field-rows.ts';

export type OpenApi = ReturnType<typeof openApiDocument>;

/** A path and method of the OpenAPI document, as the pages show it. */
export interface Endpoint {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** Whether it needs an API key; `optional` where something else does as well. */
  key: 'required' | 'optional' | 'none';
  parameters: FieldRow[];
  answers: { status: string; description: string; types: string[] }[];
  errors: ErrorCode[];
}

/** The parts of an operation object that are read here. */
interface Printed {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: object[];
  parameters?: { name: string; required?: boolean; schema: JsonSchema; description?: string }[];
  responses: Record<string, { description: string; content?: Record<string, { examples?: object }> }>;
}

const problemType = 'application/problem+json';

export function endpoints(document: OpenApi): Endpoint[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Printed>).map(([method, printed]) =>
      endpoint(method, path, printed),
    ),
  );
}

function endpoint(method: string, path: string, printed: Printed): Endpoint {
  const responses = Object.entries(printed.responses);
  return {
    id: printed.operationId,
    method: method.toUpperCase(),
    path,
    tag: printed.tags[0] ?? '',
    summary: printed.summary,
    description: printed.description ?? '',
    key: keyNeed(printed.security),
    parameters: (printed.parameters ?? []).map(({ name, required = false, schema, description }) => ({
      name,
      type: typeText(schema),
      required,
      fallback: schema.default === undefined ? null : JSON.stringify(schema.default),
      description: description ?? schema.description ?? '',
    })),
    answers: responses
      .filter(([, { content }]) => content?.[problemType] === undefined)
      .map(([status, { description, content }]) => ({
        status,
        description,
        types: Object.keys(content ?? {}),
      })),
    errors: responses.flatMap(
      ([, { content }]) => Object.keys(content?.[problemType]?.examples ?? {}) as ErrorCode[],
    ),
  };
}

function keyNeed(security: object[] | undefined): Endpoint['key'] {
  if (!security) return 'none';
  return security.some((scheme) => Object.keys(scheme).length === 0) ? 'optional' : 'required';
}
