import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/d1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deletionsRepo } from '../../../worker/repos/people/deletions.ts';
import { membersRepo } from '../../../worker/repos/people/members.ts';
import { type Service, startService } from '../../harness.ts';
import { Browser, mailTo, secretsIn, signIn } from './browser.ts';
import { peopleAt, rows } from './rows.ts';
import { type Somebody, somebody, sweep } from './somebody.ts';
import { fill, objectsUnder, rowsOf } from './whole-account.ts';

interface DeletePerson {
  deletePerson(context: object, core: object, person: { id: string; email: string }): Promise<boolean>;
}
// By its address, because tests are checked without the types of the Workers runtime.
const address = fileURLToPath(new URL('../../../worker/services/deletion/delete-person.ts', import.meta.url));
const { deletePerson } = (await import(address)) as DeletePerson;

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
});
afterAll(() => service.close());

async function join(owner: Somebody, guest: Somebody, role: string): Promise<void> {
  await owner.browser.open(`${owner.account}/members`);
  await owner.browser.submit(`${owner.account}/members`, { email: guest.email, role });
  await mailTo(service, guest.email);
  await guest.browser.open('/app/accounts');
  await guest.browser.submit(/\/app\/invitations\/\w+\/accept/.exec(guest.browser.text)?.[0] ?? '');
}

async function leave({ browser, email }: Somebody, confirm = email) {
  await browser.open('/app/settings/delete');
  return browser.post('/app/settings/delete', { confirm });
}

