import type { Context as HonoContext } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { Problem } from '../../lib/problem.ts';
import type { Principal } from '../../repos/keys.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { authenticate, hasKeyInQuery } from '../../services/account/authenticate.ts';
import { storedRateHeaders } from '../../services/account/rate-headers.ts';
import { countRequest } from '../../services/account/request-limit.ts';
import { readTask } from '../../services/tasks/read-task.ts';
import { checkQuery } from './query.ts';

type C = HonoContext<AppEnv>;

/**
 * Authenticates the caller, counts the request as its route declares, and refuses what its query string may not have.
 * @throws Problem missing_api_key, invalid_api_key, rate_limited, validation_failed
 */
export async function principalOf(c: C): Promise<Principal> {
  const context = c.get('context');
  const principal = await keyOutsideQuery(c, () => authenticate(context, (name) => c.req.header(name)));
  c.set('principal', principal);
  const counted = c.get('counted');
  if (counted === 'polls' || counted === 'creations') await countRequest(context, principal, counted);
  checkParameters(c);
  return principal;
}

/** The caller's task in the path. @throws Problem as `readTask`, and validation_failed for what its query string may not have */
export async function ownTask(c: C): Promise<TaskView> {
  const header = (name: string) => c.req.header(name);
  const task = await keyOutsideQuery(c, () =>
    readTask(c.get('context'), header, c.req.param('id') ?? '', (principal) => c.set('principal', principal)),
  );
  checkParameters(c);
  return task;
}

/** Says where a key belongs that is only in the address. Addresses are logged, so it is not read there. */
async function keyOutsideQuery<T>(c: C, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'missing_api_key' || !hasKeyInQuery(c.req.url))
      throw error;
    throw new Problem(
      'missing_api_key',
      'Keys are not read from the URL, because URLs are logged. Send your key in the X-API-Key header.',
    );
  }
}

/** Refuses unknown and repeated parameters instead of ignoring them. @throws Problem validation_failed */
function checkParameters(c: C): void {
  const known = c.get('parameters');
  if (known) checkQuery(known, c.req.url, c.req.method);
}

/** The caller on a route that has already authenticated it. @throws Problem missing_api_key */
export function knownPrincipal(c: C): Principal {
  const principal = c.get('principal');
  if (!principal) throw new Problem('missing_api_key');
  return principal;
}

/** Adds RateLimit headers to responses for a known caller, unless the route has set more recent ones. */
export function addRateHeaders(c: C): void {
  const principal = c.get('principal');
  if (!principal || c.res.headers.has('ratelimit')) return;
  for (const [name, value] of Object.entries(storedRateHeaders(principal, Date.now()))) c.header(name, value);
}
