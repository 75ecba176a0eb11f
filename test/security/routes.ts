import { fileURLToPath } from 'node:url';
import { dereferenced } from '../golden/dereferenced.ts';
import { committedDocument } from '../golden/documents.ts';

/** JSON Schema, as far as it is looked at here. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  $ref?: string;
}

interface Content {
  schema?: Schema;
  examples?: Record<string, { value: unknown }>;
}

export interface Operation {
  operationId: string;
  security?: object[];
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

export const document = dereferenced(
  JSON.parse(committedDocument('openapi.json')) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  },
);

/** What a reference refers to, with what stands beside it. */
export function resolved({ $ref, ...schema }: Schema): Schema {
  if ($ref === undefined) return schema;
  return { ...resolved(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}), ...schema };
}

/** A route as the app has it mounted. */
export interface Route {
  method: string;
  /** `/task/:id/events`. */
  path: string;
  /** Its entry in the document; null for pages and for what only the transcoder calls. */
  operation: Operation | null;
  keyed: boolean;
}

const documented = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      operation,
    ]),
  ),
);

// By its address, for the types of the runtime of Workers are not those of tests.
const { makeApp } = (await import(fileURLToPath(new URL('../../worker/app.ts', import.meta.url)))) as {
  makeApp: () => {
    routes: { method: string; path: string }[];
    request: (path: string, init: RequestInit, env: Record<string, string>) => Promise<Response>;
  };
};
export const app = makeApp();

/** Every route of the app, out of its own registry. */
export const routes: Route[] = app.routes
  .filter(({ method }) => method !== 'ALL')
  .map(({ method, path }) => {
    // `/transitions/:name{[^/]+\.mp4}` stands in the document as `/transitions/{name}.mp4`.
    const plain = path.replace(/\{.*?\\(\.\w+)\}$/, '$1').replace(/\{.*\}$/, '');
    const operation = documented.get(`${method} ${plain}`) ?? null;
    return { method, path, operation, keyed: operation?.security?.some((way) => 'ApiKey' in way) ?? false };
  });

/** The path with a value in the place of each parameter. */
export function fill(path: string, value: (name: string) => string): string {
  return path.replace(/:(\w+)(?:\{.+?\}(?=\/|$))?/g, (_, name: string) => value(name));
}
