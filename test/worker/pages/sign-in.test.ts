import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import { askForCode, Browser, mailsTo, mailTo, signIn, tokenIn } from './browser.ts';
import { peopleAt, rows, sessionsAt } from './rows.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
});
afterAll(() => service.close());

const ask = (email: string, browser = new Browser(service), next = '') =>
  askForCode(service, email, browser, next);
const peopleWith = (email: string) => peopleAt(service, email);
const sessionsOf = (email: string) => sessionsAt(service, email);

describe('the first sign-in', () => {
  it('by code creates a person who owns an account on the free trial', async () => {
    const browser = new Browser(service);
    const at = await signIn(service, browser, 'Ada@Example.com'.toLowerCase());
    expect(at.status).toBe(200);
    expect(at.path).toMatch(/^\/app\/acct_\w+\/home$/);
    expect(browser.text).toContain('The free trial ends');
    const [row] = await rows(
      service,
      `select role, plan, subscription, trial_ends_at - accounts.created_at as trial from members
       join accounts on accounts.id = members.account_id join people on people.id = members.person_id
       where email = 'ada@example.com'`,
    );
    expect(row).toEqual({ role: 'owner', plan: 'basic', subscription: 'active', trial: 14 * 24 * 3600_000 });
  });

  it('creates one person and one account, also by two browsers at once and in another spelling', async () => {
    const [one, other] = [
      await ask('grace@example.com'),
      await ask('GRACE@Example.com '.toLowerCase().trim()),
    ];
    const enter = ({ browser, code }: typeof one) => browser.submit('/app/sign-in/code', { code });
    const [first, second] = await Promise.all([enter(one), enter(other)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.path).toBe(second.path);
    expect(await peopleWith('grace@example.com')).toHaveLength(1);
  });

  it('ends the trial on its day', async () => {
    await signIn(service, new Browser(service), 'trial@example.com');
    await rows(service, "update accounts set trial_ends_at = 1 where name = 'trial@example.com'");
    await service.worker.scheduled({ cron: '*/5 * * * *' });
    const [account] = await rows(
      service,
      "select subscription, trial_ends_at from accounts where name = 'trial@example.com'",
    );
    expect(account).toEqual({ subscription: 'inactive', trial_ends_at: null });
    const logged = await rows(
      service,
      `select actor, subject from audit_events join accounts on accounts.id = account_id
       where name = 'trial@example.com' and action = 'subscription.changed'`,
    );
    expect(logged).toEqual([{ actor: 'Spool', subject: 'basic, inactive' }]);
  });
});

describe('a link', () => {
  it('does not sign in when it is opened, however often, but by its button', async () => {
    const { link, code } = await ask('link@example.com');
    const path = link.replace(service.url.origin, '');
    const scanner = new Browser(service);
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
      const response = await scanner.send(path, { method });
      expect(response.status).toBe(200);
    }
    expect(await peopleWith('link@example.com')).toEqual([]);
    const [challenge] = await rows(
      service,
      "select tries, used_at from challenges where email = 'link@example.com'",
    );
    expect(challenge).toEqual({ tries: 0, used_at: null });

    const phone = new Browser(service);
    await phone.open(path);
    expect(phone.text).toContain('link@example.com');
    expect((await phone.submit('/app/sign-in/link', { token: tokenIn(link) })).path).toMatch(/home$/);
    const again = new Browser(service);
    expect((await again.open(path)).status).toBe(404);
    await again.open('/app/sign-in');
    expect((await again.submit('/app/sign-in/link', { token: tokenIn(link) })).status).toBe(404);
    expect(code).toMatch(/^\d{6}$/);
  });

  it('and its code are one: whichever is used first ends the other', async () => {
    const { browser, code, link } = await ask('either@example.com');
    await browser.submit('/app/sign-in/code', { code });
    const other = new Browser(service);
    await other.open('/app/sign-in');
    expect((await other.submit('/app/sign-in/link', { token: tokenIn(link) })).status).toBe(404);
  });

  it('is used once, also by two at the same moment', async () => {
    const { link } = await ask('race@example.com');
    const press = async () => {
      const browser = new Browser(service);
      await browser.open('/app/sign-in');
      return (await browser.post('/app/sign-in/link', { token: tokenIn(link) })).status;
    };
    expect((await Promise.all([press(), press(), press()])).sort()).toEqual([303, 404, 404]);
  });

  it('expires', async () => {
    const { browser, link, code } = await ask('slow@example.com');
    await rows(service, "update challenges set expires_at = ? where email = 'slow@example.com'", Date.now());
    expect((await browser.open(link.replace(service.url.origin, ''))).status).toBe(404);
    await browser.open('/app/sign-in/code');
    expect((await browser.submit('/app/sign-in/code', { code })).status).toBe(422);
    expect(await peopleWith('slow@example.com')).toEqual([]);
  });
});

