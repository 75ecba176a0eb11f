import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import { Browser, signIn } from './browser.ts';
import { type PageRoute, pages, pathOf, titleOf } from './page-routes.ts';
import { everything, makeStale, rows } from './rows.ts';
import { writeTask } from './task-rows.ts';

let service: Service;
/** Ids of the owner's account and of the owner. */
let own: Record<string, string>;
let tried = 0;

const browsers: Record<'owner' | 'member' | 'stranger', Browser> = {} as never;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
  for (const name of ['owner', 'member', 'stranger'] as const) {
    browsers[name] = new Browser(service);
    await signIn(service, browsers[name], `${name}@example.com`);
  }
  const [person] = await rows<{ id: string }>(
    service,
    "select id from people where email = 'owner@example.com'",
  );
  const [account] = await rows<{ account_id: string }>(
    service,
    'select account_id from members where person_id = ?',
    person?.id,
  );
  const accountId = account?.account_id ?? '';
  const path = `/app/${accountId}`;
  await browsers.owner.open(`${path}/members`);
  await browsers.owner.submit(`${path}/members`, { email: 'member@example.com', role: 'member' });
  await browsers.member.open('/app/accounts');
  const join = /\/app\/invitations\/[^/]+\/accept/.exec(browsers.member.text)?.[0] ?? '';
  await browsers.member.submit(join);
  await browsers.owner.submit(`${path}/members`, { email: 'invited@example.com', role: 'member' });
  await browsers.owner.submit(`${path}/keys`, { label: 'CI', lifetime: 'never' });
  const only = async (sql: string) => (await rows<{ id: string }>(service, sql, accountId))[0]?.id ?? '';
  await rows(
    service,
    "insert into webhook_endpoints (id, account_id, url, created_at) values ('whe_1', ?, 'https://hooks.example.com/', 1)",
    accountId,
  );
  await rows(
    service,
    `insert into webhook_deliveries (id, account_id, event_id, type, url, status, attempts, step, created_at)
      values ('whd_1', ?, 'evt_1', 'webhook.test', 'https://hooks.example.com/', 'failed', 8, 8, ?)`,
    ...[accountId, Date.now()],
  );
  own = {
    ...{ endpoint: 'whe_1', delivery: 'whd_1', upload: 'upl_1' },
    account: accountId,
    person: person?.id ?? '',
    key: await only('select id from keys where account_id = ?'),
    invitation: await only('select id from invitations where account_id = ?'),
    session: await only(
      'select sessions.id from sessions join members on members.person_id = sessions.person_id where account_id = ? limit 1',
    ),
    passkey: 'a-passkey',
    operation: 'cut',
    task: await writeTask(service, accountId, {}),
  };
  await rows(
    service,
    "insert into passkeys (id, person_id, label, public_key, counter, created_at) values ('a-passkey', ?, 'Laptop', '', 0, 1)",
    own.person,
  );
});
afterAll(() => service.close());

const posts = pages.filter(({ method }) => method === 'post');
/** Pages that lead on to the account of the person. */
const onward = new Set(['/app', '/app/playground/:operation']);
const ofPeople = pages.filter(({ access }) => access !== 'anyone');
const ofAccounts = pages.filter(({ path }) => path.includes(':account'));

/** Opens a page or posts its form, with a valid token unless one is given. */
async function visit(browser: Browser, route: PageRoute, values = own, fields = {}, headers = {}) {
  tried += 1;
  const path = pathOf(route, values);
  if (route.method === 'get') return browser.send(path, { headers });
  if (browser.formToken === '') await browser.open('/app/sign-in');
  return browser.post(path, fields, headers);
}

async function signedOut(): Promise<Browser> {
  const browser = new Browser(service);
  await browser.open('/app/sign-in');
  return browser;
}

