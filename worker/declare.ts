import { createRoute, type RouteConfig } from '@hono/zod-openapi';
import type { Context as HonoContext } from 'hono';
import { errorEntry, type ResponseCode } from '../schema/errors.ts';
import { problem } from '../schema/problem.ts';
import type { App, AppEnv } from './app.ts';

export type Handler = (c: HonoContext<AppEnv>) => Promise<Response> | Response;

interface Declared extends Omit<RouteConfig, 'responses'> {
  responses: RouteConfig['responses'];
  /** The errors it can answer with; they become its error responses. */
  errors: readonly ResponseCode[];
}

/** Mounts a route and enters it in the OpenAPI document: one declaration is both. */
export function declare(app: App, { errors, ...config }: Declared, handler: Handler): void {
  const route = createRoute({ ...config, responses: { ...config.responses, ...errorResponses(errors) } });
  app.openAPIRegistry.registerPath(route);
  app.on(config.method, route.getRoutingPath(), handler);
}

function errorResponses(codes: readonly ResponseCode[]): RouteConfig['responses'] {
  const byStatus = new Map<number, ResponseCode[]>();
  for (const code of codes) {
    const { status } = errorEntry(code);
    if (status !== null) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.map((code) => `\`${code}\`: ${errorEntry(code).title}.`).join(' '),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  );
}

/** The methods that a path of ours takes, for the Allow header; empty for a path that is not ours. */
export function allowedMethods(app: App, path: string): string[] {
  const methods = new Set<string>();
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue;
    const pattern = new RegExp(`^${definition.route.path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
    if (pattern.test(path)) methods.add(definition.route.method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
