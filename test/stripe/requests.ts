import { createHash } from 'node:crypto';
import { handlers } from './api.ts';
import { parseForm } from './form.ts';
import { Refused } from './refused.ts';
import type { World } from './world.ts';

/** The version of the API that the stand-in speaks: that of the pinned library. */
export const API_VERSION = '2026-10-28.endive';

export interface ApiRequest {
  method: string;
  path: string;
  query: string;
  header(name: string): string | undefined;
  body: string;
}

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Answers a request to the API: checks the key and the version, and repeats what it answered to an idempotency key before. */
export function answerApi(world: World, secretKey: string, request: ApiRequest): ApiResponse {
  const headers = { 'content-type': 'application/json', 'request-id': world.newId('req') };
  try {
    checkHeaders(secretKey, request);
    const key = request.method === 'POST' ? request.header('idempotency-key') : undefined;
    if (key === undefined) return { ...run(world, request), headers };
    const fingerprint = createHash('sha256').update(request.body).digest('hex');
    const earlier = world.state.answered[key];
    if (earlier) {
      checkRepetition(key, request, fingerprint, earlier);
      return { ...earlier, headers: { ...headers, 'idempotency-key': key, 'idempotent-replayed': 'true' } };
    }
    const { status, body } = run(world, request);
    world.state.answered[key] = { request: fingerprint, path: request.path, status, body };
    return { status, body, headers: { ...headers, 'idempotency-key': key } };
  } catch (error) {
    return { ...refusal(error), headers };
  }
}

function checkHeaders(secretKey: string, { header }: ApiRequest): void {
  const key = /^Bearer (.+)$/.exec(header('authorization') ?? '')?.[1];
  if (key === undefined) {
    throw new Refused('You did not provide an API key.', { status: 401 });
  }
  if (key !== secretKey) {
    throw new Refused(`Invalid API Key provided: ${key.slice(0, 8)}****`, { status: 401 });
  }
  const version = header('stripe-version');
  if (version !== undefined && version !== API_VERSION) {
    throw new Refused(`Invalid Stripe API version: ${version}`);
  }
}

function checkRepetition(
  key: string,
  { path }: ApiRequest,
  fingerprint: string,
  earlier: { path: string; request: string },
): void {
  const about = { type: 'idempotency_error' };
  const other = `Try using a key other than '${key}' if you meant to execute a different request.`;
  if (earlier.path !== path) {
    throw new Refused(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${earlier.path}'). ${other}`,
      about,
    );
  }
  if (earlier.request === fingerprint) return;
  throw new Refused(
    `Keys for idempotent requests can only be used with the same parameters they were first used with. ${other}`,
    about,
  );
}

/** Answers errors of the parameters like results: Stripe stores both for an idempotency key once a request has begun. */
function run(world: World, { method, path, query, header, body }: ApiRequest): Omit<ApiResponse, 'headers'> {
  try {
    const { handler, id } = find(method, path);
    if (method === 'POST' && body !== '' && !isForm(header('content-type'))) {
      throw new Refused('Invalid request: send application/x-www-form-urlencoded');
    }
    const given = parseForm(method === 'POST' ? body : query);
    return { status: 200, body: JSON.stringify(handler(world, given, id)) };
  } catch (error) {
    return refusal(error);
  }
}

const isForm = (type = '') => type.startsWith('application/x-www-form-urlencoded');

function find(method: string, path: string) {
  for (const [route, handler] of Object.entries(handlers)) {
    const pattern = new RegExp(`^${route.replace(':id', '([^/]+)')}$`);
    const match = pattern.exec(`${method} ${path}`);
    if (match) return { handler, id: match[1] ?? '' };
  }
  throw new Refused(`Unrecognized request URL (${method}: ${path}).`, { status: 404 });
}

function refusal(error: unknown): Omit<ApiResponse, 'headers'> {
  if (!(error instanceof Refused)) throw error;
  const { status, type, code, message, param } = error;
  return { status, body: JSON.stringify({ error: { type, code, message, param } }) };
}
