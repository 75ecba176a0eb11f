import type { Env } from '../worker/bindings.ts';
import service from '../worker/index.ts';
import { pollStatement } from '../worker/repos/poll.ts';

export { Account, Fleet, Transcoder } from '../worker/index.ts';

/** The Worker with two more routes, which run the statement of a poll and nothing else: no key is checked, nothing is counted. */
export default {
  ...service,
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === '/statement') return answered(env.DB);
    if (pathname === '/statement-nearby') return answered(env.DB.withSession('first-unconstrained'));
    return service.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;

async function answered(db: Pick<D1Database, 'prepare'>): Promise<Response> {
  const { sql, params } = pollStatement('no key', 'no task', Date.now());
  const rows = await db
    .prepare(sql)
    .bind(...params)
    .raw();
  return Response.json(rows);
}
