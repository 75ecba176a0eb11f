import { OpenAPIHono } from '@hono/zod-openapi';
import { newId } from '../schema/task/ids.ts';
import type { App, AppEnv } from './app-env.ts';
import type { Env } from './bindings.ts';
import { makeContext } from './context.ts';
import { allowedMethods } from './http/declare.ts';
import { addRateHeaders } from './http/middleware/principal.ts';
import { securityHeaders } from './http/middleware/security-headers.ts';
import { versionHeader } from './http/middleware/version-header.ts';
import { versionedAssets } from './http/middleware/versioned-assets.ts';
import { pageNotFound, pathNotFound, wantsPage } from './http/not-found.ts';
import { docPageRoutes } from './http/routes/doc-pages.ts';
import { docsRoutes } from './http/routes/docs.ts';
import { internalRoutes } from './http/routes/internal.ts';
import { metaRoutes } from './http/routes/meta.ts';
import { operationRoutes } from './http/routes/operations.ts';
import { operatorRoutes } from './http/routes/operator-pages.ts';
import { siteRoutes } from './http/routes/site.ts';
import { statusRoutes } from './http/routes/status.ts';
import { taskEventRoutes } from './http/routes/task-events.ts';
import { taskListRoutes } from './http/routes/task-list.ts';
import { taskRoutes } from './http/routes/tasks.ts';
import { toolRoutes } from './http/routes/tools.ts';
import { uploadRoutes } from './http/routes/uploads.ts';
import { webhookRoutes } from './http/routes/webhooks.ts';
import { errorText, log } from './lib/log.ts';
import { oncePer } from './lib/once-per.ts';
import { isOutage, unavailable } from './lib/outage.ts';
import { Problem, problemResponse } from './lib/problem.ts';
import { mcpRoutes } from './mcp/route.ts';
import { type MakeMcpServer, mcpServer } from './mcp/server.ts';
import { pageRoutes } from './pages/routes.ts';
import { countAddress } from './services/account/request-limit.ts';

/** Every route of the service. `mcp` makes the server that answers `/mcp`. */
export function makeApp(mcp: MakeMcpServer = mcpServer): App {
  const app: App = new OpenAPIHono<AppEnv>();

  app.use(versionHeader);
  app.use(securityHeaders);

  const contextOf = oncePer(makeContext);

  app.use(async (c, next) => {
    const requestId = newId('request');
    c.set('requestId', requestId);
    c.set('context', contextOf(c.env));
    await next();
    addRateHeaders(c);
    c.header('x-request-id', requestId);
  });

  // The routes of pages and documents do it by themselves, before their ETag.
  for (const path of ['/app', '/app/*']) app.use(path, versionedAssets);

  for (const routes of [
    operationRoutes,
    taskRoutes,
    taskEventRoutes,
    taskListRoutes,
    uploadRoutes,
    webhookRoutes,
    metaRoutes,
    docsRoutes,
    docPageRoutes,
    siteRoutes,
    statusRoutes,
    operatorRoutes,
    toolRoutes,
    (each: App) => mcpRoutes(each, mcp),
    pageRoutes,
    internalRoutes,
  ])
    routes(app);

  app.notFound(async (c) => {
    await countAddress(c.get('context'), (name) => c.req.header(name));
    const allowed = allowedMethods(app, c.req.path);
    const problem =
      allowed.length > 0
        ? new Problem('method_not_allowed', `${c.req.path} supports ${allowed.join(', ')}.`, {
            headers: { allow: allowed.join(', ') },
          })
        : pathNotFound(c, app);
    if (problem.code === 'not_found' && wantsPage(c)) return pageNotFound(c, app);
    return problemResponse(problem, about(c));
  });

  app.onError((error, c) => {
    if (error instanceof Problem) return problemResponse(error, about(c));
    log('error', 'request_failed', {
      request_id: c.get('requestId'),
      path: c.req.path,
      error: errorText(error),
    });
    return problemResponse(isOutage(error) ? unavailable() : new Problem('internal_error'), about(c));
  });
  return app;
}

function about(c: { req: { path: string }; env: Env; get: (name: 'requestId') => string }) {
  return {
    publicUrl: String(Reflect.get(c.env, 'PUBLIC_URL') ?? ''),
    path: c.req.path,
    requestId: c.get('requestId'),
  };
}
