import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { type Task, task as taskSchema } from '../../schema/task/task.ts';
import type { Job } from '../../schema/task/wire.ts';
import type { Config } from '../../worker/env.ts';
import { hashKey, looksLikeKey, makeKey } from '../../worker/lib/api-key.ts';
import { signedLink } from '../../worker/services/files/download-link.ts';
import { type Service, secrets, sleep, startService, type TestAccount } from '../harness.ts';
import { resultOf, type StandIn, startStandIn } from '../worker/stand-in.ts';
import { fill, routes } from './routes.ts';

let service: Service;
let transcoder: StandIn;
const clip = { video_url: 'https://media.example.com/talk.mp4', duration: 5 };

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

async function codeOf(response: Response): Promise<string> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return problemSchema.parse(await response.json()).code;
}

async function query<T>(sql: string, ...values: unknown[]): Promise<T[]> {
  const { DB } = await service.bindings();
  return (
    await DB.prepare(sql)
      .bind(...values)
      .all<T>()
  ).results;
}

const revoke = ({ keyId }: TestAccount) =>
  query('update keys set revoked_at = ? where id = ?', Date.now(), keyId);

async function completedTask(
  account: TestAccount,
  mediaType = 'video/mp4',
): Promise<{ task: Task; job: Job }> {
  const { id } = await service.submit('/cut', clip, account.key);
  const job = await transcoder.jobOf(id);
  const result = resultOf(job, 'the output');
  const [file] = result.files;
  if (!file) throw new Error('a result without a file');
  file.media_type = mediaType;
  const { FILES } = await service.bindings();
  await FILES.put(file.key, 'the output');
  expect((await transcoder.report(job, { type: 'completed', result })).status).toBe(200);
  const read = await service.request(`/task/${id}`, { key: account.key });
  return { task: taskSchema.parse(await read.json()), job };
}

describe('a key', () => {
  test('with a wrong checksum is refused even where the database knows its hash', async () => {
    const account = await service.createAccount('basic');
    const [last = ''] = account.key.slice(-1);
    const forged = account.key.slice(0, -1) + (last === 'a' ? 'b' : 'a');
    expect(looksLikeKey(forged)).toBe(false);
    const hash = await hashKey(forged, secrets.KEY_PEPPER);
    await query('update keys set hash = ? where id = ?', hash, account.keyId);
    expect(await codeOf(await service.request('/account', { key: forged }))).toBe('invalid_api_key');
  });

  test('and every secret stands nowhere in the database as it is', async () => {
    const account = await service.createAccount('basic');
    await service.request('/account', { key: account.key });
    const { secret } = (await (await service.request('/webhooks/secret', { key: account.key })).json()) as {
      secret: string;
    };
    const tables = await query<{ name: string }>("select name from sqlite_master where type = 'table'");
    const names = tables.map(({ name }) => name).filter((name) => !/^_cf|^sqlite/.test(name));
    expect(names).toContain('keys');
    for (const name of names) {
      const rows = JSON.stringify(await query(`select * from "${name}"`));
      expect(rows, name).not.toContain(account.key);
      expect(rows, name).not.toContain(account.key.split('_').at(-1));
      expect(rows, name).not.toContain(secret);
      expect(rows, name).not.toContain(secret.slice('whsec_'.length));
    }
  });

  test('is refused by every keyed route the moment it is revoked, warm as it may be', async () => {
    const account = await service.createAccount('elite');
    const { task } = await completedTask(account);
    const keyed = routes.filter((route) => route.keyed);
    const ask = ({ path, method }: (typeof routes)[number]) =>
      service.request(
        fill(path, () => task.id),
        {
          method,
          key: account.key,
          ...(method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}),
        },
      );
    const reading = keyed.filter(({ method }) => method === 'GET');
    for (const route of [...reading, ...reading]) {
      const response = await ask(route);
      expect([route.path, response.status]).not.toEqual([route.path, 401]);
      await response.body?.cancel();
    }
    await revoke(account);
    for (const route of keyed) expect([route.path, (await ask(route)).status]).toEqual([route.path, 401]);
    const link = await fetch(task.output?.file_url ?? '');
    expect(link.status, 'what was given away by link stays so until the link expires').toBe(200);
  });

  test('ends the waits and streams that it holds when it is revoked', async () => {
    const account = await service.createAccount('elite');
    const { id } = await service.submit('/cut', clip, account.key);
    const job = await transcoder.jobOf(id);
    const progress = (percent: number) =>
      transcoder.report(job, {
        ...{ type: 'progress', stage: 'rendering', progress_percent: percent, eta_seconds: 1 },
      });
    await progress(10);
    const stream = await service.request(`/task/${id}/events`, { key: account.key });
    const text = stream.text();
    const wait = service.request(`/task/${id}?wait_seconds=50`, { key: account.key });
    await sleep(500);
    await revoke(account);
    await progress(20);
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    expect(await codeOf(await wait)).toBe('invalid_api_key');
    expect(await text).not.toMatch(/task\.completed|progress_percent":20/);
  });

  test('is noted as used at most every five minutes, however it is used', async () => {
    const account = await service.createAccount('elite');
    const { id } = await service.submit('/cut', clip, account.key);
    const lastUsed = async () =>
      (await query<{ last_used_at: number }>('select last_used_at from keys where id = ?', account.keyId))[0]
        ?.last_used_at ?? 0;
    const setBack = (ms: number) =>
      query('update keys set last_used_at = last_used_at - ? where id = ?', ms, account.keyId);
    for (const path of [`/task/${id}`, '/account', `/task/${id}/download`]) {
      await setBack(4 * 60_000);
      const before = await lastUsed();
      await service.request(path, { key: account.key });
      expect([path, await lastUsed()]).toEqual([path, before]);
      await setBack(2 * 60_000);
      await service.request(path, { key: account.key });
      expect([path, Date.now() - (await lastUsed()) < 60_000]).toEqual([path, true]);
    }
  });

  test.each([
    'in the query',
    'as another scheme',
    'with a byte behind it',
    'in lower case',
    'as a list of two',
  ])('does not count %s', async (how) => {
    const { key } = await service.createAccount('basic');
    const headers: Record<string, Record<string, string>> = {
      'in the query': {},
      'as another scheme': { authorization: `Basic ${key}` },
      'with a byte behind it': { 'x-api-key': `${key}x` },
      'in lower case': { 'x-api-key': key.toLowerCase() },
      'as a list of two': { 'x-api-key': `${key}, ${makeKey()}` },
    };
    const path = how === 'in the query' ? `/account?api_key=${key}&x-api-key=${key}&key=${key}` : '/account';
    const response = await service.request(path, { headers: headers[how] ?? {} });
    expect(response.status).toBe(401);
  });
});

