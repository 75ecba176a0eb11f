import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, sleep, startService } from '../../harness.ts';
import { Browser, mailsTo, mailTo, secretsIn, signIn } from './browser.ts';
import { rows } from './rows.ts';
import { keyIdOf, keyIn, makeKey, somebody } from './somebody.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
});
afterAll(() => service.close());

describe('members', () => {
  it('are invited by mail, join with a button, and are gone the moment they are removed', async () => {
    const [owner, guest] = [await somebody(service), await somebody(service)];
    await owner.browser.open(`${owner.account}/members`);
    await owner.browser.submit(`${owner.account}/members`, { email: guest.email, role: 'member' });
    const mail = await mailTo(service, guest.email);
    expect(mail.text).toContain(owner.email);
    expect((await guest.browser.open(`${owner.account}/keys`)).status, 'before joining').toBe(404);
    await guest.browser.open('/app/accounts');
    const [accept = ''] = /\/app\/invitations\/\w+\/accept/.exec(guest.browser.text) ?? [];
    expect((await guest.browser.submit(accept)).path).toBe(`${owner.account}/home`);
    expect(guest.browser.text).toContain('Create a key');
    // Two accounts in one browser.
    expect((await guest.browser.open(`${guest.account}/keys`)).status).toBe(200);
    expect((await guest.browser.open(`${owner.account}/keys`)).status).toBe(200);
    expect((await guest.browser.open('/app')).path).toBe('/app/accounts');
    expect((await guest.browser.submit(accept)).status, 'a second time').toBe(404);

    const [person] = await rows<{ id: string }>(
      service,
      'select id from people where email = ?',
      guest.email,
    );
    await owner.browser.open(`${owner.account}/members`);
    await owner.browser.submit(`${owner.account}/members/${person?.id}/remove`);
    expect((await guest.browser.open(`${owner.account}/keys`)).status).toBe(404);
    expect((await guest.browser.open(`${guest.account}/keys`)).status).toBe(200);
  });

  it('who are new get no account of their own, unless they decline', async () => {
    const owner = await somebody(service);
    await owner.browser.open(`${owner.account}/members`);
    const email = 'invited-first@example.com';
    await owner.browser.submit(`${owner.account}/members`, { email, role: 'owner' });
    await mailTo(service, email);
    const guest = new Browser(service);
    expect((await signIn(service, guest, email)).path).toBe('/app/accounts');
    const [decline = ''] = /\/app\/invitations\/\w+\/decline/.exec(guest.text) ?? [];
    await guest.submit(decline);
    expect(guest.text).toContain('Create an account of your own');
    expect((await guest.submit('/app/accounts')).path).toMatch(/home$/);
    await guest.open('/app/accounts');
    await guest.post('/app/accounts');
    expect(await rows(service, 'select id from accounts where name = ?', email)).toHaveLength(1);
  });

  it('keep their invitation where another mail of it is refused', async () => {
    const owner = await somebody(service);
    const invite = async () => {
      await owner.browser.open(`${owner.account}/members`);
      const invited = { email: 'invited-often@example.com', role: 'member' };
      return (await owner.browser.submit(`${owner.account}/members`, invited)).status;
    };
    expect(await invite()).toBe(200);
    await rows(
      service,
      `with recursive number(n) as (select 1 union all select n + 1 from number where n < 40)
       insert into audit_events (id, account_id, actor, action, subject, created_at)
       select 'aud_' || hex(randomblob(13)), ?1, 'x', 'member.invited', 'x', ?2 from number`,
      ...[owner.id, Date.now()],
    );
    expect(await invite()).toBe(422);
    expect(await rows(service, 'select id from invitations where account_id = ?', owner.id)).toHaveLength(1);
  });

  it('are no longer invited once it is withdrawn or has expired', async () => {
    const [owner, guest] = [await somebody(service), await somebody(service)];
    const inviteAgain = async () => {
      await owner.browser.open(`${owner.account}/members`);
      await owner.browser.submit(`${owner.account}/members`, { email: guest.email, role: 'member' });
      await guest.browser.open('/app/accounts');
      return /\/app\/invitations\/(\w+)\/accept/.exec(guest.browser.text) ?? [];
    };
    const [accept = '', id] = await inviteAgain();
    await owner.browser.submit(`${owner.account}/members/invitations/${id}/withdraw`);
    expect((await guest.browser.submit(accept)).status).toBe(404);
    const [late = ''] = await inviteAgain();
    await rows(service, 'update invitations set expires_at = 1 where account_id = ?', owner.id);
    await guest.browser.open('/app/accounts');
    expect(guest.browser.text).not.toContain('Join');
    expect((await guest.browser.submit(late)).status).toBe(404);
    expect(await rows(service, 'select role from members where account_id = ?', owner.id)).toEqual([
      { role: 'owner' },
    ]);
  });

  it('are invited by address: a person with another one cannot take their place', async () => {
    const [owner, thief] = [await somebody(service), await somebody(service)];
    await owner.browser.open(`${owner.account}/members`);
    await owner.browser.submit(`${owner.account}/members`, { email: 'meant@example.com', role: 'owner' });
    const [invitation] = await rows<{ id: string }>(
      service,
      'select id from invitations where account_id = ?',
      owner.id,
    );
    await thief.browser.open('/app/accounts');
    expect(thief.browser.text).not.toContain('Join');
    expect((await thief.browser.submit(`/app/invitations/${invitation?.id}/accept`)).status).toBe(404);
    await thief.browser.submit(`/app/invitations/${invitation?.id}/decline`);
    expect(await rows(service, 'select id from invitations where account_id = ?', owner.id)).toHaveLength(1);
  });

  it('never leave an account without an owner, also when two go at once', async () => {
    const [one, two] = [await somebody(service), await somebody(service)];
    await one.browser.open(`${one.account}/members`);
    await one.browser.submit(`${one.account}/members`, { email: two.email, role: 'owner' });
    await two.browser.open('/app/accounts');
    expect(two.browser.text).toContain('Plan Basic, subscription active. You are an owner.');
    await two.browser.submit(/\/app\/invitations\/\w+\/accept/.exec(two.browser.text)?.[0] ?? '');
    await one.browser.open(`${one.account}/members`);
    expect(one.browser.text).toMatch(/members\/\w+\/remove"/);
    expect(one.browser.text).toContain('Leave this account');
    const leave = ({ browser }: typeof one) => browser.post(`${one.account}/members/leave`);
    const statuses = (await Promise.all([leave(one), leave(two)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 409]);
    expect(
      await rows(service, "select person_id from members where account_id = ? and role = 'owner'", one.id),
    ).toHaveLength(1);
    const lone = await somebody(service);
    const [person] = await rows<{ id: string }>(service, 'select id from people where email = ?', lone.email);
    await lone.browser.open(`${lone.account}/members`);
    expect(lone.browser.text).toContain('make another member an owner first');
    expect(lone.browser.text).not.toMatch(/members\/(leave|\w+\/(role|remove))"/);
    for (const [path, fields] of [
      ['leave', {}],
      [`${person?.id}/remove`, {}],
      [`${person?.id}/role`, { role: 'member' }],
    ] as const) {
      expect([path, (await lone.browser.post(`${lone.account}/members/${path}`, fields)).status]).toEqual([
        path,
        409,
      ]);
    }
  });

  it('are sent forty invitations a day at most, also where each is withdrawn', async () => {
    const owner = await somebody(service);
    const path = `${owner.account}/members`;
    await owner.browser.open(path);
    const statuses: number[] = [];
    for (let count = 0; count < 42; count++) {
      const { status } = await owner.browser.post(path, { email: `w${count}@example.com`, role: 'member' });
      statuses.push(status);
      await rows(service, 'delete from invitations where account_id = ?', owner.id);
    }
    expect(statuses.slice(38)).toEqual([303, 303, 422, 422]);
  });

  it('are sent six mails an hour at most to one address, whichever accounts invite it', async () => {
    const [one, other] = [await somebody(service), await somebody(service)];
    const invite = async ({ browser, account }: typeof one, email: string) => {
      await browser.open(`${account}/members`);
      return (await browser.post(`${account}/members`, { email, role: 'member' })).status;
    };
    const statuses: number[] = [];
    for (const owner of [one, one, one, one, other, other, other, one])
      statuses.push(await invite(owner, 'victim@example.com'));
    expect(statuses).toEqual([303, 303, 303, 303, 303, 303, 422, 422]);
    expect(await invite(other, 'another@example.com')).toBe(303);
    await expect.poll(() => mailsTo(service, 'another@example.com')).toHaveLength(1);
    await expect.poll(() => mailsTo(service, 'victim@example.com')).toHaveLength(6);
    expect(await rows(service, 'select id from invitations where account_id = ?', one.id)).toHaveLength(1);
  });

  it('get at most twenty open invitations', async () => {
    const owner = await somebody(service);
    await owner.browser.open(`${owner.account}/members`);
    for (let count = 0; count < 20; count++) {
      const { status } = await owner.browser.post(`${owner.account}/members`, {
        email: `g${count}@example.com`,
        role: 'member',
      });
      expect(status).toBe(303);
    }
    expect(
      (await owner.browser.post(`${owner.account}/members`, { email: 'g20@example.com', role: 'member' }))
        .status,
    ).toBe(422);
    expect(
      (await owner.browser.post(`${owner.account}/members`, { email: owner.email, role: 'member' })).status,
    ).toBe(422);
    await sleep(500);
    expect(await mailsTo(service, 'g20@example.com')).toEqual([]);
  });
});

describe('the log', () => {
  it('says who did what, newest first, and keeps no key', async () => {
    const [owner, guest] = [await somebody(service), await somebody(service)];
    const key = await makeKey(owner, 'logged');
    const id = await keyIdOf(service, owner.id, 'logged');
    await owner.browser.open(`${owner.account}/keys`);
    await owner.browser.submit(`${owner.account}/keys/${id}/roll`, { overlap: '24h' });
    keyIn(owner.browser);
    await owner.browser.open(`${owner.account}/keys`);
    await owner.browser.submit(`${owner.account}/keys/${id}/revoke`);
    await owner.browser.submit(`${owner.account}/members`, { email: guest.email, role: 'member' });
    await guest.browser.open('/app/accounts');
    await guest.browser.submit(/\/app\/invitations\/\w+\/accept/.exec(guest.browser.text)?.[0] ?? '');
    await owner.browser.open(`${owner.account}/log`);
    const lines = [...owner.browser.text.matchAll(/<span><strong>([^<]*)<\/strong>([^<]*)<\/span>/g)].map(
      ([, actor, text]) => `${actor}${text}`,
    );
    expect(lines).toEqual([
      `${guest.email} joined: ${guest.email}`,
      `${owner.email} invited ${guest.email}`,
      `${owner.email} revoked the key logged`,
      `${owner.email} rolled the key logged`,
      `${owner.email} created the key logged`,
      `${owner.email} created the account ${owner.email}`,
    ]);
    const stored = JSON.stringify(await rows(service, 'select * from audit_events'));
    expect(stored).not.toContain(key);
  });

  it('has no line for what did not happen', async () => {
    const one = await somebody(service);
    await one.browser.open(`${one.account}/keys`);
    await one.browser.submit(`${one.account}/keys/key_${'0'.repeat(26)}/revoke`);
    await one.browser.open(`${one.account}/keys`);
    await one.browser.submit(`${one.account}/members/leave`);
    expect(await rows(service, 'select action from audit_events where account_id = ?', one.id)).toEqual([
      { action: 'account.created' },
    ]);
  });
});

describe('a mail', () => {
  it('never has a key in it', async () => {
    const one = await somebody(service);
    await makeKey(one);
    const mails = await mailsTo(service, one.email);
    expect(mails.map(({ text }) => text).join('\n')).not.toContain('spool_live_');
    expect(secretsIn(mails[0] ?? { to: '', subject: '', text: '' }).code).toMatch(/^\d{6}$/);
  });
});
