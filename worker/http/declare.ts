import { createRoute, type RouteConfig } from '@hono/zod-openapi';
import type { z } from 'zod';
import type { ResponseCode } from '../../schema/api/errors.ts';
import { otherOperationNames } from '../../schema/api/other-operation-names.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import type { App, Counted } from '../app-env.ts';
import { fieldNames } from '../lib/schema-at.ts';
import { canonicalJson } from '../lib/text/canonical-json.ts';
import { type Handler, mount } from '../mount.ts';
import { problemResponses } from './docs/problem-responses.ts';

interface Declared extends Omit<RouteConfig, 'responses'> {
  counted: Counted;
  /** Absent for routes without a key. */
  security?: Record<string, string[]>[];
  /** Clients of this route may put what they like into its query string. */
  anyQuery?: true;
  responses: RouteConfig['responses'];
  /** The errors that this route can return in addition to `rate_limited`; they become its error responses. */
  errors: readonly ResponseCode[];
}

/** The `security` of a route that needs a key. */
export const keyed: Record<string, string[]>[] = [{ ApiKey: [] }, { Bearer: [] }];

/** What every route that reads tasks can also return. */
export const pollErrors = [
  'missing_api_key',
  'invalid_api_key',
  'validation_failed',
  'internal_error',
  'unavailable',
] as const satisfies readonly ResponseCode[];

/** A response of a route that is JSON. */
export const jsonResponse = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema } },
});

/** The JSON that a route is sent. */
export const jsonBody = (schema: z.ZodType, { required = true } = {}) => ({
  required,
  content: { 'application/json': { schema } },
});

/** Mounts a route and adds it to the OpenAPI document. */
export function declare(
  app: App,
  { errors, counted, security = [], anyQuery, ...config }: Declared,
  handler: Handler,
): void {
  const isKeyed = security.length > 0;
  const parameters = isKeyed && !anyQuery ? fieldNames(config.request?.query) : undefined;
  const own = parameters ? (['validation_failed'] as const) : [];
  const codes = [...new Set([...errors, ...own, 'rate_limited' as const])];
  const problems = problemResponses(codes, { keyed: isKeyed });
  const responses = problems.map(({ status, name, response }) => {
    const own = config.responses[status];
    return [status, own ? together(own, response) : sharedResponse(app, name, response)];
  });
  const route = createRoute({
    ...config,
    security,
    responses: { ...config.responses, ...Object.fromEntries(responses) },
  });
  app.openAPIRegistry.registerPath(route);
  mount(app, { method: config.method, path: routingPath(config.path), counted }, (c) => {
    if (parameters) c.set('parameters', parameters);
    return handler(c);
  });
}

type Component = Parameters<App['openAPIRegistry']['registerComponent']>[2];

/** Adds a response to the OpenAPI document once, for all routes that use it. Throws if two different ones have the same name. */
export function sharedResponse(app: App, name: string, response: Component): { $ref: string } {
  const known = app.openAPIRegistry.definitions.find(
    (entry) => entry.type === 'component' && entry.componentType === 'responses' && entry.name === name,
  );
  if (!known) app.openAPIRegistry.registerComponent('responses', name, response);
  else if (!('component' in known) || canonicalJson(known.component) !== canonicalJson(response)) {
    throw new Error(`two different responses are named ${name}: rename one in problem-responses.ts`);
  }
  return { $ref: `#/components/responses/${name}` };
}

type Documented = Declared['responses'][string];
type ProblemResponse = ReturnType<typeof problemResponses>[number]['response'];

/** Merges a status that both the route and its problems define: the problem adds a content type. */
function together(own: Documented, problem: ProblemResponse): Documented {
  if ('$ref' in own) return problem;
  return {
    ...problem,
    description: `${own.description} ${problem.description}`,
    content: { ...own.content, ...problem.content },
  };
}

/** Converts `/task/{id}` to `/task/:id`; a parameter with an extension, as in `{name}.mp4`, includes it. */
function routingPath(path: string): string {
  return path.replace(/\{(\w+)\}(?:\.(\w+))?/g, (_, name: string, extension?: string) =>
    extension === undefined ? `:${name}` : `:${name}{[^/]+\\.${extension}}`,
  );
}

/** The methods of a path, for the Allow header; empty if no route matches the path. */
export function allowedMethods(app: App, path: string): string[] {
  const methods = app.routes
    .filter((route) => route.method !== 'ALL' && routePattern(route.path).test(path))
    .map((route) => route.method);
  if (methods.includes('GET')) methods.push('HEAD');
  return [...new Set(methods)].sort();
}

/** What may be asked for by name: the documented paths without parameters, and the operations by their other names. */
export function knownPaths(app: App): Map<string, string> {
  const paths = app.openAPIRegistry.definitions.flatMap((entry) =>
    entry.type === 'route' && !entry.route.path.includes('{') ? [entry.route.path] : [],
  );
  const others = operationNames.flatMap((name): [string, string][] => {
    const { path, tool } = operations[name];
    return [
      [`/${name}`, path],
      [`/${tool.name}`, path],
    ];
  });
  const usual = [...otherOperationNames].map(([name, operation]): [string, string] => [
    `/${name}`,
    operations[operation].path,
  ]);
  // A path stands for itself, whatever else has its name.
  return new Map([...usual, ...others, ...paths.map((path): [string, string] => [path, path])]);
}

/** Converts `/task/:id` and `/samples/:name{[a-z]+}` to regular expressions. */
function routePattern(path: string): RegExp {
  const parts = path.split(/:\w+(?:\{(.+?)\}(?=\/|$))?/);
  const source = parts
    .map((part, at) => (at % 2 === 0 ? part.replaceAll('.', '\\.') : (part ?? '[^/]+')))
    .join('');
  return new RegExp(`^${source}$`);
}
