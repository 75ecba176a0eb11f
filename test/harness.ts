import { dirname, join } from 'node:path';
import { createTestHarness, experimental_readRawConfig, type TestHarness } from 'wrangler';
import { type PlanName, planNames } from '../schema/api/plans.ts';
import { type Task, task as taskSchema } from '../schema/task/task.ts';
import { hashKey, makeKey } from '../worker/lib/api-key.ts';
import { aboveTheBuild, BUNDLE, workerBuild } from './fixtures/worker-build.ts';
import { expectNoLeaks, keepOutOfLogs } from './log-canaries.ts';

process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false';
process.env.WRANGLER_SEND_METRICS = 'false';
process.env.WRANGLER_LOG ??= 'error';

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

interface D1Like {
  prepare(sql: string): {
    bind(...values: unknown[]): { run(): Promise<unknown>; all<T>(): Promise<{ results: T[] }> };
  };
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
  harness: TestHarness;
  bindings(): Promise<Bindings>;
  createAccount(plan: PlanName, options?: { subscription?: 'active' | 'inactive' }): Promise<TestAccount>;
  /** One account per plan, made at start. */
  accounts: Record<PlanName, TestAccount>;
  request(path: string, init?: RequestInit & { key?: string; json?: unknown }): Promise<Response>;
  submit(operation: string, input: unknown, key?: string): Promise<Task>;
  /** Waits until the task has ended. */
  finished(id: string, key?: string, seconds?: number): Promise<Task>;
  /** Ends the Worker and its Durable Objects where they are, and starts them anew on what they have stored. */
  restart(): Promise<void>;
  /** Throws where a log line of the Worker holds a secret. */
  close(): Promise<void>;
}

const root = join(import.meta.dirname, '..');

/**
 * The Worker as wrangler builds it for production, on real D1, R2, Queues and Durable Objects of workerd.
 * `entry`: a module of the repository that takes the place of worker/index.ts.
 */
export async function startService(
  vars: Record<string, string> | ((url: URL) => Promise<Record<string, string>>) = {},
  { entry }: { entry?: string } = {},
): Promise<Service> {
  const above = entry === undefined ? undefined : await aboveTheBuild(entry);
  const options = (publicUrl: string, given: Record<string, string>) => {
    // Sweeps of tests run no probe task unless a test asks for it.
    const own = { STATUS_TASK_MINUTES: '0' };
    // Nothing listens there: no test asks the internet.
    const set = {
      SPOOL_ENV: 'development',
      PUBLIC_URL: publicUrl,
      WEBHOOK_DNS_URL: DEAD_END,
      S3_ENDPOINT: `${publicUrl}/cdn-cgi/local/r2/s3`,
      S3_BUCKET: localStorage.bucket,
      S3_ACCESS_KEY_ID: localStorage.accessKeyId,
      S3_SECRET_ACCESS_KEY: localStorage.secretAccessKey,
      ...own,
      ...given,
    };
    if (entry === undefined) return asDeployed(set);
    return above === undefined ? withEntry(join(root, entry), set) : asBuilt(above, set);
  };
  // The Worker needs its address for links and callbacks: an empty one finds out which it is, as building ours takes seconds.
  const harness = createTestHarness(empty);
  const first = await harness.listen();
  const given = typeof vars === 'function' ? await vars(first.url) : vars;
  await harness.update(options(first.url.origin, given));
  const { url } = await harness.listen();
  const worker = harness.getWorker();
  await worker.applyD1Migrations('DB');
  const bindings = () => worker.getEnv() as Promise<Bindings>;

  const createAccount: Service['createAccount'] = async (plan, { subscription = 'active' } = {}) => {
    const account: TestAccount = {
      id: `acct_${crypto.randomUUID()}`,
      key: makeKey(),
      keyId: `key_${crypto.randomUUID()}`,
    };
    keepOutOfLogs(account.key);
    const { DB } = await bindings();
    await DB.prepare('insert into accounts (id, name, plan, subscription, created_at) values (?, ?, ?, ?, ?)')
      .bind(account.id, 'Test', plan, subscription, Date.now())
      .run();
    await DB.prepare('insert into keys (id, account_id, label, hash, created_at) values (?, ?, ?, ?, ?)')
      .bind(account.keyId, account.id, 'test', await hashKey(account.key, secrets.KEY_PEPPER), Date.now())
      .run();
    return account;
  };

  keepOutOfLogs(...Object.values(secrets), localStorage.secretAccessKey);
  const checkLogs = () =>
    expectNoLeaks(
      harness.getLogs().map(({ message }) => message),
      'the Worker',
    );

  const accounts = {} as Record<PlanName, TestAccount>;
  for (const plan of planNames) accounts[plan] = await createAccount(plan);

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
    harness,
    bindings,
    createAccount,
    accounts,
    request,
    finished,
    async submit(operation, input, key = accounts.elite.key) {
      const response = await request(operation, { key, json: input });
      if (response.status !== 202)
        throw new Error(`${operation}: ${response.status} ${await response.text()}`);
      return taskSchema.parse(await response.json());
    },
    async restart() {
      checkLogs();
      await harness.update(options(first.url.origin, given));
      await harness.listen();
    },
    async close() {
      try {
        checkLogs();
      } finally {
        await harness.close();
      }
    },
  };
}

const empty = {
  root: import.meta.dirname,
  workers: [
    {
      config: {
        name: 'empty',
        main: './empty-worker.mjs',
        no_bundle: true,
        compatibility_date: '2026-11-01',
      },
    },
  ],
};

function asDeployed(vars: Record<string, string>) {
  const build = workerBuild();
  if (build === undefined) return { root, workers: [{ configPath: './wrangler.toml', vars, secrets }] };
  return asBuilt(build.entry, vars);
}

/** `entry`: a module next to the built Worker. */
const asBuilt = (entry: string, vars: Record<string, string>) =>
  withEntry(entry, vars, {
    ...{ no_bundle: true, find_additional_modules: true, base_dir: dirname(entry) },
    rules: [{ type: 'ESModule' as const, globs: [BUNDLE] }],
  });

type RawConfig = ReturnType<typeof experimental_readRawConfig>['rawConfig'];

/** All of wrangler.toml, with another module at the top; seen from its folder, where no .dev.vars outdoes the secrets. */
function withEntry(entry: string, vars: Record<string, string>, { rules = [], ...more }: RawConfig = {}) {
  const { rawConfig } = experimental_readRawConfig({ config: join(root, 'wrangler.toml') });
  const { env: _, containers: __, ...config } = rawConfig;
  const inRoot = (path: string) => join(root, path);
  return {
    root: dirname(entry),
    workers: [
      {
        config: {
          ...config,
          ...more,
          main: entry,
          rules: [...(config.rules ?? []), ...rules],
          vars: { ...config.vars, ...vars, ...secrets },
          assets: { ...config.assets, directory: inRoot(config.assets?.directory ?? '') },
          d1_databases: config.d1_databases?.map((database: { migrations_dir: string }) => ({
            ...database,
            migrations_dir: inRoot(database.migrations_dir),
          })),
        },
      },
    ],
  };
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A body that parses, for every operation: its first example. */
export function exampleOf(operation: { examples: readonly { input: unknown }[] }): Record<string, unknown> {
  const [first] = operation.examples;
  if (!first) throw new Error('an operation without an example');
  return { ...(first.input as Record<string, unknown>) };
}
