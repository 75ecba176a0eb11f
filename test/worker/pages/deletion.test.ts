import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import { Browser, mailTo, signIn } from './browser.ts';
import { rows } from './rows.ts';
import { makeKey, type Somebody, somebody, sweep } from './somebody.ts';
import { fill, objectsUnder, rowsOf, tablesOfAccounts } from './whole-account.ts';

let service: Service;

beforeAll(async () => {
  service = await startService(
    { TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' },
    { entry: 'test/worker/pages/deletion-worker.ts' },
  );
});
afterAll(() => service.close());

const setFault = (name: string) => service.request('/fault', { method: 'POST', body: name });
const clip = { video_url: 'https://media.example.com/talk.mp4', duration: 5 };

/** An account with something in every table and place, and a task that waits. */
async function wholeAccount() {
  const one = await somebody(service);
  const key = await makeKey(one);
  const { id } = await service.submit('/cut', clip, key);
  const prefixes = [...(await fill(service, one.id)), `t/${id}/`];
  return { ...one, key, prefixes };
}

async function remove({ browser, account, email }: Somebody, confirm = email) {
  await browser.open(`${account}/delete`);
  return browser.submit(`${account}/delete`, { confirm });
}

async function expectNothingLeft(one: { id: string; prefixes: string[] }): Promise<void> {
  const left = await rowsOf(service, one.id);
  expect(Object.entries(left).filter(([, count]) => count > 0)).toEqual([]);
  expect(await objectsUnder(service, one.prefixes)).toEqual([]);
}

describe('deleting an account', () => {
  it('leaves nothing in any table and no object', async () => {
    const one = await wholeAccount();
    const before = await rowsOf(service, one.id);
    const missing = Object.entries(before).filter(([, count]) => count === 0);
    // A table that is new here needs a row in whole-account.ts, and a step or row in the deletion.
    expect(missing).toEqual([['account_deletions', 0]]);
    expect((await remove(one)).path).toBe('/app/accounts');
    expect((await service.request('/account', { key: one.key })).status).toBe(401);
    await sweep(service);
    await expectNothingLeft(one);
  });

  it('asks for the name, and does nothing without it', async () => {
    const one = await wholeAccount();
    const before = await rowsOf(service, one.id);
    for (const confirm of ['', 'x', one.email.slice(1), `${one.email}x`]) {
      expect((await remove(one, confirm)).status).toBe(422);
      expect(one.browser.text).toContain('Nothing was deleted');
    }
    expect(await rowsOf(service, one.id)).toEqual(before);
    expect((await service.request('/account', { key: one.key })).status).toBe(200);
  });

  it('ends keys, members and invitations at once, and tells the owners', async () => {
    const [one, guest] = [await wholeAccount(), await somebody(service)];
    await one.browser.open(`${one.account}/members`);
    await one.browser.submit(`${one.account}/members`, { email: guest.email, role: 'owner' });
    await mailTo(service, guest.email);
    await guest.browser.open('/app/accounts');
    await guest.browser.submit(/\/app\/invitations\/\w+\/accept/.exec(guest.browser.text)?.[0] ?? '');
    await setFault('bucket');
    await remove(one);
    expect((await service.request('/account', { key: one.key })).status).toBe(401);
    expect((await guest.browser.open(`${one.account}/keys`)).status).toBe(404);
    expect((await one.browser.open(`${one.account}/keys`)).status).toBe(404);
    expect(await rows(service, 'select id from invitations where account_id = ?', one.id)).toEqual([]);
    await setFault('');
    await sweep(service);
    await expectNothingLeft(one);
    for (const { email } of [one, guest]) {
      const mail = await mailTo(service, email);
      expect(mail.subject).toBe(`The account ${one.email} is being deleted`);
      expect(mail.text).toContain(`${one.email} has deleted`);
    }
  });

  it('leaves a person who can sign in and create another account', async () => {
    const one = await wholeAccount();
    await remove(one);
    expect((await mailTo(service, one.email)).subject).toContain('is being deleted');
    const browser = new Browser(service);
    expect((await signIn(service, browser, one.email)).path).toBe('/app/accounts');
    expect(browser.text).toContain('Create an account of your own');
    const { path } = await browser.submit('/app/accounts');
    expect(path).toMatch(/^\/app\/acct_\w+\/home$/);
    expect(path).not.toContain(one.id);
  });

  it('forgets what the object of the account has stored', async () => {
    const one = await somebody(service);
    const key = await makeKey(one);
    const headers = { 'idempotency-key': 'once' };
    const first = await service.request('/cut', { key, json: clip, headers });
    const { id } = (await first.json()) as { id: string };
    await remove(one);
    await sweep(service);
    expect(await rowsOf(service, one.id)).toMatchObject({ accounts: 0, tasks: 0 });
    // The same account once more, as only this test can make it.
    await rows(
      service,
      "insert into accounts (id, name, plan, subscription, created_at) values (?, 'x', 'basic', 'active', 1)",
      one.id,
    );
    const { DB } = await service.bindings();
    const { hashKey } = await import('../../../worker/lib/api-key.ts');
    const { secrets } = await import('../../harness.ts');
    await DB.prepare(
      "insert into keys (id, account_id, label, hash, created_at) values ('key_again', ?, 'x', ?, 1)",
    )
      .bind(one.id, await hashKey(key, secrets.KEY_PEPPER))
      .run();
    const second = await service.request('/cut', { key, json: clip, headers });
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([202, null]);
    expect(((await second.json()) as { id: string }).id).not.toBe(id);
  });
});

describe('a deletion that is interrupted', () => {
  it('goes on by itself, at whichever table it was', async () => {
    const names = [...(await tablesOfAccounts(service)), 'accounts'];
    expect(names.length).toBeGreaterThan(12);
    for (const name of names) {
      const one = await wholeAccount();
      await rows(
        service,
        `create trigger interrupt before delete on ${name} begin select raise(abort, 'interrupted'); end`,
      );
      await remove(one);
      // What the first statement deletes, it deletes or nothing happens at all.
      const isFirst = name === 'members' || name === 'invitations';
      const left = await rowsOf(service, one.id);
      expect([name, left.accounts, left.account_deletions]).toEqual([name, 1, isFirst ? 0 : 1]);
      await sweep(service);
      expect((await rowsOf(service, one.id)).accounts, `${name} is still refused`).toBe(1);
      await rows(service, 'drop trigger interrupt');
      if (isFirst) await remove(one);
      await sweep(service);
      await expectNothingLeft(one);
    }
  }, 300_000);

  it.each(['bucket', 'object'])('goes on by itself where the %s did not answer', async (name) => {
    const one = await wholeAccount();
    await setFault(name);
    await remove(one);
    await sweep(service);
    expect(await rowsOf(service, one.id)).toMatchObject({ accounts: 1, account_deletions: 1, members: 0 });
    await setFault('');
    await sweep(service);
    await expectNothingLeft(one);
  });

  it('does not keep others waiting', async () => {
    const [stuck, other] = [await wholeAccount(), await wholeAccount()];
    await rows(
      service,
      `create trigger interrupt before delete on usage_days when old.account_id = '${stuck.id}'
        begin select raise(abort, 'interrupted'); end`,
    );
    await remove(stuck);
    await setFault('object');
    await remove(other);
    await setFault('');
    await sweep(service);
    await expectNothingLeft(other);
    expect((await rowsOf(service, stuck.id)).accounts).toBe(1);
    await rows(service, 'drop trigger interrupt');
    await sweep(service);
    await expectNothingLeft(stuck);
  });
});

describe('an account with 10,000 tasks', () => {
  it('is deleted in batches, by the request and a sweep', async () => {
    const one = await somebody(service);
    await rows(
      service,
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10000)
        insert into tasks (id, account_id, seq, request_id, operation, status, stage, progress_percent, attempt, input,
          metadata, result, created_at, completed_at, expires_at)
        select printf('task_%026d', 500000 + n), ?, n, 'req', 'cut', 'completed', 'done', 100, 1, '{}', '{}',
          json_object('files', json_array(json_object('key', printf('t/task_%026d/1/a.mp4', 500000 + n)))), n, n, ?
        from numbers`,
      ...[one.id, Date.now() + 1e9],
    );
    const { FILES } = await service.bindings();
    const first = `t/task_${'500001'.padStart(26, '0')}/1/a.mp4`;
    const last = `t/task_${'510000'.padStart(26, '0')}/1/a.mp4`;
    await Promise.all([first, last].map((key) => FILES.put(key, 'x')));
    const began = performance.now();
    await remove(one);
    const asked = performance.now() - began;
    const left = await rowsOf(service, one.id);
    expect(left.accounts).toBe(1);
    expect(left.tasks).toBeGreaterThan(0);
    expect(left.tasks).toBeLessThan(10_000);
    await sweep(service);
    await expectNothingLeft({ id: one.id, prefixes: [first, last] });
    const swept = performance.now() - began - asked;
    console.log(
      `10,000 tasks: ${Math.round(asked)} ms in the request, which left ${left.tasks}, ${Math.round(swept)} ms in a sweep`,
    );
  }, 120_000);
});