/** Where the id of a person occurs. */
async function tracesOf(personId: string): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    service,
    `select tables.name from sqlite_master as tables, pragma_table_info(tables.name) as columns
      where tables.type = 'table' and columns.name = 'person_id'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    if ((await rows(service, `select 1 from ${name} where person_id = ?`, personId)).length > 0)
      found.push(name);
  }
  return found.sort();
}

describe('deleting a person', () => {
  it('deletes sessions, passkeys, identities, memberships, and accounts without another member', async () => {
    const [one, host] = [await somebody(service), await somebody(service)];
    await join(host, one, 'member');
    const prefixes = await fill(service, one.id);
    const [person] = await peopleAt(service, one.email);
    const id = person?.id ?? '';
    await rows(
      service,
      "insert into passkeys (id, person_id, label, public_key, counter, created_at) values ('pk', ?, 'Laptop', '', 0, 1)",
      id,
    );
    await rows(service, "insert into identities values ('github', '1', ?, 'ada', 1)", id);
    expect(await tracesOf(id)).toEqual(['identities', 'members', 'passkeys', 'sessions']);
    expect((await leave(one, 'somebody else')).status).toBe(422);
    expect(await tracesOf(id)).toHaveLength(4);
    const response = await leave(one);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/app/sign-in']);
    expect(await tracesOf(id)).toEqual([]);
    expect(await peopleAt(service, one.email)).toEqual([]);
    expect(await rows(service, 'select id from challenges where email = ?', one.email)).toEqual([]);
    await sweep(service);
    expect(Object.values(await rowsOf(service, one.id)).filter((count) => count > 0)).toEqual([]);
    expect(await objectsUnder(service, prefixes)).toEqual([]);
    // The account of the host goes on, and says who left.
    expect((await rowsOf(service, host.id)).accounts).toBe(1);
    await host.browser.open(`${host.account}/log`);
    expect(host.browser.text).toContain(`<strong>${one.email}</strong> removed ${one.email}`);
  });

  it('is refused to the only owner of an account with other members, until another one is owner', async () => {
    const [owner, member] = [await somebody(service), await somebody(service)];
    await join(owner, member, 'member');
    const before = await rowsOf(service, owner.id);
    const [person] = await peopleAt(service, owner.email);
    await owner.browser.open('/app/settings/delete');
    expect(owner.browser.text).toContain('You are the only owner');
    expect(owner.browser.text).toContain(`${owner.account}/members`);
    expect((await leave(owner)).status).toBe(409);
    expect(await rowsOf(service, owner.id)).toEqual(before);
    const [other] = await peopleAt(service, member.email);
    await owner.browser.open(`${owner.account}/members`);
    await owner.browser.submit(`${owner.account}/members/${other?.id}/role`, { role: 'owner' });
    expect((await leave(owner)).status).toBe(303);
    expect(await tracesOf(person?.id ?? '')).toEqual([]);
    expect((await member.browser.open(`${owner.account}/keys`)).status).toBe(200);
  });

  it('never leaves an account without an owner, also when two go at once', async () => {
    const [one, two] = [await somebody(service), await somebody(service)];
    await join(one, two, 'owner');
    const third = await somebody(service);
    await join(one, third, 'member');
    for (const { browser } of [one, two]) await browser.open('/app/settings/delete');
    const posts = [one, two].map(({ browser, email }) =>
      browser.post('/app/settings/delete', { confirm: email }),
    );
    expect((await Promise.all(posts)).map(({ status }) => status).sort()).toEqual([303, 409]);
    const owners = "select person_id from members where account_id = ? and role = 'owner'";
    expect(await rows(service, owners, one.id)).toHaveLength(1);
  });

  it('spares an account that somebody joins as owner at the same moment', async () => {
    const [one, guest] = [await somebody(service), await somebody(service)];
    const prefixes = await fill(service, one.id);
    const [before, objects] = [await rowsOf(service, one.id), await objectsUnder(service, prefixes)];
    const [[person], [joining]] = [await peopleAt(service, one.email), await peopleAt(service, guest.email)];
    const { DB } = (await service.bindings()) as unknown as { DB: Parameters<typeof drizzle>[0] };
    const db = drizzle(DB);
    const repo = deletionsRepo(db);
    const deletions: typeof repo = {
      ...repo,
      async deletePerson(...given) {
        await rows(service, "insert into members values (?, ?, 'owner', 1)", one.id, joining?.id);
        return repo.deletePerson(...given);
      },
    };
    const touched: string[] = [];
    const noting = (name: string) => async () => void touched.push(name);
    const context = {
      ...{ deletions, members: membersRepo(db), customers: { find: async () => ({ customerId: 'cus_x' }) } },
      billing: { endSubscriptions: noting('subscription') },
    };
    const core = {
      ...{ files: { remove: noting('files') }, archive: { discard: noting('archive') } },
      account: () => ({ remove: noting('task'), forget: noting('object') }),
    };
    const leaving = { id: person?.id ?? '', email: one.email };
    expect(await deletePerson(context, core, leaving)).toBe(true);
    expect(await peopleAt(service, one.email)).toEqual([]);
    expect(touched).toEqual([]);
    const { audit_events: events = 0 } = before;
    expect(await rowsOf(service, one.id)).toEqual({ ...before, audit_events: events + 1 });
    expect(await objectsUnder(service, prefixes)).toEqual(objects);
    expect((await guest.browser.open(`${one.account}/keys`)).status).toBe(200);
  });

  it('lets the same address sign up once more, as somebody new', async () => {
    const one = await somebody(service);
    const [before] = await peopleAt(service, one.email);
    await leave(one);
    const browser = new Browser(service);
    const { path } = await signIn(service, browser, one.email);
    expect(path).toMatch(/\/home$/);
    const [after] = await peopleAt(service, one.email);
    expect(after?.id).not.toBe(before?.id);
    expect(path).not.toContain(one.id);
  });

  it('ends the free trial of the address for good, also under an address it was changed to', async () => {
    const trialOf = async (email: string) => {
      const [account] = await rows(
        service,
        'select subscription, trial_ends_at is not null as trial from accounts where name = ?',
        email,
      );
      return account;
    };
    const [one, host] = [await somebody(service), await somebody(service)];
    expect(await trialOf(one.email)).toEqual({ subscription: 'active', trial: 1 });
    await leave(one);
    expect(await rows(service, 'select 1 from trials where address like ?', `%${one.email}%`)).toEqual([]);
    const again = new Browser(service);
    const { path } = await signIn(service, again, one.email);
    expect(path).toMatch(/\/home$/);
    expect(again.text).toContain('The subscription is inactive');
    expect(await trialOf(one.email)).toEqual({ subscription: 'inactive', trial: 0 });

    const moved = 'moved@example.com';
    await host.browser.open('/app/settings/address');
    await host.browser.submit('/app/settings/address', { email: moved });
    const codeOf = async (email: string) => secretsIn(await mailTo(service, email)).code;
    const codes = { old_code: await codeOf(host.email), new_code: await codeOf(moved) };
    const changed = await host.browser.submit('/app/settings/address/confirm', codes);
    expect(changed).toEqual({ status: 200, path: '/app/settings' });
    await leave({ ...host, email: moved });
    await signIn(service, new Browser(service), moved);
    expect(await trialOf(moved)).toEqual({ subscription: 'inactive', trial: 0 });
  });
});
