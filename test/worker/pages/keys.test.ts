import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import { rows } from './rows.ts';
import { keyIdOf, keyIn, makeKey, somebody } from './somebody.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
});
afterAll(() => service.close());

const statusWith = async (key: string) => (await service.request('/account', { key })).status;

describe('a key', () => {
  it('is shown once, with a command that works as it stands', async () => {
    const one = await somebody(service);
    const key = await makeKey(one);
    const [, command = ''] = /<code>(curl [^<]*)<\/code>/.exec(one.browser.text) ?? [];
    const shell = command.replaceAll('&#39;', "'");
    const { stdout } = await promisify(execFile)('sh', ['-c', shell]);
    expect(JSON.parse(stdout)).toMatchObject({ plan: 'basic' });
    await one.browser.open(`${one.account}/keys`);
    expect(one.browser.text).toContain('<strong>CI</strong>');
    expect(one.browser.text).toContain(', plan Basic.');
    expect(one.browser.text).not.toContain(key);
    expect(one.browser.text).not.toContain(key.slice(-49));
    const listed = async () => {
      await one.browser.open(`${one.account}/keys`);
      return one.browser.text;
    };
    await expect.poll(listed, { timeout: 20_000 }).toContain('last used');
  });

  it('stops when it expires, in polls and everywhere else', async () => {
    const one = await somebody(service);
    const key = await makeKey(one, 'short', '30d');
    const task = `/task/task_${'0'.repeat(26)}`;
    expect([await statusWith(key), (await service.request(task, { key })).status]).toEqual([200, 404]);
    const [row] = await rows<{ left: number }>(
      service,
      'select expires_at - created_at as left from keys where account_id = ?',
      one.id,
    );
    expect(row?.left).toBe(30 * 24 * 3600_000);
    await rows(service, 'update keys set expires_at = ? where account_id = ?', Date.now(), one.id);
    expect([await statusWith(key), (await service.request(task, { key })).status]).toEqual([401, 401]);
    await one.browser.open(`${one.account}/keys`);
    expect(one.browser.text).toContain('Keys that no longer work (1)');
  });

  it('is rolled: the old one works for the chosen time, and no longer than it would have', async () => {
    const one = await somebody(service);
    const old = await makeKey(one, 'roll me');
    const id = await keyIdOf(service, one.id, 'roll me');
    await one.browser.open(`${one.account}/keys`);
    expect((await one.browser.submit(`${one.account}/keys/${id}/roll`, { overlap: '1h' })).status).toBe(200);
    const fresh = keyIn(one.browser);
    expect(fresh).not.toBe(old);
    expect([await statusWith(old), await statusWith(fresh)]).toEqual([200, 200]);
    const [row] = await rows<{ expires_at: number }>(service, 'select expires_at from keys where id = ?', id);
    expect(Math.abs((row?.expires_at ?? 0) - Date.now() - 3600_000)).toBeLessThan(60_000);
    // A second time, for longer: the end stays.
    await one.browser.open(`${one.account}/keys`);
    await one.browser.submit(`${one.account}/keys/${id}/roll`, { overlap: '7d' });
    expect(await rows(service, 'select expires_at from keys where id = ?', id)).toEqual([row]);
    await one.browser.open(`${one.account}/keys`);
    await one.browser.submit(`${one.account}/keys/${id}/roll`, { overlap: '0' });
    expect(await statusWith(old)).toBe(401);
    expect((await one.browser.submit(`${one.account}/keys/${id}/roll`, { overlap: '1h' })).status).toBe(404);
  });

  it('is rolled once by a form that is sent several times', async () => {
    const one = await somebody(service);
    await makeKey(one, 'double click');
    const path = `${one.account}/keys/${await keyIdOf(service, one.id, 'double click')}/roll`;
    const keysOf = async () =>
      (await rows(service, 'select id from keys where account_id = ?', one.id)).length;
    for (const count of [2, 3]) {
      await one.browser.open(`${one.account}/keys`);
      const form = { ...one.browser.hidden(path), overlap: '24h' };
      const answers = await Promise.all([1, 2].map(() => one.browser.post(path, form)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await keysOf()).toBe(count);
      expect((await one.browser.submit(path, form)).status).toBe(409);
      expect(one.browser.text).toContain('A key with this label was made since you opened the page');
    }
    await one.browser.open(`${one.account}/log`);
    expect(one.browser.text.match(/rolled the key/g)).toHaveLength(2);
  });

  it.each([
    ['never', null],
    ['90d', 90 * 24 * 3600_000],
  ] as const)(
    'that was made to live %s is rolled into such keys, also while an earlier roll ends it',
    async (lifetime, lives) => {
      const one = await somebody(service);
      await makeKey(one, 'twice', lifetime);
      const id = await keyIdOf(service, one.id, 'twice');
      for (const overlap of ['24h', '24h']) {
        await one.browser.open(`${one.account}/keys`);
        await one.browser.submit(`${one.account}/keys/${id}/roll`, { overlap });
      }
      const made = await rows(
        service,
        'select expires_at - created_at as lives from keys where account_id = ? and id <> ?',
        ...[one.id, id],
      );
      expect(made).toEqual([{ lives }, { lives }]);
    },
  );

  it.each([
    [30, 30],
    [90, 90],
    [365, 365],
    // Rolled by that release, or of a lifetime that there is no longer.
    [37, 90],
    [1000, 365],
  ])(
    'that a release without lifetimes made to end after %i days is rolled into one that ends after %i',
    async (ends, lives) => {
      const one = await somebody(service);
      await makeKey(one, 'earlier', 'never');
      const id = await keyIdOf(service, one.id, 'earlier');
      const day = 24 * 3600_000;
      const set = 'update keys set expires_at = ?, created_at = ?, lifetime = null where id = ?';
      const end = Date.now() + 20 * day;
      await rows(service, set, end, end - ends * day, id);
      await one.browser.open(`${one.account}/keys`);
      await one.browser.submit(`${one.account}/keys/${id}/roll`, { overlap: '24h' });
      const made = 'select expires_at - created_at as lives from keys where account_id = ? and id <> ?';
      expect(await rows(service, made, one.id, id)).toEqual([{ lives: lives * day }]);
    },
  );

  it('is revoked at once, also a wait that it holds', async () => {
    const one = await somebody(service);
    const key = await makeKey(one);
    const id = await keyIdOf(service, one.id, 'CI');
    expect(await statusWith(key)).toBe(200);
    await one.browser.open(`${one.account}/keys`);
    expect((await one.browser.submit(`${one.account}/keys/${id}/revoke`)).path).toBe(`${one.account}/keys`);
    expect(await statusWith(key)).toBe(401);
    expect((await one.browser.submit(`${one.account}/keys/${id}/revoke`)).status).toBe(404);
    expect((await one.browser.submit(`${one.account}/keys/${id}/roll`, { overlap: '1h' })).status).toBe(404);
  });

  it.each(['', '   ', 'x'.repeat(101)])('is not made with the label %j', async (label) => {
    const one = await somebody(service);
    await one.browser.open(`${one.account}/keys`);
    expect((await one.browser.submit(`${one.account}/keys`, { label, lifetime: 'never' })).status).toBe(422);
    expect(await rows(service, 'select id from keys where account_id = ?', one.id)).toEqual([]);
  });

  it('shows a hostile label as text', async () => {
    const one = await somebody(service);
    await makeKey(one, '<script>alert(1)</script>"\'&');
    await one.browser.open(`${one.account}/keys`);
    expect(one.browser.text).not.toContain('<script>alert');
    expect(one.browser.text).toContain('&lt;script&gt;alert(1)');
  });

  it('is one of fifty at most, also where they are made at once', async () => {
    const one = await somebody(service);
    const now = Date.now();
    for (let count = 0; count < 48; count++) {
      await rows(
        service,
        "insert into keys (id, account_id, label, hash, created_at) values (?, ?, 'x', ?, ?)",
        ...[`key_${crypto.randomUUID()}`, one.id, crypto.randomUUID(), now],
      );
    }
    await one.browser.open(`${one.account}/keys`);
    const made = await Promise.all(
      Array.from({ length: 5 }, () =>
        one.browser.post(`${one.account}/keys`, { label: 'y', lifetime: 'never' }),
      ),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422]);
  });
});

