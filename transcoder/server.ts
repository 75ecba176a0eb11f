import { createServer, type Server } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { type RequestIdVariables, requestId } from 'hono/request-id';
import { type ErrorCode, errorEntry } from '../schema/api/errors.ts';
import type { Problem } from '../schema/api/problem.ts';
import { isSignedWith, type PresentedSignature, presentedSignature } from '../schema/api/signature.ts';
import { newId } from '../schema/task/ids.ts';
import { taskId } from '../schema/task/task.ts';
import { MAX_JOB_BYTES, stopOrder, type TranscoderReady, WIRE_VERSION } from '../schema/task/wire.ts';
import type { Log } from './log.ts';
import type { Attempts } from './task/attempts.ts';
import { parseJob } from './task/job.ts';

interface ServerContext {
  secret: string;
  version: string;
  attempts: Attempts;
  ready: () => TranscoderReady;
  log: Log;
}

interface ServerEnv {
  Bindings: HttpBindings;
  /** Of a signed request: its headers, then its body. */
  Variables: RequestIdVariables & { signature: PresentedSignature; json: unknown };
}

type Exchange = Context<ServerEnv>;

const REQUEST_TIMEOUT_MS = 15_000;
const STOP_WAIT_MS = 6000;
const RETRY_AFTER_SECONDS = 2;

/** The HTTP interface for the Worker. */
export function transcoderServer(ctx: ServerContext): Server {
  // Health checks by HTTP/1.0 send no Host.
  const options = { hostname: 'localhost', overrideGlobalObjects: false };
  const answer = getRequestListener(routes(ctx).fetch, options);
  return createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, answer);
}

function routes(ctx: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use(requestId({ limitLength: 64, generator: () => newId('request') }));
  app.use(closeUnlessRead);
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        const allow = methods.join(', ');
        return problem(c, 'method_not_allowed', `Use ${allow}`, { allow });
      },
    }),
  );
  const signed = [signatureHeaders, limited, signedJson(ctx)] as const;
  app.post('/tasks', ...signed, (c) => postTask(ctx, c));
  app.post('/tasks/:id/stop', taskIdOnly, ...signed, (c) => postStop(ctx, c));
  app.get('/healthz', (c) => c.json({ status: 'ok', version: ctx.version }));
  app.get('/readyz', (c) => c.json(ctx.ready()));
  app.notFound((c) => problem(c, 'not_found', 'There is no such path'));
  app.onError((error, c) => {
    ctx.log.error('request failed', { request_id: c.get('requestId'), path: c.req.path, error });
    return problem(c, 'internal_error', 'Something went wrong on our side');
  });
  return app;
}

/** Closes the connection instead of reading the rest of a body that was refused. */
const closeUnlessRead: MiddlewareHandler<ServerEnv> = async (c, next) => {
  await next();
  if (!c.env.incoming.complete) c.header('connection', 'close');
};

const taskIdOnly: MiddlewareHandler<ServerEnv> = async (c, next) =>
  taskId.safeParse(c.req.param('id')).success ? next() : c.notFound();

/** Refuses headers that cannot be a valid signature, before the body is read. */
const signatureHeaders: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const presented = presentedSignature((name) => c.req.header(name));
  if (!presented) return unsigned(c);
  c.set('signature', presented);
  return next();
};

const limited = bodyLimit({
  maxSize: MAX_JOB_BYTES,
  onError: (c) => problem(c, 'request_too_large', `The body is larger than ${MAX_JOB_BYTES} bytes`),
});

/** Parses a body signed by the Worker. The signature is checked before anything in the body is used. */
const signedJson =
  (ctx: ServerContext): MiddlewareHandler<ServerEnv> =>
  async (c, next) => {
    const text = await c.req.text();
    if (!(await isSignedWith(ctx.secret, c.get('signature'), text))) return unsigned(c);
    try {
      c.set('json', JSON.parse(text));
    } catch (error) {
      ctx.log.warn('a signed body is not JSON', { request_id: c.get('requestId'), error });
      return problem(c, 'invalid_json', 'The body is not JSON');
    }
    return next();
  };

function postTask(ctx: ServerContext, c: Exchange): Response {
  const parsed = parseJob(c.get('json'));
  if (!parsed.ok) return problem(c, 'invalid_json', `The body is not a job: ${parsed.detail}`);
  const { task } = parsed;
  const fields = { request_id: task.request_id, task_id: task.task_id, attempt: task.attempt };
  const lined = ctx.attempts.free === 0;
  if (!ctx.attempts.submit(task)) {
    ctx.log.warn('task refused', { ...fields, draining: ctx.attempts.draining });
    return problem(c, 'unavailable', 'Every slot is taken', { 'retry-after': String(RETRY_AFTER_SECONDS) });
  }
  ctx.log.info('task accepted', { ...fields, operation: task.operation });
  return c.json({ v: WIRE_VERSION, accepted: true, free: ctx.attempts.free, lined }, 202);
}

async function postStop(ctx: ServerContext, c: Exchange): Promise<Response> {
  const id = taskId.parse(c.req.param('id'));
  const order = stopOrder.safeParse(c.get('json'));
  if (!order.success) return problem(c, 'invalid_json', 'The body is not a stop order');
  const { attempt } = order.data;
  ctx.log.info('stop requested', { request_id: c.get('requestId'), task_id: id, attempt });
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, STOP_WAIT_MS);
  await Promise.race([ctx.attempts.stop(id, attempt), waited.promise]);
  clearTimeout(timer);
  return c.json({ v: WIRE_VERSION, accepted: true });
}

function unsigned(c: Context): Response {
  return problem(
    c,
    'invalid_api_key',
    'The body is not signed with the secret shared with the Worker, or the clock is more than 5 minutes off',
  );
}

function problem(
  c: Context,
  code: ErrorCode,
  detail: string,
  headers: Record<string, string> = {},
): Response {
  const { status, title, retryable } = errorEntry(code);
  const body: Problem = {
    type: 'about:blank',
    title,
    status: status ?? 500,
    detail,
    instance: c.req.path,
    code,
    request_id: c.get('requestId'),
    retryable,
  };
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}
