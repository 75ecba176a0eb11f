import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import {
  ensureAccount,
  ensureKey,
  insertAccount,
  insertKey,
  noteChange,
  noteKey,
  noteRevocation,
  revokeKey,
  updateAccount,
} from '../../scripts/account-records.ts';
import { sqlText } from '../../scripts/d1.ts';
import { ensureMember, operatorNote, type Role, selectRole } from '../../scripts/people-records.ts';
import { sqliteD1 } from './worker/billing/sqlite-d1.ts';

const awkward = [`O'Brien's`, `'); drop table accounts; --`, 'a ? b', 'back\\slash "quoted"', 'ünïcödé 🎬'];

describe('the statements of the admin command', () => {
  it.each(awkward)('keep the name %j as it is', (name) => {
    const database = new DatabaseSync(':memory:');
    database.exec(
      'create table accounts (id text, name text, plan text, subscription text, rate_remaining integer, rate_reset_at integer, trial_ends_at integer, pay_by integer, created_at integer)',
    );
    database.exec(sqlText(insertAccount({ name, plan: 'boost' }).statement));
    expect(database.prepare('select name, plan, subscription from accounts').all()).toEqual([
      { name, plan: 'boost', subscription: 'active' },
    ]);
  });

  it('change one row, and quote its id too', () => {
    expect(sqlText(updateAccount("x' or '1'='1", { subscription: 'inactive' }))).toContain(
      `= 'x'' or ''1''=''1'`,
    );
    expect(sqlText(revokeKey('key_1'))).toMatch(/ where "keys"\."id" = 'key_1' returning "id"$/);
  });
});

describe('an account that the operator sets', () => {
  const NOW = 1_800_000_000_000;

  it.each([
    [
      'loses its grace when it is made active',
      { subscription: 'active' },
      { subscription: 'active', trial_ends_at: null, pay_by: null },
    ],
    [
      'has to pay as before when it is made inactive',
      { subscription: 'inactive' },
      { subscription: 'inactive', trial_ends_at: null, pay_by: NOW },
    ],
    [
      'keeps trial and grace when only its plan is set',
      { plan: 'boost' },
      { subscription: 'inactive', trial_ends_at: NOW, pay_by: NOW },
    ],
  ] as const)('%s', (_, change, after) => {
    const { database } = sqliteD1();
    database.exec(`insert into accounts (id, name, plan, subscription, created_at, trial_ends_at, pay_by)
      values ('acct_1', 'Acme', 'basic', 'inactive', 1, ${NOW}, ${NOW})`);
    database.exec(sqlText(updateAccount('acct_1', change)));
    expect(database.prepare('select subscription, trial_ends_at, pay_by from accounts').get()).toEqual(after);
  });
});

describe('a key that the operator revokes twice', () => {
  it('stays revoked since the first time', async () => {
    const { database } = sqliteD1();
    database.exec(sqlText(ensureAccount({ id: 'acct_1', name: 'Acme', plan: 'basic' })));
    const { id, statement } = await insertKey('acct_1', 'a label', 'pepper');
    database.exec(sqlText(statement));
    const revoke = (now: number) => {
      vi.spyOn(Date, 'now').mockReturnValue(now);
      return database.prepare(sqlText(revokeKey(id))).all();
    };
    expect([revoke(1_800_000_000_000), revoke(1_900_000_000_000)]).toEqual([[{ id }], [{ id }]]);
    expect(database.prepare('select revoked_at from keys').all()).toEqual([
      { revoked_at: 1_800_000_000_000 },
    ]);
  });
});

describe('a key that npm start makes', () => {
  it('works again at the next start, although it was rolled or revoked', async () => {
    const { database } = sqliteD1();
    const ensure = async () =>
      database.exec(sqlText((await ensureKey('key_1', 'acct_1', 'seeded', 'sk_1', 'pepper')).statement));
    database.exec(sqlText(ensureAccount({ id: 'acct_1', name: 'Acme', plan: 'basic' })));
    await ensure();
    database.exec("update keys set revoked_at = 1, expires_at = 2, lifetime = 3 where id = 'key_1'");
    await ensure();
    expect(database.prepare('select revoked_at, expires_at, lifetime from keys').all()).toEqual([
      { revoked_at: null, expires_at: null, lifetime: null },
    ]);
  });
});

describe('the log of an account', () => {
  it('has what the operator changes, and only what changes something', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(`create table accounts (id text, name text, plan text, subscription text, trial_ends_at integer, pay_by integer);
      create table keys (id text, account_id text, label text, hash text, lifetime integer, created_at integer, expires_at integer, last_used_at integer, revoked_at integer);
      create table audit_events (id text, account_id text, actor text, action text, subject text, created_at integer);
      insert into accounts values ('acct_1', 'Acme', 'basic', 'active', null, null), ('acct_2', 'Other', 'basic', 'active', null, null)`);
    const run = (...statements: Parameters<typeof sqlText>[0][]) => {
      for (const statement of statements) database.exec(sqlText(statement));
    };
    for (const change of [
      { plan: 'boost' },
      { plan: 'boost', subscription: 'active' },
      { subscription: 'inactive' },
    ] as const)
      run(noteChange('acct_1', change), updateAccount('acct_1', change));
    const { id, statement } = await insertKey('acct_1', `the operator's`, 'pepper');
    run(statement, noteKey('acct_1', `the operator's`));
    for (let times = 0; times < 2; times++) run(noteRevocation(id), revokeKey(id));
    const log = database.prepare('select account_id, actor, action, subject from audit_events').all();
    const byOperator = { account_id: 'acct_1', actor: 'the operator' };
    expect(log).toEqual([
      { ...byOperator, action: 'subscription.changed', subject: 'boost' },
      { ...byOperator, action: 'subscription.changed', subject: 'boost, inactive' },
      { ...byOperator, action: 'key.created', subject: `the operator's` },
      { ...byOperator, action: 'key.revoked', subject: `the operator's` },
    ]);
  });
});

describe('an invitation of the operator', () => {
  it('says which role the address has, and is noted only where it added a member', () => {
    const database = new DatabaseSync(':memory:');
    database.exec(`create table people (id text, email text unique, created_at integer);
      create table members (account_id text, person_id text, role text, created_at integer, primary key (account_id, person_id));
      create table audit_events (id text, account_id text, actor text, action text, subject text, created_at integer)`);
    const invite = (role: Role) => {
      const [account, email] = ['acct_1', 'ada@example.com'];
      for (const one of [...ensureMember(account, email, role), operatorNote(account, email)])
        database.exec(sqlText(one));
      return database.prepare(sqlText(selectRole(account, email))).all();
    };
    expect([invite('member'), invite('owner')]).toEqual([[{ role: 'member' }], [{ role: 'member' }]]);
    expect(database.prepare('select subject from audit_events').all()).toEqual([
      { subject: 'ada@example.com' },
    ]);
  });
});
