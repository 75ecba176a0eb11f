import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlanName, planNames } from '../schema/api/plans.ts';
import { type Task, task as taskSchema } from '../schema/task/task.ts';
import { freePort } from '../scripts/lib/ports.mjs';
import { hashKey, makeKey } from '../worker/lib/api-key.ts';
import { type LocalWorker, startLocalWorker } from './fixtures/local-worker.ts';
import { modulesAbove, workerBuild } from './fixtures/worker-build.ts';
import { expectNoLeaks, keepOutOfLogs } from './log-canaries.ts';

export const secrets = {
  KEY_PEPPER: 'test-pepper-0123456789abcdef0123456789abcdef',
  SIGNING_SECRET: 'test-signing-0123456789abcdef0123456789abcdef',
  TRANSCODER_SECRET: 'test-transcoder-0123456789abcdef0123456789',
};

/** As wrangler.toml has them for the local bucket. */
export const localStorage = {
  bucket: 'spool-files',
  accessKeyId: 'spool-local',
  secretAccessKey: 'spool-local-secret',
};

/** The Worker says at once when a status changes; each poll costs it time. */
const LONG_POLL_SECONDS = 2;

const DEAD_END = 'http://127.0.0.1:9/';

interface Bindings {
  DB: D1Like;
  FILES: R2Like;
  DISPATCH: { send(body: unknown): Promise<unknown> };
}

interface D1Statement {
  bind(...values: unknown[]): D1Statement;
  run(): Promise<unknown>;
  all<T>(): Promise<{ results: T[] }>;
}

interface D1Like {
  prepare(sql: string): D1Statement;
  batch(statements: readonly D1Statement[]): Promise<{ results: unknown[] }[]>;
}

/** Statements by their text. To prepare one, and to bind values to it, takes a message to the Worker each. */
const statements = new WeakMap<D1Like, Map<string, D1Statement>>();

/** A statement that is prepared once, however often it is run. */
export function prepared(database: D1Like, sql: string): D1Statement {
  const known = statements.get(database) ?? new Map<string, D1Statement>();
  statements.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement;
}

interface R2Like {
  put(key: string, value: string): Promise<unknown>;
  list(options: { prefix: string }): Promise<{ objects: { key: string }[] }>;
}

export interface TestAccount {
  id: string;
  key: string;
  keyId: string;
}

export interface Service {
  url: URL;
  worker: LocalWorker;
  bindings(): Promise<Bindings>;
  createAccount(plan: PlanName, options?: { subscription?: 'active' | 'inactive' }): Promise<TestAccount>;
  /** One account per plan, made at start. */
  accounts: Record<PlanName, TestAccount>;
  request(path: string, init?: RequestInit & { key?: string; json?: unknown }): Promise<Response>;
  submit(operation: string, input: unknown, key?: string): Promise<Task>;
  /** @throws Error with the answer of the service where it is not the task. */
  task(id: string, key: string): Promise<Task>;
  /** Waits until the task has ended. */
  finished(id: string, key?: string, seconds?: number): Promise<Task>;
  /** Ends the Worker and its Durable Objects where they are, and starts them anew on what they have stored. */
  restart(): Promise<void>;
  /** Throws where a log line of the Worker holds a secret. */
  close(): Promise<void>;
}

/**
 * The Worker as wrangler builds it for production, on real D1, R2, Queues and Durable Objects of workerd.
 * `entry`: a module of the repository that takes the place of worker/index.ts.
 */
