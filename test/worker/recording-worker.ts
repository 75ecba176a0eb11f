import type { Env } from '../../worker/bindings.ts';
import worker from '../../worker/index.ts';

export { Account, Fleet, Transcoder } from '../../worker/index.ts';

/** What was asked of the database since the last `GET /statements`. */
let statements: { sql: string; params: unknown[] }[] = [];

function recorded(db: Pick<D1Database, 'prepare' | 'batch'>) {
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    const bind = (...params: unknown[]) => {
      statements.push({ sql, params });
      return statement.bind(...params);
    };
    return { bind };
  };
  return { prepare, batch: db.batch.bind(db) };
}

function recordedDatabase(db: D1Database): D1Database {
  const withSession: D1Database['withSession'] = (from) =>
    recorded(db.withSession(from)) as unknown as D1DatabaseSession;
  return { ...recorded(db), withSession } as unknown as D1Database;
}

let recording: Env | undefined;

export default {
  ...worker,
  async fetch(request, env, ctx) {
    recording ??= { ...env, DB: recordedDatabase(env.DB) };
    if (new URL(request.url).pathname !== '/statements') return worker.fetch(request, recording, ctx);
    const asked = statements;
    statements = [];
    return Response.json(asked);
  },
} satisfies ExportedHandler<Env>;
