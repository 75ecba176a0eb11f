import type { Env } from '../../../worker/bindings.ts';
import worker, { Account as RealAccount, Fleet as RealFleet } from '../../../worker/index.ts';
import type { Mode, Plan } from './plan.ts';

export { Transcoder } from '../../../worker/index.ts';

/**
 * The service with faults of single calls: every call to D1, R2, a queue or a Durable Object counts for a scope, which is an account
 * or what a request names in `x-fault-scope`. `POST /faults` with a plan for a scope says which of its calls fail, and how; `GET
 * /faults/<scope>` lists its calls. Everything inside is the service itself.
 */
interface Scope {
  plan: Plan | null;
  counted: number;
  calls: { label: string; fault: Mode | null }[];
}

const scopes = new Map<string, Scope>();
const SLOW_MS = 300;
const INJECTED = 'injected-fault-4711';

function scopeOf(name: string): Scope {
  const known = scopes.get(name) ?? { plan: null, counted: 0, calls: [] };
  scopes.set(name, known);
  return known;
}

/** A number from 0 to 1 that depends on nothing but its input. */
function chance(seed: number, at: number): number {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(at + 1, 0xc2b2ae35);
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}

function faultOf(scope: Scope, label: string): Mode | null {
  const { plan } = scope;
  if (!plan || (plan.match !== undefined && !label.includes(plan.match))) return null;
  const at = scope.counted++;
  if (plan.percent === undefined) {
    const { nth = -1, times = 1, mode = 'before' } = plan;
    return nth >= 0 && at >= nth && at < nth + times ? mode : null;
  }
  const seed = plan.seed ?? 0;
  if (chance(seed, at) * 100 >= plan.percent) return null;
  return (['before', 'after', 'slow'] as const)[Math.floor(chance(seed + 1, at) * 3)] ?? null;
}

function call(scope: string, label: string, work: () => unknown): unknown {
  const of = scopeOf(scope);
  const fault = faultOf(of, label);
  of.calls.push({ label, fault });
  switch (fault) {
    case null:
      return work();
    case 'before':
      return Promise.reject(new Error(`${INJECTED}: ${label} was not done`));
    case 'after':
      return (async () => {
        await work();
        throw new Error(`${INJECTED}: the answer of ${label} was lost`);
      })();
    case 'slow':
      return new Promise((resolve) => setTimeout(resolve, SLOW_MS)).then(work);
  }
}

const methods = (target: object, own: (name: string, method: (...given: unknown[]) => unknown) => unknown) =>
  new Proxy(target, {
    get(of, name) {
      const found = Reflect.get(of, name);
      if (typeof found !== 'function') return found;
      const bound = (...given: unknown[]) => found.apply(of, given);
      return typeof name === 'string' ? own(name, bound) : bound;
    },
  });

const texts = new WeakMap<object, { real: D1PreparedStatement; sql: string }>();

function statementIn(scope: string, real: D1PreparedStatement, sql: string): D1PreparedStatement {
  const label = `D1 ${sql.replace(/\s+/g, ' ').trim().slice(0, 70)}`;
  const made = methods(real, (name, method) => {
    if (name === 'bind')
      return (...values: unknown[]) => statementIn(scope, method(...values) as D1PreparedStatement, sql);
    return (...given: unknown[]) => call(scope, label, () => method(...given));
  }) as D1PreparedStatement;
  texts.set(made, { real, sql });
  return made;
}

function databaseIn(scope: string, db: D1Database): D1Database {
  return methods(db, (name, method) => {
    if (name === 'prepare')
      return (sql: string) => statementIn(scope, method(sql) as D1PreparedStatement, sql);
    if (name === 'withSession')
      return (from: string) => databaseIn(scope, method(from) as unknown as D1Database);
    if (name !== 'batch') return method;
    return (given: object[]) => {
      const known = given.map((each) => texts.get(each));
      const label = `D1 batch ${known.map((each) => each?.sql.replace(/\s+/g, ' ').slice(0, 25)).join(' + ')}`;
      return call(scope, label, () => method(known.map((each) => each?.real)));
    };
  }) as D1Database;
}

/** Multipart uploads of R2 that were begun and neither joined nor aborted: nothing else lists them. */
const openParts = new Map<string, string>();

function partsIn(scope: string, upload: R2MultipartUpload): R2MultipartUpload {
  return methods(upload, (name, method) => (...given: unknown[]) => {
    if (name === 'uploadPart') return method(...given);
    return call(scope, `R2 ${name}`, async () => {
      const done = await method(...given);
      openParts.delete(upload.uploadId);
      return done;
    });
  }) as R2MultipartUpload;
}

function bucketIn(scope: string, bucket: R2Bucket): R2Bucket {
  return methods(bucket, (name, method) => {
    if (name === 'resumeMultipartUpload')
      return (...given: unknown[]) => partsIn(scope, method(...given) as R2MultipartUpload);
    const whole = (options: unknown) => (name === 'get' && !(options as R2GetOptions)?.range ? ' whole' : '');
    return (...given: unknown[]) =>
      call(scope, `R2 ${name}${whole(given[1])}`, async () => {
        const done = await method(...given);
        if (name === 'createMultipartUpload') {
          const { uploadId, key } = done as R2MultipartUpload;
          openParts.set(uploadId, key);
        }
        return done;
      });
  }) as R2Bucket;
}

