import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import { askForCode, Browser, mailsTo, mailTo, secretsIn, signIn, tokenIn } from './browser.ts';
import { everything, peopleAt, rows, sessionsAt } from './rows.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
});
afterAll(() => service.close());

const ask = (email: string, browser = new Browser(service), next = '') =>
  askForCode(service, email, browser, next);
const peopleWith = (email: string) => peopleAt(service, email);
const sessionsOf = (email: string) => sessionsAt(service, email);

describe('a session', () => {
  it('gets a cookie that no script reads and no other site sends', async () => {
    const { browser, code } = await ask('cookie@example.com');
    const response = await browser.post('/app/sign-in/code', { code });
    const [line = ''] = response.headers.getSetCookie();
    expect(line).toMatch(/^spool_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
  });

  it('has a token of its own: one that was planted before is worth nothing after', async () => {
    const { browser, code } = await ask('fixed@example.com');
    const planted = new Map(browser.cookies);
    await browser.submit('/app/sign-in/code', { code });
    expect(browser.cookies).not.toEqual(planted);
    const attacker = new Browser(service);
    for (const [name, value] of planted) attacker.cookies.set(name, value);
    expect((await attacker.open('/app/settings')).path).toMatch(/^\/app\/sign-in/);
  });

  it('ends when the person signs out, also for a copy of the cookie', async () => {
    const browser = new Browser(service);
    await signIn(service, browser, 'out@example.com');
    const copy = new Browser(service);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect((await copy.open('/app/settings')).path).toBe('/app/settings');
    expect((await browser.submit('/app/sign-out')).path).toBe('/app/sign-in');
    expect((await copy.open('/app/settings')).path).toMatch(/^\/app\/sign-in/);
    expect(await sessionsOf('out@example.com')).toEqual([]);
  });

  it('is listed with browser and place, and ended one by one or all the others', async () => {
    const [here, there, third] = [new Browser(service), new Browser(service), new Browser(service)];
    for (const browser of [here, there, third]) await signIn(service, browser, 'many@example.com');
    await here.open('/app/settings');
    expect(here.text.match(/Firefox on Linux/g)?.length).toBeGreaterThanOrEqual(3);
    const [, newest] = /sessions\/(sess_\w+)\/end/.exec(here.text) ?? [];
    const ids = await sessionsOf('many@example.com');
    expect(ids).toHaveLength(3);
    const [other] = ids.filter(({ id }) => id === newest);
    await here.submit(`/app/settings/sessions/${other?.id}/end`);
    expect((await third.open('/app/settings')).path).toMatch(/^\/app\/sign-in/);
    await here.open('/app/settings');
    await here.submit('/app/settings/sessions/end-others');
    expect((await there.open('/app/settings')).path).toMatch(/^\/app\/sign-in/);
    expect((await here.open('/app/settings')).path).toBe('/app/settings');
  });

  it('takes the place of the one that the browser had', async () => {
    const browser = new Browser(service);
    await signIn(service, browser, 'first@example.com');
    const { link } = await ask('second@example.com');
    await browser.open(link.replace(service.url.origin, ''));
    expect(browser.text).toContain('you are signed in as first@example.com');
    await browser.submit('/app/sign-in/link', { token: tokenIn(link) });
    await browser.open('/app/settings');
    expect(browser.text).toContain('You sign in as second@example.com');
    expect(await sessionsOf('first@example.com')).toEqual([]);
  });
});

describe('the page to go to', () => {
  it.each([
    'https://evil.example/app',
    '//evil.example/app',
    '/\\evil.example/app',
    '\\\\evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/app/../docs',
    '/app/../../evil',
    '/docs',
    '/app@evil.example',
    '/apples',
    '/app/sign-in/link?token=x',
    '/app\r\nlocation: https://evil.example',
    `/app/${'x'.repeat(1000)}`,
  ])('is never %j', async (next) => {
    const { browser, code } = await ask(
      `next-${crypto.randomUUID()}@example.com`,
      new Browser(service),
      next,
    );
    const response = await browser.post('/app/sign-in/code', { code });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/app']);
  });

  it('is the page that was asked for', async () => {
    const browser = new Browser(service);
    const at = await browser.open('/app/settings');
    expect(at.path).toBe('/app/sign-in?next=%2Fapp%2Fsettings');
    const { code } = await ask('wanted@example.com', browser, '/app/settings');
    expect((await browser.submit('/app/sign-in/code', { code })).path).toBe('/app/settings');
  });
});

describe('a change of address', () => {
  /** Asks for it and returns the codes that both addresses got. */
  async function askFor(browser: Browser, old: string, email: string) {
    await browser.open('/app/settings');
    expect((await browser.submit('/app/settings/address', { email })).path).toBe('/app/settings/address');
    return {
      old: secretsIn(await mailTo(service, old)).code,
      fresh: secretsIn(await mailTo(service, email)).code,
    };
  }

  it('needs the codes of both addresses, and ends all other sessions', async () => {
    const [browser, other] = [new Browser(service), new Browser(service)];
    for (const one of [browser, other]) await signIn(service, one, 'old@example.com');
    const codes = await askFor(browser, 'old@example.com', 'new@example.com');
    const confirm = (old_code: string, new_code: string) =>
      browser.submit('/app/settings/address/confirm', { old_code, new_code });
    const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
    expect((await confirm(codes.old, wrong(codes.fresh))).status).toBe(422);
    expect((await confirm(wrong(codes.old), codes.fresh)).status).toBe(422);
    expect((await confirm(codes.fresh, codes.old)).status).toBe(422);
    expect(await peopleWith('new@example.com')).toEqual([]);
    expect(await confirm(codes.old, codes.fresh)).toEqual({ status: 200, path: '/app/settings' });
    expect(browser.text).toContain('You sign in as new@example.com');
    expect(await peopleWith('old@example.com')).toEqual([]);
    expect((await other.open('/app/settings')).path).toMatch(/^\/app\/sign-in/);
    expect((await mailTo(service, 'old@example.com')).subject).toContain('was changed');
  });

  it('to the address of another person is refused, and only to somebody who has proven to have both', async () => {
    await signIn(service, new Browser(service), 'taken@example.com');
    const browser = new Browser(service);
    await signIn(service, browser, 'wants@example.com');
    const before = await everything(service);
    const codes = await askFor(browser, 'wants@example.com', 'taken@example.com');
    const page = browser.text.replaceAll(browser.formToken, '');
    expect(page).not.toContain('another person');
    await browser.submit('/app/settings/address/confirm', { old_code: codes.old, new_code: codes.fresh });
    expect(browser.text).toContain('belongs to another person');
    expect(await everything(service)).toEqual(before);
  });

  it('is not made by codes for anything else', async () => {
    const browser = new Browser(service);
    await signIn(service, browser, 'mixed@example.com');
    await browser.open('/app/prove');
    await browser.submit('/app/prove/send');
    const { code } = secretsIn(await mailTo(service, 'mixed@example.com'));
    await browser.submit('/app/settings/address/confirm', { old_code: code, new_code: code });
    expect(await peopleWith('mixed@example.com')).toHaveLength(1);
    expect((await browser.submit('/app/sign-in/code', { code })).path).not.toMatch(/home$/);
  });
});

describe('a fresh proof', () => {
  it('is a new code to the address of the person', async () => {
    const browser = new Browser(service);
    const at = await signIn(service, browser, 'fresh@example.com');
    const keys = at.path.replace('/home', '/keys');
    await rows(
      service,
      "update sessions set proven_at = 1 where person_id = (select id from people where email = 'fresh@example.com')",
    );
    await browser.open(keys);
    expect(browser.text).not.toContain('Create the key');
    await browser.open(`/app/prove?next=${encodeURIComponent(keys)}`);
    await browser.submit('/app/prove/send', { next: keys });
    const { code } = secretsIn(await mailTo(service, 'fresh@example.com'));
    const wrong = code === '000000' ? '000001' : '000000';
    expect((await browser.submit('/app/prove', { code: wrong, next: keys })).status).toBe(422);
    expect(await browser.submit('/app/prove', { code, next: keys })).toEqual({
      status: 200,
      path: keys,
    });
    expect(browser.text).toContain('Create the key');
  });

  it('and a change of address have codes that no stranger can use up', async () => {
    const browser = new Browser(service);
    await signIn(service, browser, 'flooded@example.com');
    for (let count = 0; count < 7; count++) {
      const stranger = new Browser(service);
      await stranger.open('/app/sign-in');
      await stranger.submit('/app/sign-in', { email: 'flooded@example.com' });
    }
    await expect.poll(() => mailsTo(service, 'flooded@example.com')).toHaveLength(6);
    await browser.open('/app/prove');
    expect((await browser.submit('/app/prove/send')).status).toBe(200);
    expect(browser.text).toContain('A code is on its way to flooded@example.com');
    await expect.poll(() => mailsTo(service, 'flooded@example.com')).toHaveLength(7);
    await browser.open('/app/settings');
    const to = 'dry@example.com';
    expect((await browser.submit('/app/settings/address', { email: to })).path).toBe('/app/settings/address');
    await expect.poll(() => mailsTo(service, 'flooded@example.com')).toHaveLength(8);
  });

  it('is not promised by a page once no more codes are sent', async () => {
    const browser = new Browser(service);
    await signIn(service, browser, 'eager@example.com');
    await browser.open('/app/prove');
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) statuses.push((await browser.submit('/app/prove/send')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(browser.text).toContain('No code was sent');
    expect(browser.text).not.toContain('is on its way');
    await browser.open('/app/settings');
    expect((await browser.submit('/app/settings/address', { email: 'eager2@example.com' })).status).toBe(429);
    expect(browser.text).toContain('Not both codes were sent');
  });
});

describe('the sweep', () => {
  it('deletes what has expired, and nothing else', async () => {
    const [old, fresh] = [new Browser(service), new Browser(service)];
    await signIn(service, old, 'swept@example.com');
    await signIn(service, fresh, 'kept@example.com');
    const ofPerson = 'person_id = (select id from people where email = ?)';
    await rows(service, `update sessions set expires_at = 1 where ${ofPerson}`, 'swept@example.com');
    await rows(service, 'update challenges set expires_at = 1 where email = ?', 'swept@example.com');
    await rows(service, 'update audit_events set created_at = 1 where actor = ?', 'swept@example.com');
    await service.worker.scheduled({ cron: '*/5 * * * *' });
    const left = async (email: string) => [
      (await sessionsOf(email)).length,
      (await rows(service, 'select id from challenges where email = ?', email)).length,
      (await rows(service, 'select id from audit_events where actor = ?', email)).length,
      (await peopleWith(email)).length,
    ];
    expect(await left('swept@example.com')).toEqual([0, 0, 0, 1]);
    expect(await left('kept@example.com')).toEqual([1, 1, 1, 1]);
  });
});
