import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../scripts/lib/ports.mjs';
import { familyOf } from '../../scripts/lib/process-table.mjs';
import { thorough } from '../sampled.ts';
import { Browser } from '../worker/pages/browser.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const devFile = z.strictObject({
  base_url: z.url(),
  api_keys: z.strictObject({ basic: z.string(), boost: z.string(), elite: z.string() }),
  sample_url: z.url(),
  transcoder_url: z.url(),
  dashboard_url: z.url(),
  sign_in_url: z.url(),
  outbox_url: z.url(),
  stripe_url: z.url(),
});

let dir: string;
let service: ChildProcess;
let printed = '';
const ended = () => new Promise<number | null>((done) => service.once('exit', done));

const start = (env: Record<string, string>) =>
  spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, SPOOL_DIR: dir, npm_lifecycle_event: undefined, ...env },
  });

/** Runs a second `npm start` that is expected to give up. */
async function refused(env: Record<string, string>) {
  const child = start(env);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const code = await new Promise((done) => child.once('exit', done));
  return { code, text };
}

async function admin(...args: string[]) {
  const { stdout } = await run(process.execPath, ['scripts/admin.ts', ...args], {
    cwd: root,
    env: { ...process.env, SPOOL_DIR: dir },
  });
  return JSON.parse(stdout);
}

const dev = async () => devFile.parse(JSON.parse(await readFile(join(dir, 'dev.json'), 'utf8')));

const commands = () => printed.split('\n').filter((line) => line.startsWith('curl '));

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'spool-start-'));
  // Below the ports that the system gives to others in the meantime.
  service = start({ PORT: String(await freePort(20_000 + (process.pid % 10_000))) });
  const ready = new Promise<void>((done, fail) => {
    for (const stream of [service.stdout, service.stderr]) {
      stream?.on('data', (chunk) => {
        printed += chunk;
        if (printed.includes('Ctrl-C stops everything')) done();
      });
    }
    service.once('exit', (code) => fail(new Error(`npm start ended with ${code}: ${printed}`)));
  });
  await ready;
});

afterAll(async () => {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await ended();
  }
  await rm(dir, { recursive: true, force: true });
});

describe('npm start', () => {
  it('leaves its address and a key per plan in a file that only its owner may read', async () => {
    const { base_url, api_keys } = await dev();
    expect((await stat(join(dir, 'dev.json'))).mode & 0o777).toBe(0o600);
    for (const [plan, key] of Object.entries(api_keys)) {
      const response = await fetch(`${base_url}/account`, { headers: { 'x-api-key': key } });
      expect(await response.json()).toMatchObject({ plan });
    }
  });

  it.skipIf(spawnSync('curl', ['--version']).error)('prints commands that work as they are', async () => {
    const [create = '', poll = '', download = ''] = commands();
    const shell = async (command: string) => (await run('sh', ['-c', command], { cwd: dir })).stdout;
    expect(JSON.parse(await shell(create))).toMatchObject({ object: 'task', operation: 'cut' });
    await expect
      .poll(async () => JSON.parse(await shell(poll)).status, { timeout: 60_000, interval: 500 })
      .toBe('completed');
    await shell(download);
    const { stdout } = await run('ffprobe', [
      ...['-v', 'error', '-count_frames', '-select_streams', 'v', '-of', 'csv=p=0'],
      ...['-show_entries', 'stream=nb_read_frames', join(dir, 'cut.mp4')],
    ]);
    expect(stdout.trim()).toBe('150');
  });

  it('says which port is taken, and how to take another', async () => {
    const server = createServer();
    const port = await new Promise<number>((done) => {
      server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port));
    });
    const { code, text } = await refused({ PORT: String(port) });
    server.close();
    expect(code).toBe(1);
    expect(text).toMatch(`Port ${port} is taken. Choose another: PORT=`);
    expect((await refused({ PORT: 'high' })).text).toContain('PORT=high: expected a whole number');
  });

  thorough('does not wait for a Worker whose settings are wrong, and names the setting', async () => {
    const own = await mkdtemp(join(tmpdir(), 'spool-start-wrong-'));
    const { code, text } = await refused({
      ...{ SPOOL_DIR: own, PORT: '0', SPOOL_DEV_ORIGINS: 'http://10.0.0.1:1' },
    });
    await rm(own, { recursive: true });
    expect(code).toBe(1);
    expect(text).toContain('SPOOL_DEV_ORIGINS: must be loopback origins');
    expect(text).not.toContain('was not ready');
  });

  it('does not start twice on the same state', async () => {
    const { code, text } = await refused({ PORT: '0' });
    expect(code).toBe(1);
    expect(text).toContain('already runs');
  });
});

/** A browser at the running service. */
async function browser(): Promise<Browser> {
  const url = new URL((await dev()).base_url);
  const request = (path: string, init?: RequestInit) => fetch(new URL(path, url), init);
  return new Browser({ url, request: request as never });
}

/** Opens a sign-in link and presses its button. */
async function follow(link: string): Promise<Browser> {
  const one = await browser();
  await one.open(link);
  await one.submit('/app/sign-in/link', { token: new URL(link).searchParams.get('token') ?? '' });
  return one;
}