describe('a code', () => {
  it('works once', async () => {
    const { browser, code } = await ask('once@example.com');
    const visitor = new Map(browser.cookies);
    const { formToken } = browser;
    expect((await browser.post('/app/sign-in/code', { code })).status).toBe(303);
    const replay = new Browser(service);
    for (const [name, value] of visitor) replay.cookies.set(name, value);
    expect((await replay.post('/app/sign-in/code', { code, form_token: formToken })).status).toBe(422);
    expect(await sessionsOf('once@example.com')).toHaveLength(1);
  });

  it('may be mistyped: the page asks to try again', async () => {
    const { browser, code } = await ask('typo@example.com');
    await browser.submit('/app/sign-in/code', { code: code === '000000' ? '000001' : '000000' });
    expect(browser.text).toContain('Check it and try again');
    expect((await browser.submit('/app/sign-in/code', { code })).status).toBe(200);
  });

  it('is not taken at the sixth try', async () => {
    const { browser, code } = await ask('sixth@example.com');
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries++)
      expect((await browser.submit('/app/sign-in/code', { code: wrong })).status).toBe(422);
    expect((await browser.submit('/app/sign-in/code', { code })).status).toBe(422);
    expect(await peopleWith('sixth@example.com')).toEqual([]);
  });

  it('is taken at the fifth try, and no more tries are to be had at the same moment', async () => {
    const { browser, code } = await ask('fifth@example.com');
    const wrong = code === '000000' ? '000001' : '000000';
    const tries = Array.from({ length: 12 }, () => browser.post('/app/sign-in/code', { code: wrong }));
    await Promise.all(tries);
    const [row] = await rows(service, "select tries from challenges where email = 'fifth@example.com'");
    expect(row).toEqual({ tries: 5 });
    const second = await ask('fifth@example.com', browser);
    for (let count = 0; count < 4; count++) {
      await browser.submit('/app/sign-in/code', { code: second.code === '111111' ? '111112' : '111111' });
    }
    expect((await browser.submit('/app/sign-in/code', { code: second.code })).status).toBe(200);
  });

  it('works in no other browser than the one that asked for it', async () => {
    const { code } = await ask('mine@example.com');
    const thief = new Browser(service);
    await ask('thief@example.com', thief);
    expect((await thief.submit('/app/sign-in/code', { code })).status).toBe(422);
    expect(await peopleWith('mine@example.com')).toEqual([]);
  });

  it('and the browser that asked for another one changes nothing about it', async () => {
    const { browser, code } = await ask('bound@example.com');
    const thief = new Browser(service);
    await thief.open('/app/sign-in');
    expect((await thief.submit('/app/sign-in/code', { code })).status, 'a browser that asked for none').toBe(
      422,
    );
    await ask('later@example.com', thief);
    expect((await browser.submit('/app/sign-in/code', { code })).status).toBe(200);
  });

  it('and the token of a link stand nowhere in the database as they are', async () => {
    const { code, link } = await ask('stored@example.com');
    const stored = JSON.stringify(
      await rows(service, "select * from challenges where email = 'stored@example.com'"),
    );
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(tokenIn(link));
  });
});

describe('an address', () => {
  it('that is known is answered as one that is not: the same pages, the same work', async () => {
    await signIn(service, new Browser(service), 'known@example.com');
    const answers = async (email: string) => {
      const browser = new Browser(service);
      await browser.open('/app/sign-in');
      const response = await browser.post('/app/sign-in', { email });
      const { status, headers } = response;
      const names = [...headers.keys()].sort();
      await browser.open('/app/sign-in/code');
      const page = browser.text.replaceAll(browser.formToken, '');
      const wrong = await browser.post('/app/sign-in/code', { code: '000000' });
      const text = (await wrong.text()).replaceAll(browser.formToken, '');
      const subject = (await mailTo(service, email)).subject.replace(/\d{6}/, '');
      return { status, names, location: headers.get('location'), page, wrong: [wrong.status, text], subject };
    };
    expect(await answers('known@example.com')).toEqual(await answers('unknown@example.com'));
    const counts = await rows<{ email: string; rows: number }>(
      service,
      `select email, count(*) as rows from challenges
       where email in ('known@example.com', 'unknown@example.com') group by email order by email`,
    );
    expect(counts.map(({ rows }) => rows)).toEqual([2, 1]);
  });

  it('gets six mails an hour at most, and nothing says so', async () => {
    const responses = [];
    for (let count = 0; count < 9; count++) {
      const browser = new Browser(service);
      await browser.open('/app/sign-in');
      const { status, headers } = await browser.post('/app/sign-in', { email: 'flood@example.com' });
      responses.push([status, headers.get('location')]);
    }
    expect(new Set(responses.map(String)).size).toBe(1);
    expect(await rows(service, "select id from challenges where email = 'flood@example.com'")).toHaveLength(
      6,
    );
    const mails = async () => (await mailsTo(service, 'flood@example.com')).length;
    await expect.poll(mails, { timeout: 20_000 }).toBe(6);
  });

  it.each([
    '',
    'x',
    'a@b',
    'a b@example.com',
    `${'a'.repeat(300)}@example.com`,
    'a@example.com\r\nbcc: b@example.com',
  ])('is refused as %j, with nothing sent', async (email) => {
    const browser = new Browser(service);
    await browser.open('/app/sign-in');
    expect((await browser.submit('/app/sign-in', { email })).status).toBe(422);
  });

  it('that somebody else typed first is free until it is proven', async () => {
    const attacker = await ask('victim@example.com');
    expect(await peopleWith('victim@example.com')).toEqual([]);
    const victim = new Browser(service);
    expect((await signIn(service, victim, 'victim@example.com')).status).toBe(200);
    // The attacker's browser has a cookie and a challenge of its own, and neither is worth anything now.
    expect((await attacker.browser.open('/app/settings')).path).toMatch(/^\/app\/sign-in/);
    expect(await sessionsOf('victim@example.com')).toHaveLength(1);
  });
});