export async function startService(
  vars: Record<string, string> | ((url: URL) => Promise<Record<string, string>>) = {},
  { entry }: { entry?: string } = {},
): Promise<Service> {
  const build = await workerBuild();
  const modules = entry === undefined ? {} : await modulesAbove(entry);
  // The Worker needs its address for links and callbacks before it listens.
  const port = await unusedPort();
  const url = new URL(`http://127.0.0.1:${port}`);
  const set = {
    SPOOL_ENV: 'development',
    PUBLIC_URL: url.origin,
    // Nothing listens there: no test asks the internet.
    WEBHOOK_DNS_URL: DEAD_END,
    S3_ENDPOINT: `${url.origin}/cdn-cgi/local/r2/s3`,
    S3_BUCKET: localStorage.bucket,
    S3_ACCESS_KEY_ID: localStorage.accessKeyId,
    S3_SECRET_ACCESS_KEY: localStorage.secretAccessKey,
    // Sweeps of tests run no probe task unless a test asks for it.
    STATUS_TASK_MINUTES: '0',
    ...(typeof vars === 'function' ? await vars(url) : vars),
  };
  const state = await mkdtemp(join(tmpdir(), 'spool-test-state-'));
  await cp(build.state, state, { recursive: true });
  const worker = await startLocalWorker(
    { ...build.worker, ...modules, bindings: { ...build.worker.bindings, ...set, ...secrets } },
    { port, state },
  );
  const bindings = () => worker.env<Bindings>();

  /** All at once: each statement is several messages to the Worker. */
  const createAccounts = async (plans: readonly PlanName[], subscription: string) => {
    const made = await Promise.all(
      plans.map(async (plan) => {
        const key = makeKey();
        keepOutOfLogs(key);
        const account: TestAccount = {
          id: `acct_${crypto.randomUUID()}`,
          key,
          keyId: `key_${crypto.randomUUID()}`,
        };
        return { plan, account, hash: await hashKey(key, secrets.KEY_PEPPER) };
      }),
    );
    const [now, places] = [Date.now(), made.map(() => '(?, ?, ?, ?, ?)').join()];
    const insert = async () => {
      const { DB } = await bindings();
      await DB.batch([
        prepared(
          DB,
          `insert or ignore into accounts (id, name, plan, subscription, created_at) values ${places}`,
        ).bind(...made.flatMap(({ account, plan }) => [account.id, 'Test', plan, subscription, now])),
        prepared(
          DB,
          `insert or ignore into keys (id, account_id, label, hash, created_at) values ${places}`,
        ).bind(...made.flatMap(({ account, hash }) => [account.keyId, account.id, 'test', hash, now])),
      ]);
    };
    // Where a test has kept this process busy for seconds, the connection to the Worker may just have been closed.
    await insert().catch(insert);
    return made.map(({ account }) => account);
  };
  const createAccount: Service['createAccount'] = async (plan, { subscription = 'active' } = {}) => {
    const [account] = await createAccounts([plan], subscription);
    if (!account) throw new Error('no account was made');
    return account;
  };

  keepOutOfLogs(...Object.values(secrets), localStorage.secretAccessKey);
  const checkLogs = () => expectNoLeaks(worker.logs(), 'the Worker');

  const ofPlans = await createAccounts(planNames, 'active');
  const accounts = Object.fromEntries(planNames.map((plan, index) => [plan, ofPlans[index]])) as Record<
    PlanName,
    TestAccount
  >;

  const request: Service['request'] = (path, { key, json, headers, ...init } = {}) =>
    fetch(new URL(path, url), {
      ...init,
      ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(headers as Record<string, string> | undefined),
      },
    });

  const task: Service['task'] = async (id, key) => {
    const response = await request(`/task/${id}`, { key });
    if (response.status !== 200)
      throw new Error(`GET /task/${id}: ${response.status} ${await response.text()}`);
    return taskSchema.parse(await response.json());
  };

  const finished: Service['finished'] = async (id, key = accounts.elite.key, seconds = 120) => {
    const deadline = Date.now() + seconds * 1000;
    let status = '';
    for (;;) {
      const response = await request(`/task/${id}?wait_seconds=${LONG_POLL_SECONDS}`, { key });
      if (response.status === 429) {
        await sleep(500);
        continue;
      }
      const task = taskSchema.parse(await response.json());
      if (task.status === 'completed' || task.status === 'failed') return task;
      if (Date.now() > deadline) throw new Error(`task ${id} is still ${task.status} (${task.stage})`);
      // It may not have waited: the waits that an account may have open are limited.
      if (task.status === status) await sleep(100);
      status = task.status;
    }
  };

  return {
    url,
    worker,
    bindings,
    createAccount,
    accounts,
    request,
    task,
    finished,
    async submit(operation, input, key = accounts.elite.key) {
      const response = await request(operation, { key, json: input });
      if (response.status !== 202)
        throw new Error(`${operation}: ${response.status} ${await response.text()}`);
      return taskSchema.parse(await response.json());
    },
    async restart() {
      checkLogs();
      await worker.restart();
    },
    async close() {
      try {
        checkLogs();
      } finally {
        await worker.close();
        await rm(state, { recursive: true, force: true });
      }
    },
  };
}

/** Below the ports that the system hands out by itself: none of those could be taken before the Worker listens. */
async function unusedPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if ((await freePort(port)) === port) return port;
  }
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A body that parses, for every operation: its first example. */
export function exampleOf(operation: { examples: readonly { input: unknown }[] }): Record<string, unknown> {
  const [first] = operation.examples;
  if (!first) throw new Error('an operation without an example');
  return { ...(first.input as Record<string, unknown>) };
}