describe('a key that works', () => {
  it('is listed and can be revoked, however many newer ones no longer do', async () => {
    const one = await somebody(service);
    const key = await makeKey(one, 'older than all');
    const id = await keyIdOf(service, one.id, 'older than all');
    await rows(
      service,
      `with recursive number(n) as (select 1 union all select n + 1 from number where n < 250)
       insert into keys (id, account_id, label, hash, created_at, revoked_at)
       select 'key_' || hex(randomblob(13)), ?1, 'x', hex(randomblob(16)), ?2 + n, ?2 + n from number`,
      ...[one.id, Date.now()],
    );
    await one.browser.open(`${one.account}/keys`);
    expect(one.browser.text).toContain('<strong>older than all</strong>');
    expect((await one.browser.submit(`${one.account}/keys/${id}/revoke`)).path).toBe(`${one.account}/keys`);
    expect(await statusWith(key)).toBe(401);
  });

  it('is one of a hundred at most, also by rolling, and a refused roll leaves the old one as it was', async () => {
    const one = await somebody(service);
    await makeKey(one, 'rolled often');
    const id = await keyIdOf(service, one.id, 'rolled often');
    await rows(
      service,
      `with recursive number(n) as (select 1 union all select n + 1 from number where n < 98)
       insert into keys (id, account_id, label, hash, created_at, expires_at)
       select 'key_' || hex(randomblob(13)), ?1, 'x', hex(randomblob(16)), ?2, ?2 + 3600000 from number`,
      ...[one.id, Date.now()],
    );
    const roll = async (overlap: string) => {
      await one.browser.open(`${one.account}/keys`);
      return (await one.browser.submit(`${one.account}/keys/${id}/roll`, { overlap })).status;
    };
    expect(await roll('7d')).toBe(200);
    const kept = await rows(service, 'select expires_at from keys where id = ?', id);
    expect(await roll('1h')).toBe(422);
    expect(await rows(service, 'select expires_at from keys where id = ?', id)).toEqual(kept);
    const [{ count } = { count: 0 }] = await rows<{ count: number }>(
      service,
      'select count(*) as count from keys where account_id = ?',
      one.id,
    );
    expect(count).toBe(100);
  });
});
