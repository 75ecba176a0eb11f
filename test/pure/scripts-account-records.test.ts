import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { insertAccount, revokeKey, updateAccount } from '../../scripts/account-records.ts';
import { sqlText } from '../../scripts/d1.ts';

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
