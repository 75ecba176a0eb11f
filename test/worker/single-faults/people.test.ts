import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SINGLE_PUT_BYTES } from '../../../schema/api/upload.ts';
import { askForCode, Browser, mailTo, secretsIn } from '../pages/browser.ts';
import { makeKey, type Somebody, somebody } from '../pages/somebody.ts';
import { ask, callsOf, closeStand, failNext, rows, service, startStand } from './stand.ts';

beforeAll(() => startStand());
afterAll(closeStand);

const scoped = ({ id }: { id: string }) => ({ 'x-fault-scope': id });
const idsIn = async (table: string, { id }: { id: string }) =>
  rows<{ id: string }>(`select id from ${table} where account_id = ?`, id);
const failed = async (one: { id: string }, fault: 'before' | 'after') =>
  expect(await callsOf(one)).toContainEqual(expect.objectContaining({ fault }));

/** Posts a form, and again if the service is not available. @returns the statuses */
async function insist({ browser }: Pick<Somebody, 'browser'>, path: string, form = {}, headers = {}) {
  const first = await browser.post(path, form, headers);
  if (first.status !== 503) return [first.status];
  expect(first.headers.get('retry-after')).toBe('5');
  return [503, (await browser.post(path, form, headers)).status];
}

describe('a code', () => {
  it.each([
    ['before', [503, 303]],
    ['after', [303]],
  ] as const)('signs in once where the call fails %s the session is written', async (mode, statuses) => {
    const email = `code-${mode}@example.com`;
    const { browser, code } = await askForCode(service, email, new Browser(service), '/app');
    const one = { id: email, browser };
    await failNext(one, 'D1 batch insert into "sessions"', mode);
    expect(await insist(one, '/app/sign-in/code', { code }, scoped(one))).toEqual(statuses);
    await failed(one, mode);
    const begun = 'select 1 from sessions join people on people.id = person_id where email = ?';
    expect(await rows(begun, email)).toHaveLength(1);
  });

  it.each([
    ['before', [503, 303]],
    ['after', [303]],
  ] as const)('proves once where the call fails %s the proof is written', async (mode, statuses) => {
    const one = await somebody(service);
    await one.browser.open('/app/prove');
    await one.browser.submit('/app/prove/send');
    const { code } = secretsIn(await mailTo(service, one.email));
    await failNext(one, 'D1 batch update "sessions" set', mode);
    expect(await insist(one, '/app/prove', { code }, scoped(one))).toEqual(statuses);
    await failed(one, mode);
    expect((await one.browser.post('/app/prove', { code })).status).toBe(422);
  });

  it.each([
    ['before', [503, 303]],
    ['after', [303]],
  ] as const)('changes the address wholly where the call fails %s it is written', async (mode, statuses) => {
    const one = await somebody(service);
    const other = new Browser(service);
    const { code: third } = await askForCode(service, one.email, other, '/app');
    await other.post('/app/sign-in/code', { code: third });
    const email = `new-${mode}@example.com`;
    await one.browser.open('/app/settings');
    await one.browser.submit('/app/settings/address', { email });
    const codes = {
      old_code: secretsIn(await mailTo(service, one.email)).code,
      new_code: secretsIn(await mailTo(service, email)).code,
    };
    await failNext(one, 'D1 batch update "people"', mode);
    expect(await insist(one, '/app/settings/address/confirm', codes, scoped(one))).toEqual(statuses);
    await failed(one, mode);
    expect((await mailTo(service, one.email)).subject).toContain('address');
    const left = 'select 1 from sessions join people on people.id = person_id where email = ?';
    expect(await rows(left, email), 'other sessions have ended').toHaveLength(1);
  });
});

it('a page is shown where only the time of the visit could not be noted', async () => {
  const one = await somebody(service);
  await rows(
    'update sessions set last_seen_at = 1 where person_id in (select id from people where email = ?)',
    one.email,
  );
  await failNext(one, 'D1 update "sessions" set "last_seen', 'before');
  const response = await one.browser.send(`${one.account}/keys`, { headers: scoped(one) });
  expect(response.status).toBe(200);
  await failed(one, 'before');
});