describe('the dashboard of npm start', () => {
  it('opens with the printed link, once, as the owner of the seeded accounts', async () => {
    const { dashboard_url } = await dev();
    expect(printed).toContain(dashboard_url);
    const owner = await follow(dashboard_url);
    await owner.open('/app/accounts');
    for (const plan of ['basic', 'boost', 'elite']) expect(owner.text).toContain(`Local ${plan}`);
    expect((await (await browser()).open(dashboard_url)).status).toBe(404);
  });

  it('lets a stranger sign up with the code from the outbox', async () => {
    const { sign_in_url, outbox_url } = await dev();
    const stranger = await browser();
    await stranger.open(sign_in_url);
    await stranger.submit('/app/sign-in', { email: 'stranger@example.com' });
    const mails = await browser();
    const code = async () => {
      await mails.open(outbox_url);
      return /(\d{6}) is your code/.exec(mails.text)?.[1];
    };
    await expect.poll(code, { timeout: 30_000 }).toBeDefined();
    await stranger.open('/app/sign-in/code');
    const at = await stranger.submit('/app/sign-in/code', { code: (await code()) ?? '' });
    expect(at.path).toMatch(/home$/);
    expect(stranger.text).toContain('The free trial ends');
  });

  it('sells a plan to the owner of an account at the stand-in for Stripe, which keeps what it knows in a file', async () => {
    const { base_url, stripe_url } = await dev();
    expect(printed).toContain(stripe_url);
    const email = 'payer@example.com';
    const payer = await follow((await admin('invite', '--email', email)).link);
    const billing = (await payer.open('/app')).path.replace('home', 'billing');
    await payer.open(billing);
    const page = (await payer.post(`${billing}/plan`, { plan: 'elite' })).headers.get('location') ?? '';
    expect(page).toMatch(new RegExp(`^${stripe_url}/c/pay/`));
    const card = new URLSearchParams({ card: 'good' });
    const paid = await fetch(page, { method: 'POST', redirect: 'manual', body: card });
    await payer.open((paid.headers.get('location') ?? '').replace(base_url, ''));
    expect(payer.text).toContain('has the plan Elite');
    expect(await readFile(join(dir, 'stripe.json'), 'utf8')).toContain(email);
  });
});

describe('npm run admin, while the service runs', () => {
  it('lets somebody in without a mail', async () => {
    const account = await admin('account', 'create', '--plan', 'boost', '--name', 'Acme');
    const email = 'Ada@Example.com';
    const invited = await admin('invite', '--email', email, '--account', account.id, '--role', 'member');
    expect(invited).toMatchObject({ email: 'ada@example.com', account_id: account.id, role: 'member' });
    const ada = await follow(invited.link);
    expect((await ada.open('/app')).path).toBe(`/app/${account.id}/home`);
    const alone = await follow((await admin('invite', '--email', 'alone@example.com')).link);
    expect((await alone.open('/app')).path).toMatch(/home$/);
  });

  thorough('makes accounts and keys, switches them off and on, and revokes', async () => {
    const { base_url } = await dev();
    const account = await admin('account', 'create', '--plan', 'boost', '--name', `O'Brien & "Söhne"; --`);
    expect(await admin('account', 'list')).toContainEqual(
      expect.objectContaining({ id: account.id, name: `O'Brien & "Söhne"; --`, plan: 'boost' }),
    );
    const created = await admin('key', 'create', '--account', account.id);
    const answer = async () => {
      const response = await fetch(`${base_url}/cut`, {
        method: 'POST',
        headers: { 'x-api-key': created.key, 'content-type': 'application/json' },
        body: '{}',
      });
      return response.status;
    };
    expect(await answer()).toBe(422);
    await admin('account', 'set', '--id', account.id, '--subscription', 'inactive');
    expect(await answer()).toBe(402);
    await admin('account', 'set', '--id', account.id, '--subscription', 'active', '--plan', 'elite');
    expect(await answer()).toBe(422);
    await admin('key', 'revoke', '--id', created.id);
    expect(await answer()).toBe(401);
    const listed = JSON.stringify(await admin('key', 'list', '--account', account.id));
    expect(listed).toContain(created.id);
    expect(listed).not.toContain(created.key);
  });

  it.each([
    [['account', 'create', '--plan', 'gold', '--name', 'x'], '--plan: expected basic, boost, elite'],
    [['account', 'create', '--plan', 'basic'], '--name is missing'],
    [['account', 'set', '--id', "x' or 1=1", '--plan', 'basic'], '--id: expected an id such as acct_…'],
    [['account', 'set', '--plan', 'basic'], '--id is missing'],
    [['key', 'create'], '--account is missing'],
    [['key', 'revoke'], '--id is missing'],
    [['incident', 'close', '--text', 'x'], '--id is missing'],
    [['key', 'create', '--account', `acct_${'0'.repeat(25)}9`], 'There is no account'],
    [['key', 'revoke', '--id', `key_${'0'.repeat(25)}9`], 'There is no key'],
    [['key', 'list', '--plan', 'basic'], 'key list takes no --plan'],
    [['key', 'paint'], 'Unknown command: key paint'],
    [['invite', '--email', 'ada'], '--email: expected an address such as ada@example.com'],
    [['invite', '--email', 'a@example.com', '--role', 'owner'], '--role needs --account'],
    [['invite', '--email', 'a@example.com', '--account', `acct_${'0'.repeat(25)}9`], 'There is no account'],
  ])('refuses %j and says why', async (args, reason) => {
    await expect(admin(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
  });
});

describe('Ctrl-C', () => {
  it('stops everything that npm start started', async () => {
    const family = familyOf(service.pid ?? 0);
    expect(family.size).toBeGreaterThan(4);
    const exit = ended();
    service.kill('SIGINT');
    expect(await exit).toBe(0);
    await expect.poll(() => [...familyOf(service.pid ?? 0, family)], { timeout: 10_000 }).toEqual([]);
    expect(existsSync(join(dir, 'dev.json'))).toBe(false);
  });
});
