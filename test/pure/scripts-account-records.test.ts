import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { insertAccount, revokeKey, updateAccount } from '../../scripts/account-records.ts';
import { sqlText } from '../../scripts/d1.ts';
import { ensureMember, operatorNote, type Role, selectRole } from '../../scripts/people-records.ts';

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
