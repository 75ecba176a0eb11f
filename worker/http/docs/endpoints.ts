import type { ErrorCode } from '../../../schema/api/errors.ts';
import type { openApiDocument } from '../openapi.ts';
import type { JsonSchema } from './component-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { fieldRows, typeText } from './field-rows.ts';

export type OpenApi = ReturnType<typeof openApiDocument>;

/** The parts of an operation object that are used. */
interface Printed {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: object[];
  parameters?: (Parameter | Ref)[];
  requestBody?: { content: Record<string, { schema: JsonSchema | Ref }> };
  responses: Record<string, PrintedResponse | Ref>;
}

interface Parameter {
  name: string;
  required?: boolean;
  schema: JsonSchema;
  description?: string;
}

interface PrintedResponse {
  description: string;
  content?: Record<string, { examples?: object }>;
}

interface Ref {
  $ref: string;
}

const problemType = 'application/problem+json';

export function endpoints(document: OpenApi): Endpoint[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Printed>).map(([method, printed]) =>
      endpoint(document, method, path, printed),
    ),
  );
}

/** Resolves a reference within the document; returns any other value as it is. */
function target<T extends object>(document: OpenApi, value: T | Ref): T {
  if (!('$ref' in value)) return value;
  const keys = value.$ref.split('/').slice(1);
  return keys.reduce<unknown>((at, key) => Reflect.get(Object(at), key), document) as T;
}

function endpoint(document: OpenApi, method: string, path: string, printed: Printed): Endpoint {
  const responses = Object.entries(printed.responses).map(
    ([status, response]) => [status, target(document, response)] as const,
  );
  return {
    id: printed.operationId,
    method: method.toUpperCase(),
    path,
    tag: printed.tags[0] ?? '',
    summary: printed.summary,
    description: printed.description ?? '',
    key: keyNeed(printed.security),
    parameters: (printed.parameters ?? []).map((parameter) => {
      const { name, required = false, description, schema } = target(document, parameter);
      const shown = target(document, schema as JsonSchema | Ref);
      const fallback = schema.default ?? shown.default;
      return {
        name,
        type: typeText(shown),
        required,
        fallback: fallback === undefined ? null : JSON.stringify(fallback),
        description: description ?? schema.description ?? shown.description ?? '',
      };
    }),
    body: fieldRows(bodySchema(document, printed)),
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

function bodySchema(document: OpenApi, { requestBody }: Printed): JsonSchema {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined ? {} : target(document, schema);
}

function keyNeed(security: object[] | undefined): Endpoint['key'] {
  if (!security?.length) return 'none';
  return security.some((scheme) => Object.keys(scheme).length === 0) ? 'optional' : 'required';
}