const queueIn = (scope: string, name: string, queue: object) =>
  methods(
    queue,
    (method, send) =>
      (...given: unknown[]) =>
        call(scope, `QUEUE ${name} ${method}`, () => send(...given)),
  );

function objectsIn(scope: string, name: string, namespace: DurableObjectNamespace<never>): never {
  return new Proxy(namespace, {
    get(of, key) {
      const found = Reflect.get(of, key);
      if (typeof found !== 'function') return found;
      return (...given: unknown[]) => {
        const made = found.apply(of, given);
        if (key !== 'getByName') return made;
        return new Proxy(made, {
          get(stub, method) {
            const own = Reflect.get(stub, method);
            if (typeof own !== 'function') return own;
            const bound = (...args: unknown[]) => Reflect.apply(own, stub, args);
            return (...args: unknown[]) => call(scope, `DO ${name}.${String(method)}`, () => bound(...args));
          },
        });
      };
    },
  }) as never;
}

/** One for each scope: the service keeps a context for each. */
const envs = new Map<string, Env>();

function envIn(scope: string, env: Env): Env {
  const known = envs.get(scope);
  if (known) return known;
  const made = {
    ...env,
    DB: databaseIn(scope, env.DB),
    FILES: bucketIn(scope, env.FILES),
    DISPATCH: queueIn(scope, 'DISPATCH', env.DISPATCH),
    WEBHOOKS: queueIn(scope, 'WEBHOOKS', env.WEBHOOKS),
    MAILS: queueIn(scope, 'MAILS', env.MAILS),
    ACCOUNT: objectsIn(scope, 'ACCOUNT', env.ACCOUNT as never),
    FLEET: objectsIn(scope, 'FLEET', env.FLEET as never),
  } as Env;
  envs.set(scope, made);
  return made;
}

let ahead = 0;
const trueNow = Date.now.bind(Date);
Date.now = () => trueNow() + ahead;

const alarmsInTrueTime = (storage: DurableObjectStorage) => {
  const set = storage.setAlarm.bind(storage);
  storage.setAlarm = (time, options) => set(Math.max(trueNow() + 1, Number(time) - ahead), options);
};

export class Account extends RealAccount {
  constructor(ctx: DurableObjectState, env: Env) {
    alarmsInTrueTime(ctx.storage);
    super(ctx, envIn(ctx.id.name ?? 'account', env));
  }
  async ring(): Promise<void> {
    await this.alarm();
  }
  async left(): Promise<unknown> {
    const { storage } = this.ctx;
    return {
      tasks: [...storage.kv.list({ prefix: 'task:' })].map(([, task]) => task),
      deletions: [...storage.kv.list({ prefix: 'deletion:' })].map(([key]) => key),
      keys: storage.sql.exec('select * from provider_keys').toArray().length,
    };
  }
}

export class Fleet extends RealFleet {
  constructor(ctx: DurableObjectState, env: Env) {
    alarmsInTrueTime(ctx.storage);
    super(ctx, env);
  }
  async ring(): Promise<void> {
    await this.alarm();
  }
}

async function scopeOfMessage(body: unknown, env: Env): Promise<string> {
  const { account_id: account, delivery_id: delivery } = body as Record<string, string>;
  if (account !== undefined) return account;
  if (delivery === undefined) return 'mails';
  const row = await env.DB.prepare('select account_id from webhook_deliveries where id = ?')
    .bind(delivery)
    .first<{ account_id: string }>();
  return row?.account_id ?? 'unknown';
}

type Ringing = { ring(): Promise<void>; left(): Promise<unknown> };

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    const [, kind, rest = ''] = pathname.split('/');
    const account = (name: string) => env.ACCOUNT.getByName(name) as unknown as Ringing;
    if (kind === 'faults' && request.method === 'POST') {
      const plan = await request.json<Plan>();
      scopes.set(plan.scope, { plan, counted: 0, calls: [] });
      return new Response(null, { status: 204 });
    }
    if (kind === 'faults') return Response.json(scopeOf(rest).calls);
    if (kind === 'calm') {
      for (const scope of scopes.values()) scope.plan = null;
      return new Response(null, { status: 204 });
    }
    if (kind === 'ahead') {
      ahead = Number(rest);
      return new Response(null, { status: 204 });
    }
    if (kind === 'ring') {
      const busy = await Promise.all(
        (await request.json<string[]>()).map(async (name) => {
          await account(name).ring();
          const { tasks, deletions } = (await account(name).left()) as Record<string, unknown[]>;
          return tasks?.length === 0 && deletions?.length === 0 ? [] : [name];
        }),
      );
      await (env.FLEET.getByName('fleet') as unknown as Ringing).ring();
      return Response.json(busy.flat());
    }
    if (kind === 'left') return Response.json(await account(rest).left());
    if (kind === 'open-parts') return Response.json([...openParts]);
    const [, reported] = /^\/internal\/accounts\/([^/]+)\//.exec(pathname) ?? [];
    const scope = request.headers.get('x-fault-scope') ?? reported ?? 'none';
    return worker.fetch(request, envIn(scope, env), ctx);
  },
  async queue(batch, env) {
    await Promise.all(
      batch.messages.map(async (message) => {
        const scope = await scopeOfMessage(message.body, env);
        await worker.queue({ ...batch, queue: batch.queue, messages: [message] } as never, envIn(scope, env));
      }),
    );
  },
  scheduled: (controller, env) => worker.scheduled(controller, envIn('cron', env)),
} satisfies ExportedHandler<Env>;
