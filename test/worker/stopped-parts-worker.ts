import type { Env } from '../../worker/bindings.ts';
import worker, { Account as RealAccount } from '../../worker/index.ts';

export { Fleet, Transcoder } from '../../worker/index.ts';

/**
 * The service with parts that can be stopped: `POST /stopped` with the list of bindings that refuse every call (`DB`, `FILES`) or
 * answer none of them (`DB hangs`, `FILES hangs`); `FILES get` refuses reads alone. Everything inside is the service itself. `GET /statements` says what the
 * database was asked since the last one.
 */
let stopped = new Set<string>();
/** Ends the calls that hang. */
let hanging: ((error: Error) => void)[] = [];
let statements: { sql: string; params: unknown[] }[] = [];

function refusal(name: string): Promise<never> | null {
  if (stopped.has(`${name} hangs`)) return new Promise((_, reject) => hanging.push(reject));
  return stopped.has(name) ? Promise.reject(new Error(`${name} does not answer`)) : null;
}

function stoppableDatabase(db: D1Database): D1Database {
  const guarded = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        const own = Reflect.get(target, name);
        if (typeof own !== 'function') return own;
        if (name === 'bind') return (...values: unknown[]) => guarded(target.bind(...values));
        return (...given: unknown[]) => refusal('DB') ?? own.apply(target, given);
      },
    });
  return new Proxy(db, {
    get(target, name) {
      if (name === 'prepare')
        return (sql: string) => {
          const statement = target.prepare(sql);
          const bind = (...params: unknown[]) => {
            statements.push({ sql, params });
            return stopped.size > 0 ? guarded(statement.bind(...params)) : statement.bind(...params);
          };
          return stopped.size > 0
            ? guarded(statement)
            : new Proxy(statement, { get: (of, key) => (key === 'bind' ? bind : methodOf(of, key)) });
        };
      if (name === 'batch') return (given: D1PreparedStatement[]) => refusal('DB') ?? target.batch(given);
      return methodOf(target, name);
    },
  });
}

function methodOf(target: object, name: string | symbol): unknown {
  const own = Reflect.get(target, name);
  return typeof own === 'function' ? own.bind(target) : own;
}

function stoppableBucket(bucket: R2Bucket): R2Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      const own = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return (...given: unknown[]) =>
        refusal('FILES') ?? refusal(`FILES ${String(name)}`) ?? own.apply(target, given);
    },
  });
}

const stoppable = (env: Env): Env => ({
  ...env,
  DB: stoppableDatabase(env.DB),
  FILES: stoppableBucket(env.FILES),
});

/** The same object for every request: the service keeps a context for each. */
let own: Env | undefined;
const envOf = (env: Env): Env => {
  own ??= stoppable(env);
  return own;
};

export class Account extends RealAccount {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, stoppable(env));
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === '/statements') {
      const asked = statements;
      statements = [];
      return Response.json(asked);
    }
    if (pathname !== '/stopped') return worker.fetch(request, envOf(env), ctx);
    stopped = new Set(await request.json<string[]>());
    for (const end of hanging) end(new Error('it was started again'));
    hanging = [];
    return new Response(null, { status: 204 });
  },
  queue: (batch, env) => worker.queue(batch, envOf(env)),
  scheduled: (controller, env) => worker.scheduled(controller, envOf(env)),
} satisfies ExportedHandler<Env>;
