import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Task, task } from '../../schema/task/task.ts';
import { docker } from '../../scripts/containers/engine.ts';
import { hashKey, makeKey } from '../../worker/lib/api-key.ts';
import { localStorage, secrets } from '../harness.ts';

export type Caller = 'first' | 'second';

export interface ContainerMode {
  /** A source that containers can reach: the sidecar serves it on their loopback. */
  sample: string;
  /** Sends a request with the key of an elite account, or with that of another one. */
  request: (
    path: string,
    init?: { method?: string; json?: unknown; as?: Caller | undefined },
  ) => Promise<Response>;
  /** Polls until the task is as wanted. */
  until: (id: string, wanted: (task: Task) => boolean, as?: Caller) => Promise<Task>;
  close: () => Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');
const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
const containers = join(root, 'scripts', 'containers');
const SAMPLE_ORIGIN = 'http://127.0.0.1:39002';
/** Known to the sidecar too: scripts/containers/egress/server.mjs. */
const PORT = 39787;
const START_SECONDS = 300;
const UNTIL_SECONDS = 90;
export const SLEEP_SECONDS = 20;

/** `wrangler dev` with real containers: Worker, Durable Objects and Docker, no transcoder process on the host. */
export async function startContainerMode(): Promise<ContainerMode> {
  const state = mkdtempSync(join(tmpdir(), 'spool-test-containers-'));
  const env = {
    ...process.env,
    CI: 'true',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_LOG: 'log',
    WRANGLER_REGISTRY_PATH: join(state, 'registry'),
    WRANGLER_DOCKER_BIN: join(containers, 'docker.sh'),
    MINIFLARE_CONTAINER_EGRESS_IMAGE: 'spool-egress:test',
  };
  const local = ['--local', '--persist-to', state];
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [wrangler, ...args], { cwd: root, env, stdio: 'pipe' });
  const keys: Record<Caller, string> = { first: makeKey(), second: makeKey() };
  run('d1', 'migrations', 'apply', 'spool', ...local);
  for (const [name, key] of Object.entries(keys)) {
    const hash = await hashKey(key, secrets.KEY_PEPPER);
    const sql = `insert into accounts (id, name, plan, subscription, created_at)
        values ('acct_${name}', 'Test', 'elite', 'active', 1);
      insert into keys (id, account_id, label, hash, created_at)
        values ('key_${name}', 'acct_${name}', 'test', '${hash}', 1)`;
    run('d1', 'execute', 'spool', ...local, '--command', sql);
  }

  const gateway = await docker(
    'network',
    'inspect',
    'bridge',
    '--format',
    '{{(index .IPAM.Config 0).Gateway}}',
  );
  const publicUrl = `http://${gateway}:${PORT}`;
  const vars = {
    ...secrets,
    SPOOL_ENV: 'development',
    PUBLIC_URL: publicUrl,
    SPOOL_DEV_ORIGINS: SAMPLE_ORIGIN,
    TRANSCODER_SLEEP_SECONDS: String(SLEEP_SECONDS),
    // `wrangler dev` answers here to loopback names alone; the sidecar leads there.
    S3_ENDPOINT: `http://127.0.0.1:${PORT}/cdn-cgi/local/r2/s3`,
    S3_BUCKET: localStorage.bucket,
    S3_ACCESS_KEY_ID: localStorage.accessKeyId,
    S3_SECRET_ACCESS_KEY: localStorage.secretAccessKey,
  };
  // A file of its own: where one is named, the machine's .dev.vars is not read.
  const varsFile = join(state, 'vars');
  writeFileSync(
    varsFile,
    Object.entries(vars)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(''),
  );
  const args = [
    ...['dev', '--enable-containers', '--env-file', varsFile],
    ...['--ip', '0.0.0.0', '--port', String(PORT), '--persist-to', state],
  ];
  const dev = spawn(process.execPath, [wrangler, ...args], { cwd: root, env, stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve) => dev.once('exit', resolve));
  let said = '';
  for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (text) => (said += text));

  const request: ContainerMode['request'] = (path, { method, json, as = 'first' } = {}) =>
    fetch(`http://127.0.0.1:${PORT}${path}`, {
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      headers: { 'x-api-key': keys[as], 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  for (let second = 0; !said.includes('Ready on'); second++) {
    if (dev.exitCode !== null || second > START_SECONDS)
      throw new Error(`wrangler dev did not start:\n${said}`);
    await wait(1000);
  }
  return {
    sample: `${SAMPLE_ORIGIN}/sample.mp4`,
    request,
    async until(id, wanted, as) {
      let found: Task | undefined;
      for (const end = Date.now() + UNTIL_SECONDS * 1000; Date.now() < end; await wait(300)) {
        const response = await request(`/task/${id}`, { as });
        found = task.parse(await response.json());
        if (wanted(found)) return found;
        if (found.status === 'failed') break;
      }
      throw new Error(`the task did not get there: ${JSON.stringify(found)}\n${said.slice(-20_000)}`);
    },
    async close() {
      dev.kill('SIGTERM');
      await ended;
      // wrangler removes its containers while it ends, and may end before Docker has.
      for (let tries = 0; tries < 50 && (await instances()).length > 0; tries++) await wait(200);
      for (const id of await instances()) await docker('rm', '--force', id);
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** The containers that run for a Worker now, sidecars too where they are asked for. */
export async function instances(filter: 'all' | 'transcoders' = 'all'): Promise<string[]> {
  const rows = (await docker('ps', '--no-trunc', '--format', '{{.ID}} {{.Names}}')).split('\n');
  return rows
    .map((row) => row.split(' '))
    .filter(([, name = '']) => name.startsWith('workerd-') && (filter === 'all' || !name.endsWith('-proxy')))
    .map(([id = '']) => id);
}
