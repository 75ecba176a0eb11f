import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../scripts/lib/ports.mjs';
import { familyOf } from '../../scripts/lib/process-table.mjs';
import { thorough } from '../sampled.ts';

const root = resolve(import.meta.dirname, '../..');
let dir: string;
let service: ChildProcess;
let printed = '';
/** A task of the first test. */
let completed = '';

const dev = async () => JSON.parse(await readFile(join(dir, 'dev.json'), 'utf8'));
const commandOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

/** The process of `npm start` whose command line holds this, the one that was started first. */
function partOf(text: string): number {
  const found = [...familyOf(service.pid ?? 0)].filter((pid) => commandOf(pid).includes(text));
  return Math.min(...found);
}

async function call(path: string, body?: object): Promise<{ id: string; status: string }> {
  const { base_url, api_keys } = await dev();
  const response = await fetch(base_url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': api_keys.elite, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await response.json()) as { id: string; status: string };
}

const statusOf = async (id: string) => (await call(`/task/${id}`)).status;
const saidSoFar = () => printed;
const long = { timeout: 150_000, interval: 200 };

/** Takes some seconds: it is killed in the middle. */
async function submit(): Promise<string> {
  const { sample_url } = await dev();
  const { id } = await call('/transcode', {
    video_url: sample_url,
    codec: 'vp9',
    format: 'webm',
    height: 1080,
  });
  expect(id).toMatch(/^task_/);
  return id;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'spool-restart-'));
  service = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: {
      ...{ ...process.env, SPOOL_DIR: dir, npm_lifecycle_event: undefined },
      PORT: String(await freePort(30_000 + (process.pid % 2000))),
    },
  });
  await new Promise<void>((done, fail) => {
    for (const stream of [service.stdout, service.stderr]) {
      stream?.on('data', (chunk) => {
        printed += chunk;
        if (printed.includes('Ctrl-C stops everything')) done();
      });
    }
    service.once('exit', (code) => fail(new Error(`npm start ended with ${code}: ${printed}`)));
  });
});

afterAll(async () => {
  if (service.exitCode === null) {
    const exit = new Promise((done) => service.once('exit', done));
    service.kill('SIGTERM');
    await exit;
  }
  await rm(dir, { recursive: true, force: true });
});

it('a transcoder that is killed during a task is started again, and the task is completed', async () => {
  const before = await dev();
  const id = await submit();
  await expect.poll(() => statusOf(id), long).toBe('processing');
  const killed = partOf('transcoder/start.mjs');
  process.kill(killed, 'SIGKILL');
  await expect.poll(saidSoFar, long).toContain('The transcoder ended with SIGKILL. Starting it again');
  await expect.poll(saidSoFar, long).toContain('The transcoder is running again.');
  expect(partOf('transcoder/start.mjs')).not.toBe(killed);
  await expect.poll(() => statusOf(id), long).toBe('completed');
  completed = id;
  expect(await dev()).toEqual(before);
});

thorough('a Worker that is killed is started again on its port, and what it knew is there', async () => {
  process.kill(partOf('wrangler'), 'SIGKILL');
  await expect.poll(saidSoFar, long).toContain('The Worker is running again.');
  expect(await statusOf(completed)).toBe('completed');
  const id = await submit();
  await expect.poll(() => statusOf(id), long).toBe('completed');
});

it('Ctrl-C while a part is being started again ends everything', async () => {
  const family = familyOf(service.pid ?? 0);
  const before = printed.length;
  process.kill(partOf('transcoder/start.mjs'), 'SIGKILL');
  await expect.poll(() => printed.slice(before), long).toContain('Starting it again');
  const exit = new Promise((done) => service.once('exit', done));
  service.kill('SIGINT');
  expect(await exit).toBe(0);
  await expect.poll(() => [...familyOf(service.pid ?? 0, family)], { timeout: 20_000 }).toEqual([]);
  expect(existsSync(join(dir, 'dev.json'))).toBe(false);
});
