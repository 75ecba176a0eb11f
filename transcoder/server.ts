import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type ErrorCode, errorEntry } from '../schema/api/errors.ts';
import type { Problem } from '../schema/api/problem.ts';
import { isSignedWith, presentedSignature } from '../schema/api/signature.ts';
import { newId } from '../schema/task/ids.ts';
import { taskId } from '../schema/task/task.ts';
import { stopOrder, type TranscoderReady, WIRE_VERSION } from '../schema/task/wire.ts';
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

interface Exchange {
  request: IncomingMessage;
  path: string;
  requestId: string;
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

type Handler = (ctx: ServerContext, exchange: Exchange) => Promise<Answer>;

const MAX_BODY_BYTES = 256 * 1024;
const STOP_WAIT_MS = 6000;
const RETRY_AFTER_SECONDS = 2;

const routes: { method: string; pattern: RegExp; handle: Handler }[] = [
  { method: 'POST', pattern: /^\/tasks$/, handle: postTask },
  { method: 'POST', pattern: /^\/tasks\/[^/]+\/stop$/, handle: postStop },
  { method: 'GET', pattern: /^\/healthz$/, handle: getHealth },
  { method: 'GET', pattern: /^\/readyz$/, handle: getReady },
];

/** The HTTP interface for the Worker. */
export function transcoderServer(ctx: ServerContext): Server {
  return createServer({ requestTimeout: 15_000 }, async (request, response) => {
    const [path = ''] = (request.url ?? '/').split('?', 1);
    const exchange = { request, path, requestId: requestIdOf(request) };
    let answer: Answer;
    try {
      answer = await route(ctx, exchange);
    } catch (error) {
      ctx.log.error('request failed', { request_id: exchange.requestId, path, error });
      answer = problem(exchange, 'internal_error', 'Something went wrong on our side');
    }
    send(response, exchange, answer);
  });
}

async function route(ctx: ServerContext, exchange: Exchange): Promise<Answer> {
  const matching = routes.filter(({ pattern }) => pattern.test(exchange.path));
  const found = matching.find(({ method }) => method === exchange.request.method);
  if (found) return found.handle(ctx, exchange);
  if (matching.length === 0) return problem(exchange, 'not_found', 'There is no such path');
  const allow = matching.map(({ method }) => method).join(', ');
  return problem(exchange, 'method_not_allowed', `Use ${allow}`, { allow });
}

async function postTask(ctx: ServerContext, exchange: Exchange): Promise<Answer> {
  const body = await signedBody(ctx, exchange);
  if (!body.ok) return body.answer;
  const parsed = parseJob(body.json);
  if (!parsed.ok) return problem(exchange, 'invalid_json', `The body is not a job: ${parsed.detail}`);
  const { task } = parsed;
  const fields = { request_id: task.request_id, task_id: task.task_id, attempt: task.attempt };
  const lined = ctx.attempts.free === 0;
  if (!ctx.attempts.submit(task)) {
    ctx.log.warn('task refused', { ...fields, draining: ctx.attempts.draining });
    return problem(exchange, 'unavailable', 'Every slot is taken', {
      'retry-after': String(RETRY_AFTER_SECONDS),
    });
  }
  ctx.log.info('task accepted', { ...fields, operation: task.operation });
  return { status: 202, body: { v: WIRE_VERSION, accepted: true, free: ctx.attempts.free, lined } };
}

async function postStop(ctx: ServerContext, exchange: Exchange): Promise<Answer> {
  const id = taskId.safeParse(exchange.path.split('/')[2]);
  if (!id.success) return problem(exchange, 'not_found', 'There is no such path');
  const body = await signedBody(ctx, exchange);
  if (!body.ok) return body.answer;
  const order = stopOrder.safeParse(body.json);
  if (!order.success) return problem(exchange, 'invalid_json', 'The body is not a stop order');
  ctx.log.info('stop requested', {
    request_id: exchange.requestId,
    task_id: id.data,
    attempt: order.data.attempt,
  });
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, STOP_WAIT_MS);
  await Promise.race([ctx.attempts.stop(id.data, order.data.attempt), waited.promise]);
  clearTimeout(timer);
  return { status: 200, body: { v: WIRE_VERSION, accepted: true } };
}

async function getHealth(ctx: ServerContext): Promise<Answer> {
  return { status: 200, body: { status: 'ok', version: ctx.version } };
}

async function getReady(ctx: ServerContext): Promise<Answer> {
  return { status: 200, body: ctx.ready() };
}

/** The parsed JSON of a body signed by the Worker. The signature is checked before anything in the body is used. */
async function signedBody(
  ctx: ServerContext,
  exchange: Exchange,
): Promise<{ ok: true; json: unknown } | { ok: false; answer: Answer }> {
  const refuse = (code: ErrorCode, detail: string) =>
    ({ ok: false, answer: problem(exchange, code, detail) }) as const;
  const { headers } = exchange.request;
  const unsigned = () =>
    refuse('invalid_api_key', 'The body is not signed with the secret shared with the Worker');
  const presented = presentedSignature((name) => headers[name]?.toString());
  if (!presented) return unsigned();
  const announced = Number(headers['content-length'] ?? 0);
  const text = announced > MAX_BODY_BYTES ? null : await readBody(exchange.request);
  if (text === null) return refuse('request_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes`);
  if (!(await isSignedWith(ctx.secret, presented, text))) return unsigned();
  try {
    return { ok: true, json: JSON.parse(text) };
  } catch (error) {
    ctx.log.warn('a signed body is not JSON', { request_id: exchange.requestId, error });
    return refuse('invalid_json', 'The body is not JSON');
  }
}

/** @returns null if the body exceeds the limit; the rest is not read. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function problem(
  { path, requestId }: Exchange,
  code: ErrorCode,
  detail: string,
  headers: Record<string, string> = {},
): Answer {
  const { status, title, retryable } = errorEntry(code);
  const body: Problem = {
    type: 'about:blank',
    title,
    status: status ?? 500,
    detail,
    instance: path,
    code,
    request_id: requestId,
    retryable,
  };
  return { status: body.status, body, headers: { 'content-type': 'application/problem+json', ...headers } };
}

function send(response: ServerResponse, { request, requestId }: Exchange, answer: Answer): void {
  const body = JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...(request.complete ? {} : { connection: 'close' }),
    ...answer.headers,
  });
  response.end(body);
}

function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : newId('request');
}