describe('a page', () => {
  it.each(ofPeople.map((route) => [titleOf(route), route] as const))(
    '%s asks a visitor to sign in',
    async (_, route) => {
      const before = await everything(service);
      const response = await visit(await signedOut(), route);
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toMatch(/^\/app\/sign-in(\?next=|$)/);
      expect(await everything(service)).toEqual(before);
    },
  );

  it.each(ofAccounts.map((route) => [titleOf(route), route] as const))(
    '%s is for a stranger the same as a page of an account that does not exist',
    async (_, route) => {
      const before = await everything(service);
      await browsers.stranger.open('/app/settings');
      const foreign = await visit(browsers.stranger, route);
      const missing = await visit(browsers.stranger, route, { ...own, account: `acct_${'0'.repeat(26)}` });
      expect([foreign.status, missing.status]).toEqual([404, 404]);
      expect(await foreign.text()).toBe(await missing.text());
      expect(await everything(service)).toEqual(before);
    },
  );

  it.each(pages.filter(({ access }) => access === 'owner').map((route) => [titleOf(route), route] as const))(
    '%s is not for a member who is no owner',
    async (_, route) => {
      const before = await everything(service);
      await browsers.member.open('/app/settings');
      expect((await visit(browsers.member, route)).status).toBe(403);
      expect(await everything(service)).toEqual(before);
    },
  );

  it.each(posts.map((route) => [titleOf(route), route] as const))(
    '%s takes no form of another site, and none without the token of the session',
    async (_, route) => {
      const before = await everything(service);
      await browsers.owner.open('/app/settings');
      const theirs = browsers.member.formToken;
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${service.url.origin}.evil.example` },
        { origin: '' },
      ]) {
        expect([headers, (await visit(browsers.owner, route, own, {}, headers)).status]).toEqual([
          headers,
          403,
        ]);
      }
      for (const form_token of ['', 'x', theirs, '0'.repeat(64)]) {
        expect((await visit(browsers.owner, route, own, { form_token })).status).toBe(403);
      }
      const json = { 'content-type': 'application/json' };
      expect((await visit(browsers.owner, route, own, {}, json)).status).toBe(415);
      const large = { label: 'x'.repeat((route.formBytes ?? 64 * 1024) + 5000) };
      expect((await visit(browsers.owner, route, own, large)).status).toBe(413);
      expect(await everything(service)).toEqual(before);
      const [session] = await rows(service, 'select id from sessions where id = ?', own.session);
      expect(session, 'the session goes on').toBeDefined();
    },
  );

  it('of a person changes nothing of another person by an id in its path', async () => {
    const before = await everything(service);
    await browsers.stranger.open('/app/settings');
    for (const route of pages.filter(({ access, path }) => access === 'person' && path.includes(':'))) {
      const { status } = await visit(browsers.stranger, route);
      const leads = route.path.endsWith('decline') || onward.has(route.path);
      expect([titleOf(route), status]).toEqual([titleOf(route), leads ? 303 : 404]);
    }
    expect(await everything(service)).toEqual(before);
    expect(await rows(service, 'select id from sessions where id = ?', own.session)).toHaveLength(1);
  });

  it('opens for a member, and for an owner', async () => {
    for (const route of pages.filter(({ method, access }) => method === 'get' && access !== 'anyone')) {
      const leads = onward.has(route.path);
      expect([titleOf(route), (await visit(browsers.owner, route)).status]).toEqual([
        titleOf(route),
        leads ? 303 : 200,
      ]);
      const forMember = route.access === 'owner' ? 403 : leads ? 303 : 200;
      expect([titleOf(route), (await visit(browsers.member, route)).status]).toEqual([
        titleOf(route),
        forMember,
      ]);
    }
  });

  it('lets no key in, and the cookie is no key', async () => {
    const { key } = service.accounts.elite;
    for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }] as Record<
      string,
      string
    >[]) {
      const response = await service.request(`/app/${own.account}/keys`, { headers, redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([
        303,
        `/app/sign-in?next=${encodeURIComponent(`/app/${own.account}/keys`)}`,
      ]);
    }
    for (const path of ['/account', '/tasks', '/webhooks/secret', '/usage']) {
      expect([path, (await browsers.owner.send(path)).status]).toEqual([path, 401]);
    }
    const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    for (const path of ['/cut', '/mcp', '/webhooks/test'])
      expect([path, (await browsers.owner.send(path, post)).status]).toEqual([path, 401]);
    expect((await browsers.owner.send('/keys')).status).toBe(404);
  });

  it('sends its forms only here, runs only our script, and is kept by no cache', async () => {
    for (const path of ['/app/sign-in/link', '/app/settings', `/app/${own.account}/keys`]) {
      const { headers } = await browsers.owner.send(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; style-src 'self'; script-src 'self';");
      expect(policy).toContain("form-action 'self'; frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
    }
  });
});

describe('an old session', () => {
  it('has to prove the identity again before it changes keys, members or ways to sign in', async () => {
    await makeStale(service, 'owner@example.com');
    const before = await everything(service);
    await browsers.owner.open('/app/settings');
    expect(browsers.owner.text).toContain('/app/prove?next=%2Fapp%2Fsettings');
    const fresh = pages.filter((route) => route.fresh);
    expect(fresh.length).toBeGreaterThan(10);
    for (const route of fresh) {
      const response = await visit(browsers.owner, route);
      expect([titleOf(route), response.headers.get('location')]).toEqual([
        titleOf(route),
        expect.stringMatching(/^\/app\/prove\?next=%2Fapp%2F/),
      ]);
    }
    expect(await everything(service)).toEqual(before);
  });

  it('is worth nothing once it has expired', async () => {
    const browser = new Browser(service);
    await signIn(service, browser, 'late@example.com');
    await rows(
      service,
      "update sessions set expires_at = 1 where person_id = (select id from people where email = 'late@example.com')",
    );
    for (const route of ofPeople) {
      const { status, headers } = await visit(browser, route);
      expect([titleOf(route), status, headers.get('location')?.startsWith('/app/sign-in')]).toEqual([
        titleOf(route),
        303,
        true,
      ]);
    }
    console.log(`${tried} visits, ${pages.length} routes of pages`);
  });
});