describe('a signed link', () => {
  /** From an address of its own: these refusals would use up what one address may have. */
  const tampered = (url: string, change: (url: URL) => void) => {
    const link = new URL(url);
    change(link);
    return fetch(link, { headers: { 'cf-connecting-ip': '203.0.113.9' } });
  };

  test('is good for its task, file and time, and for nothing else', async () => {
    const [owner, other] = [await service.createAccount('elite'), await service.createAccount('elite')];
    const { task } = await completedTask(owner);
    const { task: second } = await completedTask(owner);
    const { task: foreign } = await completedTask(other);
    const url = task.output?.file_url ?? '';
    const whole = await fetch(url);
    expect([whole.status, await whole.text()]).toEqual([200, 'the output']);

    const expires = Number(new URL(url).searchParams.get('expires'));
    const signature = new URL(url).searchParams.get('signature') ?? '';
    const foreignSignature = new URL(foreign.output?.file_url ?? '').searchParams.get('signature') ?? '';
    const set = (name: string, value: string) => (link: URL) => link.searchParams.set(name, value);
    const ofTask = (id: string) => (link: URL) => {
      link.pathname = `/task/${id}/download`;
    };
    const changes: Record<string, (link: URL) => void> = {
      'another task of the account': ofTask(second.id),
      'a task of another account': ofTask(foreign.id),
      'the signature of another account': set('signature', foreignSignature),
      'another file': set('file', 'levels'),
      'no file': (link) => link.searchParams.delete('file'),
      'a later expiry': set('expires', String(expires + 1)),
      'an earlier expiry': set('expires', String(expires - 1)),
      'no expiry': (link) => link.searchParams.delete('expires'),
      'an expiry with a fraction': set('expires', `${expires}.5`),
      'an expiry in another spelling': set('expires', `+${expires}e0x`),
      'an endless expiry': set('expires', 'Infinity'),
      'no signature': (link) => link.searchParams.delete('signature'),
      'an empty signature': set('signature', ''),
      'a shorter signature': set('signature', signature.slice(0, -1)),
      'a longer signature': set('signature', `${signature}A`),
      'a signature in lower case': set('signature', signature.toLowerCase()),
    };
    for (let index = 0; index < signature.length; index++) {
      const letter = signature[index] === 'A' ? 'B' : 'A';
      changes[`letter ${index} of the signature`] = set(
        'signature',
        signature.slice(0, index) + letter + signature.slice(index + 1),
      );
    }
    for (const [name, change] of Object.entries(changes)) {
      const response = await tampered(url, change);
      expect([name, response.status, await codeOf(response)]).toEqual([name, 403, 'signature_invalid']);
    }
    console.log(`${Object.keys(changes).length} tampered links tried: all refused`);
  });

  test('is refused once its time is over, although its file is still there', async () => {
    const owner = await service.createAccount('elite');
    const { task } = await completedTask(owner);
    const config = { SIGNING_SECRET: secrets.SIGNING_SECRET, PUBLIC_URL: service.url.origin } as Config;
    const role = new URL(task.output?.file_url ?? '').searchParams.get('file') ?? '';
    const link = (ms: number) => signedLink(config, task.id, role, Date.now() + ms);
    expect((await fetch(await link(60_000))).status).toBe(200);
    expect(await codeOf(await fetch(await link(-2000)))).toBe('output_expired');
    expect((await service.request(`/task/${task.id}/download`, { key: owner.key })).status).toBe(200);
  });

  test('serves reading alone', async () => {
    const owner = await service.createAccount('elite');
    const { task } = await completedTask(owner);
    const link = new URL(task.output?.file_url ?? '');
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect([method, (await fetch(link, { method })).status]).toEqual([method, 405]);
    }
    const read = new URL(link);
    read.pathname = `/task/${task.id}`;
    expect((await fetch(read)).status).toBe(401);
    expect((await fetch(read, { method: 'DELETE' })).status).toBe(401);
    expect((await service.request(`/task/${task.id}`, { method: 'DELETE', key: owner.key })).status).toBe(
      200,
    );
    expect(await codeOf(await fetch(link))).toBe('task_not_found');
  });

  test.each([
    ['video/mp4', 'video/mp4'],
    ['application/json', 'application/json'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['text/javascript', 'application/octet-stream'],
    ['video/mp4\r\nset-cookie: a=b', 'application/octet-stream'],
  ])('serves what is said to be %j as %s, with nothing that a browser could run', async (given, served) => {
    const { task } = await completedTask(await service.createAccount('elite'), given);
    const { headers } = await fetch(task.output?.file_url ?? '');
    expect(headers.get('content-type')).toBe(served);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="/);
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the secret of an attempt', () => {
  test('signs the reports of this attempt alone', async () => {
    const [owner, other] = [await service.createAccount('elite'), await service.createAccount('elite')];
    const job = await transcoder.jobOf((await service.submit('/cut', clip, owner.key)).id);
    const second = await transcoder.jobOf((await service.submit('/cut', clip, owner.key)).id);
    const foreign = await transcoder.jobOf((await service.submit('/cut', clip, other.key)).id);
    expect(new Set([job, second, foreign].map((each) => each.callback_secret)).size).toBe(3);
    const failure = { code: 'source_unreachable', detail: 'Forged.', stage: 'fetching' } as const;
    const at = (url: string, secret: string) =>
      transcoder.report({ ...job, callback_url: url }, { type: 'failed', failure }, { secret });
    const { callback_url: url, callback_secret: own } = job;
    const forged: Record<string, Promise<Response>> = {
      'another task': at(url, second.callback_secret),
      'another account': at(url, foreign.callback_secret),
      'the next attempt': at(url.replace(/1$/, '2'), own),
      'an attempt zero': at(url.replace(/1$/, '0'), own),
      'the task under another account': at(url.replace(owner.id, other.id), own),
      'the secret of dispatches': at(url, secrets.TRANSCODER_SECRET),
      'the master secret': at(url, secrets.SIGNING_SECRET),
      'the pepper': at(url, secrets.KEY_PEPPER),
    };
    for (const [name, response] of Object.entries(forged)) {
      expect([name, (await response).status]).toEqual([name, 404]);
    }
    for (const [id, key] of [
      [job.task_id, owner.key],
      [second.task_id, owner.key],
      [foreign.task_id, other.key],
    ] as const) {
      const read = await service.task(id, key);
      expect(read).toMatchObject({ status: 'queued', attempt: 0, error: null });
    }
    expect((await at(url, own)).status).toBe(200);
  });
});