describe('a removal whose answer is lost is answered as done:', () => {
  /** A form of the dashboard, the beginning of the call that removes, and the table that the row is in. */
  type Removal = (one: Somebody) => Promise<[path: string, match: string]>;
  const first = async (table: string, one: Somebody) => (await idsIn(table, one))[0]?.id;
  const removals: Record<string, Removal> = {
    'a key that is revoked': async (one) => {
      await makeKey(one);
      return [`${one.account}/keys/${await first('keys', one)}/revoke`, 'D1 batch update "keys"'];
    },
    'an invitation that is withdrawn': async (one) => {
      await one.browser.open(`${one.account}/members`);
      await one.browser.submit(`${one.account}/members`, { email: 'guest@example.com', role: 'member' });
      const path = `${one.account}/members/invitations/${await first('invitations', one)}/withdraw`;
      return [path, 'D1 batch delete from "invitations"'];
    },
    'a member who is removed': async (one) => {
      const guest = await somebody(service);
      const [person] = await rows<{ id: string }>('select id from people where email = ?', guest.email);
      await rows("insert into members values (?, ?, 'member', 1)", one.id, person?.id);
      return [`${one.account}/members/${person?.id}/remove`, 'D1 batch delete from "members"'];
    },
    'a session that is ended': async (one) => {
      const other = new Browser(service);
      const { code } = await askForCode(service, one.email, other, '/app');
      await other.post('/app/sign-in/code', { code });
      const [session] = await rows<{ id: string }>(
        'select sessions.id from sessions join people on people.id = person_id where email = ? order by sessions.created_at desc limit 1',
        one.email,
      );
      return [`/app/settings/sessions/${session?.id}/end`, 'D1 delete from "sessions"'];
    },
    'an endpoint that is removed': async (one) => {
      await one.browser.open(`${one.account}/webhooks`);
      await one.browser.submit(`${one.account}/webhooks/endpoints`, {
        ...{ url: 'https://hooks.example.com/', events: 'task.failed' },
      });
      const path = `${one.account}/webhooks/endpoints/${await first('webhook_endpoints', one)}/remove`;
      return [path, 'D1 batch delete from "webhook_end'];
    },
    'an account that is deleted': async (one) => [
      `${one.account}/delete`,
      'D1 batch insert into "account_de',
    ],
  };
  it.each(Object.keys(removals))('%s', async (name) => {
    const one = await somebody(service);
    const [path, match] = (await removals[name]?.(one)) ?? ['', ''];
    await one.browser.open(`${one.account}/members`);
    const confirm = /value="([^"]*)"/.exec(one.browser.text)?.[1] ?? '';
    expect(confirm).not.toBe('');
    await failNext(one, match, 'after');
    expect((await one.browser.post(path, { confirm: one.email }, scoped(one))).status).toBe(303);
    await failed(one, 'after');
  });

  it.each([
    [
      '/uploads',
      { file_name: 'talk.mp4', size_bytes: SINGLE_PUT_BYTES + 1 },
      'D1 delete from "uploads"',
      '/uploads/',
    ],
    ['/cut', { video_url: 'https://media.example.com/talk.mp4', duration: 5 }, 'DO ACCOUNT.remove', '/task/'],
    [
      '/webhooks/endpoints',
      { url: 'https://hooks.example.com/' },
      'D1 batch delete from "webhook_end',
      '/webhooks/endpoints/',
    ],
  ] as const)('what %s made', async (path, json, match, place) => {
    const account = await service.createAccount('elite');
    const { id } = (await (await ask(path, account, { json })).json()) as { id: string };
    await failNext(account, match, 'after');
    expect((await ask(place + id, account, { method: 'DELETE' })).status).toBeLessThan(300);
    await failed(account, 'after');
    expect((await ask(place + id, account, { method: 'DELETE' })).status).toBe(404);
  });
});

it('an invitation is accepted where the answer of the database is lost', async () => {
  const [one, guest] = [await somebody(service), await somebody(service)];
  await one.browser.open(`${one.account}/members`);
  await one.browser.submit(`${one.account}/members`, { email: guest.email, role: 'member' });
  const [invitation] = await idsIn('invitations', one);
  await guest.browser.open('/app/accounts');
  await failNext(guest, 'D1 batch insert into "members"', 'after');
  const response = await guest.browser.post(`/app/invitations/${invitation?.id}/accept`, {}, scoped(guest));
  expect([response.status, response.headers.get('location')]).toEqual([303, `/app/${one.id}/home`]);
  await failed(guest, 'after');
});

describe('what the log of the account says is written with what it says', () => {
  const url = 'https://hooks.example.com/';
  it('of an endpoint: it is made once where the form is sent again', async () => {
    const one = await somebody(service);
    const path = `${one.account}/webhooks`;
    await one.browser.open(path);
    await failNext(one, 'audit_events', 'before');
    expect(await insist(one, `${path}/endpoints`, { url, events: 'task.failed' }, scoped(one))).toEqual([
      503, 303,
    ]);
    expect(await idsIn('webhook_endpoints', one)).toHaveLength(1);
    const noted = "select 1 from audit_events where account_id = ? and action = 'endpoint.created'";
    expect(await rows(noted, one.id)).toHaveLength(1);
  });

  it('of a secret: it is rotated once where the form is sent again', async () => {
    const one = await somebody(service);
    const path = `${one.account}/webhooks`;
    await one.browser.open(path);
    await insist(one, `${path}/secret/rotate`);
    await one.browser.open(path);
    await failNext(one, 'audit_events', 'before');
    expect(await insist(one, `${path}/secret/rotate`, {}, scoped(one))).toEqual([503, 200]);
    expect(await rows('select 1 from webhook_secrets where account_id = ?', one.id)).toHaveLength(2);
  });
});
